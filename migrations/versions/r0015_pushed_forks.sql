set local lock_timeout = '3s';

-- What was pushed and parts from what stands here: kept whole for the director, and taken into no log. `version` is the
-- first one of the stream that differs.
create table pushed_forks (
    club_id   uuid        not null,
    id        uuid        not null,
    stream_id uuid        not null,
    version   integer     not null,
    source    text        not null,
    kept_by   text,
    kept_at   timestamptz not null,
    data      text        not null,
    primary key (club_id, id)
);

do $$
begin
    if exists (select from pg_roles where rolname = 'lurch_app') then
        grant select, insert, delete on pushed_forks to lurch_app;
    end if;
end
$$;
