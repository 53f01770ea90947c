set local lock_timeout = '3s';

-- A token that was given its role by an event is good while that stands in the log too; `made_with` is the token that
-- made it, and ends it with itself. One that the owner made does not hang on what the owner's person holds in the club.
alter table tokens add column recorded boolean not null default false;
alter table tokens add column made_with uuid;
alter table tokens add column by_owner boolean not null default false;
