set local lock_timeout = '3s';

-- Which cases are about a match, or about a tournament: asked with every command of a director and every pairing.
create index events_cases_of_match on events (club_id, ((data::jsonb -> 'place') ->> 'match'))
    where log = 1 and type in ('CaseOpened', 'CaseJoined');
create index events_cases_of_tournament on events (club_id, ((data::jsonb -> 'place') ->> 'tournament'))
    where log = 1 and type in ('CaseOpened', 'CaseJoined');

-- The cases of a club, and the disputes that the steward opens some for.
create index events_cases_of_club on events (club_id, position) where log = 1 and type = 'CaseOpened';
create index events_disputes on events (club_id, position) where type = 'ResultDisputed';

-- Calls of the last hour, so that nobody calls without end: where, and a mark of who, which tells no name.
create table case_calls (
    at     timestamptz not null,
    place  text        not null,
    caller bytea       not null
);
create index case_calls_place on case_calls (place, at);
create index case_calls_caller on case_calls (caller, at);

do $$
begin
    if exists (select from pg_roles where rolname = 'lurch_app') then
        grant select, insert, delete on case_calls to lurch_app;
    end if;
end
$$;
