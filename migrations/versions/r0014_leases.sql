set local lock_timeout = '3s';

-- Work that one process of several does at a time. Whoever takes a lease raises its number; the holder raises its beat.
-- No time is kept: each process compares what it sees with its own clock.
create table leases (
    name   text   primary key,
    holder text,
    number bigint not null check (number > 0),
    beat   bigint not null check (beat >= 0)
);

do $$
begin
    if exists (select from pg_roles where rolname = 'lurch_app') then
        grant select, insert, update on leases to lurch_app;
    end if;
end $$;
