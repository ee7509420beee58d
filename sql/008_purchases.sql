-- The books: what the registry says was bought, who owns it, and by which list we know. They keep a lost answer, a
-- colleague's purchase or a database that forgot from being paid for twice.

create table reading (
  id               bigint generated always as identity primary key,
  organization_id  bigint not null,
  kind             text not null,
  began_at         timestamptz not null default clock_timestamp(),
  ended_at         timestamptz,
  items            integer,
  list_limit       integer,
  complete         boolean,
  youngest_at      timestamptz,
  problem          text,
  constraint reading_kind_is_paid check (kind in ('analysis', 'cnh')),
  constraint reading_is_judged_at_its_end check (ended_at is not null or complete is null)
);
comment on table reading is 'One look into the registry''s list of purchases. Its number orders it against intents without any clock.';
comment on column reading.complete is 'The list''s own figures say that nothing is missing, and it holds every purchase that we know to be ours.';
comment on column reading.youngest_at is 'When the youngest purchase of ours in it was intended: whatever was made before that would be in it too.';
comment on column reading.problem is 'Why it could not be read.';

-- The newest reading of a lane.
create index reading_of_lane on reading (organization_id, kind, id desc);

create table purchase (
  organization_id  bigint not null,
  kind             text not null,
  remote_id        text collate "C" not null,
  remote_key       text,
  document         text collate "C" not null,
  dated            text,
  dated_from       timestamptz,
  dated_to         timestamptz,
  status           text,
  deleted          boolean not null default false,
  reading_id       bigint not null,
  seen_at          timestamptz not null default clock_timestamp(),
  lookup_id        bigint,
  primary key (organization_id, kind, remote_id),
  constraint purchase_kind_is_paid check (kind in ('analysis', 'cnh')),
  constraint purchase_date_spans_forward check (dated_from <= dated_to)
);
comment on column purchase.document is 'Empty once the person was erased.';
comment on column purchase.dated is 'The date as it was written; dated_from and dated_to are the moments that it may mean, null where it proves nothing.';
comment on column purchase.reading_id is 'The first reading that showed it; 0 where we knew it before any list did.';
comment on column purchase.lookup_id is 'The look-up that owned it and is no longer current. A current one names it by its own remote_id.';

-- The purchases of a document, before it is bought and when an answer was lost.
create index purchase_of_document on purchase (document, kind, organization_id);

-- What look-ups bought that others have superseded.
insert into purchase (organization_id, kind, remote_id, remote_key, document, reading_id, lookup_id)
select distinct on (organization_id, kind, remote_id)
       organization_id, kind, remote_id, remote_key, case when question like 'erased:%' then '' else question end, 0, id
  from lookup
 where remote_id is not null and not current and kind in ('analysis', 'cnh')
 order by organization_id, kind, remote_id, id desc;

alter table lookup add column adopted_at timestamptz;
alter table lookup add column reading_id bigint;
comment on column lookup.adopted_at is 'When a purchase that it did not make became its own.';
comment on column lookup.reading_id is 'The newest reading when the intent was recorded: what was in the books by then cannot come from this call.';

alter table batch add column adopted integer not null default 0;
comment on column batch.adopted is 'Documents whose purchase the organization had made elsewhere: taken, not bought.';

-- From when an answer counts as fresh: from our purchase or adoption, whatever date the registry gives it.
create function fresh_from(l lookup) returns timestamptz
  language sql immutable parallel safe
return coalesce(l.adopted_at, l.sending_at, l.finished_at);

alter table fleet add column mark bigint not null default 0;
alter table fleet add column server text;
alter table fleet add column books_since timestamptz not null default '-infinity';
comment on column fleet.mark is 'Grows with every beat of every worker: one that remembers a higher mark knows that the database went back in time.';
comment on column fleet.server is 'The server and timeline that last divided the bound.';
comment on column fleet.books_since is 'Paid lanes spend only by a list that was read after this.';
