set local lock_timeout = '3s';

-- A club has two logs, each with positions of its own: 0 is the open one, 1 the closed one, read by those whom a case
-- concerns. Which of them an event stands in is no part of what is hashed.
alter table logs add column log smallint not null default 0 check (log in (0, 1));
alter table logs drop constraint logs_pkey;
alter table logs add primary key (club_id, log);
insert into logs (club_id, log, position) select club_id, 1, 0 from logs;

-- Events may be many: the column and its check are words in the catalogue (no row is read), one index is built.
alter table events add column log smallint not null default 0;
alter table events add constraint events_log_check check (log in (0, 1)) not valid;
alter table events add constraint events_club_id_log_position_key unique (club_id, log, position);
alter table events drop constraint events_club_id_position_key;
