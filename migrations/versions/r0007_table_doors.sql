set local lock_timeout = '3s';

-- The secret of this service from which the codes of its tables are made: one row, made at the first code.
create table door_keys (
    only_one boolean primary key default true check (only_one),
    key      bytea   not null check (length(key) = 32)
);

-- A table's door. Its code and its QR follow from the key, the match and the counter, and stand nowhere: `code` and
-- `scan` are marks of them, which find the door. No two open doors of the service have one code.
create table table_doors (
    match_id   uuid        primary key,
    club_id    uuid        not null,
    counter    integer     not null check (counter > 0),
    code       bytea       not null check (length(code) = 32),
    scan       bytea       not null check (length(scan) = 32),
    good_until timestamptz not null,
    closed_at  timestamptz
);
create unique index table_doors_by_code on table_doors (code) where closed_at is null;
create unique index table_doors_by_scan on table_doors (scan);

-- Nobody sits twice: one device a name, one name a device. `ended_why` is told to the device.
alter table table_seats add column ended_why text
    check (ended_why in ('replaced', 'moved', 'thrown out', 'code changed', 'over'));
create unique index table_seats_by_name on table_seats (match_id, player) where ended_at is null;
create unique index table_seats_by_device on table_seats (match_id, hash) where ended_at is null;

-- A device that tapped a name which another one has, until somebody lets it in.
create table table_asks (
    id       uuid        primary key,
    hash     bytea       not null references sign_ins (hash) on update cascade on delete cascade,
    club_id  uuid        not null,
    match_id uuid        not null,
    player   uuid        not null,
    counter  integer     not null,
    asked_at timestamptz not null,
    unique (match_id, hash)
);
create index table_asks_by_sign_in on table_asks (hash);

-- Wrong codes of the last hour: when, and a mark of the address.
create table door_tries (
    at      timestamptz not null,
    address bytea       not null
);
create index door_tries_by_time on door_tries (at);

-- A wall that shows the codes of a tournament's tables: the device of a director, until he switches it off.
create table wall_codes (
    hash          bytea       not null references sign_ins (hash) on update cascade on delete cascade,
    tournament_id uuid        not null,
    good_until    timestamptz not null,
    primary key (hash, tournament_id)
);

do $$
begin
    if exists (select from pg_roles where rolname = 'lurch_app') then
        grant select, insert on door_keys to lurch_app;
        grant select, insert, update on table_doors to lurch_app;
        grant select, insert, update, delete on table_asks, door_tries, wall_codes to lurch_app;
    end if;
end
$$;
