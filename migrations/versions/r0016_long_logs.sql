set local lock_timeout = '3s';

-- An account as the database reads it. An escaped NUL, which jsonb does not take, is put aside; a backslash that is
-- escaped itself begins none.
create or replace function account_in(account text) returns jsonb language sql immutable strict parallel safe
    return regexp_replace(account, '(?<!\\)((\\\\)*)\\u0000', '\1', 'g')::jsonb;

-- What a tournament is looked for by, read from its account by the database itself: the season that it counts for, the
-- day it was played ('' without one), whether its places are final, the games of its ladders.
alter table books_accounts
    add column season text collate "C"
        generated always as (nullif(account_in(account) ->> 'season', '')) stored,
    add column day text collate "C" not null
        generated always as (coalesce(account_in(account) #>> '{event,date}', '')) stored,
    add column is_finished boolean not null
        generated always as (jsonb_array_length(account_in(account) #> '{event,places}') > 0) stored,
    add column ladders jsonb not null
        generated always as (jsonb_path_query_array(account_in(account), '$.ladders[*].game')) stored;
create index books_accounts_seasons on books_accounts (club_id, season, day, is_finished) where season is not null;
create index books_accounts_days on books_accounts (club_id, day, season) where season is not null;
create index books_accounts_ladders on books_accounts (club_id, stream_id) where ladders <> '[]';

-- The streams whose onlookers may be behind: asked for at the first look at a club.
create index events_delayed on events (club_id, position)
    where log = 0 and version = 1 and type in ('MatchOpened', 'TournamentAnnounced')
        and regexp_like(data, '"delay": ?"(trick|deal|round)"');

-- The tournaments of a club beside those that are finished: which are going is told by two indexes alone.
create index events_announced on events (club_id, stream_id) include (position)
    where log = 0 and version = 1 and type = 'TournamentAnnounced';
