set local lock_timeout = '3s';

-- The rows that events PersonErased list: stream, version, inner hash (hex).
create index events_erasures on events (club_id, version) where type = 'PersonErased';

-- What stays of private rows that are gone, made from the private parts of PersonErased: read in their place.
create table remains (
    club_id   uuid    not null,
    stream_id uuid    not null,
    version   integer not null,
    data      text    not null,
    primary key (club_id, stream_id, version)
);

-- A private row goes only where an event of its club lists it with the hash of what it holds.
create function lurch_refuse_unlisted() returns trigger language plpgsql as $$
begin
    if exists (
        select gone.club_id, gone.stream_id, gone.version,
               encode(sha256(gone.salt || convert_to(gone.data, 'UTF8')), 'hex')
        from gone
        except
        select e.club_id, (listed.value ->> 0)::uuid, (listed.value ->> 1)::integer, listed.value ->> 2
        from (select distinct club_id from gone) as clubs
        join events e on e.club_id = clubs.club_id and e.stream_id = e.club_id and e.type = 'PersonErased'
        cross join lateral jsonb_array_elements(e.data::jsonb -> 'rows') as listed
    ) then
        raise exception 'private rows are kept: delete is refused for what no event PersonErased lists'
            using errcode = 'insufficient_privilege',
                  hint = 'lurch erase takes a person out of the log';
    end if;
    return null;
end
$$;

create function lurch_refuse_rewrite() returns trigger language plpgsql as $$
begin
    raise exception 'private rows are kept: % on % is refused', tg_op, tg_table_name
        using errcode = 'insufficient_privilege',
              hint = 'what is wrong in a name or a note is mended by a new event';
end
$$;

create trigger private_listed after delete on private
    referencing old table as gone for each statement execute function lurch_refuse_unlisted();
create trigger private_immutable before update on private
    for each row execute function lurch_refuse_rewrite();
create trigger private_untruncated before truncate on private
    for each statement execute function lurch_refuse_rewrite();
-- ALWAYS: or session_replication_role = replica would go round them
alter table private enable always trigger private_listed;
alter table private enable always trigger private_immutable;
alter table private enable always trigger private_untruncated;

do $$
begin
    if exists (select from pg_roles where rolname = 'lurch_app') then
        grant select, insert, update, delete on remains to lurch_app;
    end if;
end
$$;
