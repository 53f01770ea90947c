set local lock_timeout = '3s';

-- The doubts of a tournament: a list asks fifty tournaments for them, and nearly none has one. Without it all their
-- events were read.
create index events_doubts on events (club_id, stream_id, version)
    where type in ('OutcomeContested', 'OutcomeDisputed');
