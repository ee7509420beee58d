-- The files people drop, the batches they become, and the rows of each batch.

create table file (
  id         bigint generated always as identity primary key,
  sha256     text,
  size       bigint,
  parts      integer,
  stored_at  timestamptz not null default now()
);
comment on table file is 'One stored upload. sha256 stays null until every part is in.';

-- The same bytes are stored once, however often they are dropped.
create unique index file_sha256 on file (sha256);

create table file_part (
  file_id  bigint not null references file on delete cascade,
  part     integer not null,
  bytes    bytea not null,
  primary key (file_id, part)
);
comment on table file_part is 'Up to 1 MiB of the file, compressed by itself, so that any worker can stream it.';

create table batch (
  id               bigint generated always as identity primary key,
  organization_id  bigint not null,
  kind             text not null,
  source           text not null,
  submitted_by     text,
  name             text not null,
  file_name        text,
  file_id          bigint references file,
  state            text not null default 'importing',
  current          boolean not null default true,
  paused_at        timestamptz,
  problem          text,
  dialect          jsonb,
  layout           jsonb,
  max_spend        integer,
  confirm_above    integer,
  encoding         text not null default 'utf8',
  spreadsheets     boolean not null default false,
  rows             integer not null default 0,
  rejected         integer not null default 0,
  blank_lines      integer not null default 0,
  imported_to      integer not null default 0,
  to_be_paid       integer not null default 0,
  counted          boolean not null default false,
  spent            integer not null default 0,
  created_at       timestamptz not null default now(),
  imported_at      timestamptz,
  started_at       timestamptz,
  finished_at      timestamptz,
  exported_at      timestamptz,
  manifest         jsonb,
  constraint batch_kind_known check (kind in ('analysis', 'cnh', 'scr', 'processes', 'radar', 'inactivation')),
  constraint batch_state_known check
    (state in ('importing', 'unconfirmed', 'running', 'cancelled', 'done', 'rejected')),
  constraint batch_source_known check (source in ('cli', 'inbox', 'page', 'sweep')),
  constraint batch_stays_within_its_spend check (max_spend is null or spent <= max_spend),
  constraint batch_spends_no_less_than_nothing check (spent >= 0)
);

-- The same bytes for the same question are one batch, until it is cancelled, rejected or no longer fresh.
create unique index batch_once_per_file on batch (organization_id, kind, file_id) where current and file_id is not null;

-- The dispatch pass walks the batches that still have something to ask.
create index batch_open on batch (id) where finished_at is null;

create table batch_row (
  batch_id       bigint not null,
  line           integer not null,
  start_at       bigint not null,
  size           integer not null,
  lookup_id      bigint,
  first          boolean not null default false,
  cancelled      boolean not null default false,
  repair         text,
  reject_reason  text,
  reject_detail  text,
  primary key (batch_id, line),
  constraint row_is_asked_or_rejected check ((lookup_id is null) = (reject_reason is not null))
);
comment on column batch_row.start_at is 'Where the row''s own text begins in the decoded file, in UTF-8 bytes; size is its length.';
comment on column batch_row.first is 'This row made its batch ask; rows that repeat the document share the answer and cost nothing.';

-- Settling a look-up finds the rows that wait for it.
create index batch_row_lookup on batch_row (lookup_id) where lookup_id is not null;

create table batch_count (
  batch_id  bigint not null,
  state     text not null,
  rows      integer not null,
  primary key (batch_id, state)
);
comment on table batch_count is 'Rows of a batch per final state, kept as they end; open rows are what is left.';
