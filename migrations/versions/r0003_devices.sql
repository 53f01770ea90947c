set local lock_timeout = '3s';

-- What was given an id as a device: a browser's sign-in, a token, a program, by what it calls itself. `holder` finds it
-- again and tells nobody whose it is without the club's key. What it is called stands here and nowhere else; whoever
-- erases it takes `holder` as well, and the id in the log leads nowhere.
create table devices (
    club_id  uuid        not null,
    id       uuid        not null,
    holder   bytea       check (length(holder) = 32),
    name     text        check (length(name) between 1 and 80),
    given_at timestamptz not null,
    primary key (club_id, id),
    unique (club_id, holder)
);

-- The key that marks the ids of a club's devices, and makes ids of what old events hold in their place.
create table device_keys (
    club_id uuid  primary key,
    key     bytea not null check (length(key) = 32)
);

do $$
begin
    if exists (select from pg_roles where rolname = 'lurch_app') then
        grant select, insert, update on devices to lurch_app;
        grant select, insert on device_keys to lurch_app;
    end if;
end
$$;
