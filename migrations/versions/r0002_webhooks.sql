set local lock_timeout = '3s';

-- Who wants to be told of a club's events. The log is the queue: `position` is how far everything was delivered or
-- given up, `pending` how far the delivery reaches that is being tried, so that a repeat is the same one.
-- The secret is kept readable, since it signs.
create table webhooks (
    club_id          uuid        not null,
    id               uuid        not null,
    url              text        not null check (length(url) between 1 and 500),
    secret           text        not null,
    types            text[],
    created_at       timestamptz not null,
    position         bigint      not null check (position >= 0),
    pending          bigint      check (pending > position),
    failures         integer     not null default 0,
    failing_since    timestamptz,
    next_try_at      timestamptz not null,
    claimed_until    timestamptz,
    attempts         bigint      not null default 0,
    last_status      integer,
    last_error       text,
    disabled_at      timestamptz,
    disabled_because text,
    command_id       text,
    fingerprint      bytea,
    primary key (club_id, id),
    unique (club_id, command_id)
);

-- The last attempts, for the owner to look at; a delivery without events is a ping.
create table webhook_deliveries (
    club_id        uuid        not null,
    webhook_id     uuid        not null,
    number         bigint      not null,
    message        text        not null,
    at             timestamptz not null,
    first_position bigint,
    last_position  bigint,
    events         integer     not null,
    milliseconds   integer     not null,
    status         integer,
    error          text,
    primary key (club_id, webhook_id, number),
    foreign key (club_id, webhook_id) references webhooks (club_id, id) on delete cascade
);

do $$
begin
    if exists (select from pg_roles where rolname = 'lurch_app') then
        grant select, insert, update, delete on webhooks, webhook_deliveries to lurch_app;
    end if;
end
$$;
