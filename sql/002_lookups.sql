-- The look-ups: one question to the registry about one document, and what came of it.

create table lookup (
  id               bigint generated always as identity primary key,
  organization_id  bigint not null,
  kind             text not null,
  question         text collate "C" not null,
  document_type    text,
  label            text,
  batch_id         bigint not null,
  heir_of          bigint,
  state            text not null default 'queued',
  current          boolean not null default true,
  due_at           timestamptz,
  deadline_at      timestamptz not null,
  job_id           uuid,
  attempts         smallint not null default 0,
  polls            integer not null default 0,
  suspicion        smallint not null default 0,
  sending_at       timestamptz,
  absent_at        timestamptz,
  remote_id        text,
  remote_key       text,
  charged          text not null default 'no',
  seen             text,
  detail           text,
  as_of            timestamptz,
  asked_at         timestamptz not null default now(),
  finished_at      timestamptz,
  trace            text[] not null default '{}',
  constraint lookup_kind_known check (kind in ('analysis', 'cnh', 'scr', 'processes', 'radar', 'inactivation')),
  constraint lookup_state_known check (state in (
    'queued', 'sending', 'waiting',
    'ok', 'not_found', 'invalid_document', 'plan_blocked', 'denied', 'failed',
    'timed_out', 'unknown_outcome', 'cancelled', 'over_budget')),
  constraint lookup_charge_known check (charged in ('no', 'yes', 'unknown')),
  constraint lookup_in_doubt_only_while_sending check (charged <> 'unknown' or state in ('sending', 'unknown_outcome')),
  constraint lookup_sending_has_an_intent check (state <> 'sending' or (sending_at is not null and charged <> 'no')),
  constraint lookup_waiting_has_a_remote check (state <> 'waiting' or kind not in ('analysis', 'cnh') or remote_id is not null),
  constraint lookup_final_is_dated check ((finished_at is not null) = (state not in ('queued', 'sending', 'waiting'))),
  constraint lookup_final_is_never_due check (finished_at is null or due_at is null)
) with (fillfactor = 80);
comment on column lookup.question is 'The bare document, or the process number of an inactivation.';
comment on column lookup.batch_id is 'The batch that asks and pays; others share the answer.';
comment on column lookup.current is 'The one that new rows share; a later look-up of the same question supersedes it.';
comment on column lookup.due_at is 'When the next step may be taken, unless a job has it in hand; null when it is final, or being judged.';

-- One open or fresh look-up per question: this is what keeps a document from being bought twice.
create unique index lookup_current on lookup (question, kind, organization_id) where current;

-- The dispatch pass reads what is due, batch by batch.
create index lookup_due on lookup (kind, state, batch_id, due_at) where due_at is not null;

-- Two look-ups can never claim the same purchase.
create unique index lookup_remote on lookup (kind, remote_id) where remote_id is not null and current;

create table answer (
  lookup_id  bigint primary key,
  counts     integer[],
  cents      bigint[],
  amounts    text[],
  total      integer,
  data       jsonb
);
comment on table answer is 'What the registry said. Twenty counts and amounts for an analysis; amounts as text only where they could not be read.';

create table spending_day (
  day    date primary key,
  units  integer not null,
  constraint spending_is_never_negative check (units >= 0)
);
comment on table spending_day is 'Units reserved or charged on a day of the settings'' time zone, over all workers.';
