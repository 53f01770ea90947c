set local lock_timeout = '3s';

-- How far a club's log reaches: whoever appends locks this row, so that positions are dense
-- and commit order is position order.
create table logs (
    club_id  uuid   primary key,
    position bigint not null check (position >= 0)
);

create table events (
    club_id       uuid        not null,
    stream_id     uuid        not null,
    version       integer     not null check (version >= 1),
    position      bigint      not null check (position >= 1),
    type          text        not null,
    schema        smallint    not null check (schema >= 1),
    data          text        not null,
    actor         text,
    role          text        not null,
    seat          smallint,
    device        text,
    device_clock  timestamptz,
    recorded_at   timestamptz not null,
    command_id    text        not null check (length(command_id) between 1 and 128),
    command_index integer     not null check (command_index >= 0),
    fingerprint   bytea       not null,
    cause         text,
    prev_hash     bytea       not null check (length(prev_hash) = 32),
    hash          bytea       not null check (length(hash) = 32),
    primary key (club_id, stream_id, version),
    unique (club_id, position)
);

create unique index events_command on events (club_id, command_id) where command_index = 0;

-- Which club a stream belongs to.
create index events_streams on events (stream_id) where version = 1;

-- Names, notes and statements: what a person may have erased. The salt keeps a leaf from being guessed.
create table private (
    club_id   uuid    not null,
    stream_id uuid    not null,
    version   integer not null,
    salt      bytea   not null check (length(salt) = 16),
    data      text    not null,
    primary key (club_id, stream_id, version),
    foreign key (club_id, stream_id, version) references events (club_id, stream_id, version)
);

create function lurch_refuse_change() returns trigger language plpgsql as $$
begin
    raise exception 'the log is append-only: % on % is refused', tg_op, tg_table_name
        using errcode = 'insufficient_privilege',
              hint = 'a correction is a new event';
end
$$;

create trigger events_immutable before update or delete on events
    for each row execute function lurch_refuse_change();
create trigger events_untruncated before truncate on events
    for each statement execute function lurch_refuse_change();
-- ALWAYS: or session_replication_role = replica would go round them
alter table events enable always trigger events_immutable;
alter table events enable always trigger events_untruncated;

create table views (
    projection text    not null,
    version    integer not null,
    club_id    uuid    not null,
    key        text    not null,
    data       text    not null,
    primary key (projection, version, club_id, key)
);

create table checkpoints (
    projection text    not null,
    version    integer not null,
    club_id    uuid    not null,
    position   bigint  not null,
    primary key (projection, version, club_id)
);

-- Tokens of people and devices: only the SHA-256 of a token is kept.
create table tokens (
    id         uuid        primary key,
    club_id    uuid        not null,
    hash       bytea       not null unique,
    name       text        not null,
    role       text        not null,
    player     uuid,
    match_id   uuid,
    created_at timestamptz not null,
    last_used  timestamptz,
    revoked_at timestamptz
);

-- Sign-ins of browsers and one-time links; both hold hashes only and end by themselves.
create table sign_ins (
    hash       bytea       primary key,
    club_id    uuid,
    role       text        not null,
    name       text        not null,
    one_time   boolean     not null,
    created_at timestamptz not null,
    expires_at timestamptz not null
);

do $$
begin
    if exists (select from pg_roles where rolname = 'lurch_app') then
        grant usage on schema public to lurch_app;
        grant select, insert on events to lurch_app;
        grant select, insert, update on logs to lurch_app;
        grant select, insert, delete on private to lurch_app;
        grant select, insert, update, delete on views, checkpoints, tokens, sign_ins to lurch_app;
        grant select on alembic_version to lurch_app;
    end if;
end
$$;
