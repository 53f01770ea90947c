set local lock_timeout = '3s';

-- The language that a person chose for the pages of a club.
create table languages_of_people (
    club_id  uuid not null,
    player   uuid not null,
    language text not null check (length(language) between 1 and 12),
    primary key (club_id, player)
);

do $$
begin
    if exists (select from pg_roles where rolname = 'lurch_app') then
        grant select, insert, update, delete on languages_of_people to lurch_app;
    end if;
end
$$;
