set local lock_timeout = '3s';

-- The books of a club: every result that counts and the ratings that follow, kept as far as `position`. They are made
-- from the log alone; a row that is deleted here takes the rest of its club along, and all of it is made again.
-- `mark` changes with every change: who has worked something out sees by it that nobody else was faster.
create table books (
    club_id  uuid    primary key,
    form     integer not null,
    position bigint  not null check (position >= 0),
    mark     uuid    not null,
    firsts   text    not null,
    games    text    not null
);

-- A result as the log tells it, and the ratings of its players after it.
create table books_results (
    club_id   uuid             not null references books on delete cascade,
    stream_id uuid             not null,
    match     text collate "C" not null,
    game      text             not null,
    at        bigint           not null,
    people    text[]           not null,
    result    text             not null,
    after     text             not null,
    primary key (club_id, stream_id, match)
);
create index books_results_order on books_results (club_id, game, at, match);
create index books_results_match on books_results (club_id, match);
create index books_results_people on books_results using gin (people);

-- A tournament as its club counts it.
create table books_accounts (
    club_id   uuid    not null references books on delete cascade,
    stream_id uuid    not null,
    is_over   boolean not null,
    people    text[]  not null,
    account   text    not null,
    primary key (club_id, stream_id)
);

-- Everybody's standing in a game after all of its results.
create table books_ratings (
    club_id uuid             not null references books on delete cascade,
    game    text             not null,
    kind    text             not null,
    who     text[]           not null,
    mu      double precision not null,
    sigma   double precision not null,
    won     integer          not null,
    drawn   integer          not null,
    lost    integer          not null,
    last    text             not null,
    primary key (club_id, game, kind, who)
);

-- The standings after so many results of a game: from here they are folded on when a later result changes.
create table books_checkpoints (
    club_id uuid             not null references books on delete cascade,
    game    text             not null,
    number  integer          not null,
    at      bigint           not null,
    match   text collate "C" not null,
    state   text             not null,
    primary key (club_id, game, number)
);

-- What the steward asks for when a service has started, however long the log is: the streams of a kind, the tournaments
-- that are not over, and the disputes of tournaments.
create index events_begun on events (club_id, type, position) where version = 1;
create index events_finished on events (club_id, stream_id, type, version)
    where type in ('TournamentFinished', 'TournamentReopened');
create index events_outcomes_disputed on events (club_id, position) where type = 'OutcomeDisputed';

do $$
begin
    if exists (select from pg_roles where rolname = 'lurch_app') then
        grant select, insert, update, delete
            on books, books_results, books_accounts, books_ratings, books_checkpoints to lurch_app;
    end if;
end
$$;
