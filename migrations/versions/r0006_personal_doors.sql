set local lock_timeout = '3s';

-- A sign-in has an id that may be shown and that stays when its secret is renewed; those of before keep what their
-- devices are found by.
alter table sign_ins add column id text not null default gen_random_uuid()::text;
update sign_ins set id = encode(hash, 'hex');
create unique index sign_ins_by_id on sign_ins (id);

alter table sign_in_people drop constraint sign_in_people_hash_fkey;
alter table sign_in_people add constraint sign_in_people_hash_fkey
    foreign key (hash) references sign_ins (hash) on update cascade on delete cascade;
alter table table_seats drop constraint table_seats_hash_fkey;
alter table table_seats add constraint table_seats_hash_fkey
    foreign key (hash) references sign_ins (hash) on update cascade on delete cascade;

-- A link that signs a person in, good once: an invitation with the role that it gives, of whoever made it, or (made_on)
-- one for a further device, of the person's own.
create table invitations (
    hash          bytea       primary key,
    club_id       uuid        not null,
    player        uuid        not null,
    role          text,
    tournament_id uuid,
    match_id      uuid,
    maker         uuid,
    by_owner      boolean     not null,
    made_on       bytea       references sign_ins (hash) on update cascade on delete cascade,
    created_at    timestamptz not null,
    expires_at    timestamptz not null,
    used_at       timestamptz
);
create index invitations_by_person on invitations (club_id, player);
create index invitations_by_sign_in on invitations (made_on);

-- Hashes of what people sign in with. PINs are off after too many wrong ones, until somebody turns them on again.
create table secrets_of_people (
    club_id     uuid not null,
    player      uuid not null,
    password    text,
    pin         text,
    pins_off_at timestamptz,
    primary key (club_id, player)
);

-- Wrong passwords and PINs, and those that are being looked at: of whom and on which device is kept as a hash. A right
-- one clears those before it on that device.
create table secret_failures (
    id      bigint      generated always as identity primary key,
    whom    bytea       not null,
    device  bytea       not null,
    kind    text        not null,
    at      timestamptz not null,
    wrong   boolean     not null,
    cleared boolean     not null
);
create index secret_failures_by_person on secret_failures (whom, kind, at);
create index secret_failures_by_time on secret_failures (at);

-- What was chosen for the service on a page, such as the address for phones.
create table choices (
    name  text primary key,
    value text not null
);

do $$
begin
    if exists (select from pg_roles where rolname = 'lurch_app') then
        grant select, insert, update, delete on invitations, secrets_of_people, secret_failures, choices to lurch_app;
    end if;
end
$$;
