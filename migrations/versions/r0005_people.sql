set local lock_timeout = '3s';

-- A sign-in is a device on which people have signed in, one in each club. When it was used last renews it.
alter table sign_ins add column last_used timestamptz;

create table sign_in_people (
    hash       bytea       not null references sign_ins (hash) on delete cascade,
    club_id    uuid        not null,
    player     uuid        not null,
    created_at timestamptz not null,
    primary key (hash, club_id)
);
create index sign_in_people_by_person on sign_in_people (club_id, player);

-- Who came in by a table's code, on which device: a player whose name was tapped, or (null) whoever keeps the score.
-- `counter` is that of the code.
create table table_seats (
    id         uuid        primary key,
    hash       bytea       not null references sign_ins (hash) on delete cascade,
    club_id    uuid        not null,
    match_id   uuid        not null,
    player     uuid,
    counter    integer     not null,
    created_at timestamptz not null,
    last_used  timestamptz not null,
    good_until timestamptz not null,
    ended_at   timestamptz
);
create index table_seats_by_match on table_seats (club_id, match_id);
create index table_seats_by_sign_in on table_seats (hash);

-- A token is for a club, a tournament or a match, and never has more rights than its maker, where it has one.
alter table tokens add column tournament_id uuid;
alter table tokens add column maker uuid;

do $$
begin
    if exists (select from pg_roles where rolname = 'lurch_app') then
        grant select, insert, update, delete on sign_in_people, table_seats to lurch_app;
    end if;
end
$$;
