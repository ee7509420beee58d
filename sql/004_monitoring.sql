-- Monitoring: recurring sweeps, the mirror of the radar list, snapshots, and what changed between them.

create table schedule (
  name        text primary key,
  expression  text not null,
  since       text not null
);
comment on table schedule is 'Since which slot a schedule stands as it is: earlier slots were never its own, so nobody makes them up.';

create table sweep (
  id           bigint generated always as identity primary key,
  name         text not null,
  slot         text not null,
  state        text not null default 'running',
  trigger      text not null,
  due          integer not null default 0,
  verified     integer not null default 0,
  changed      integer not null default 0,
  detail       jsonb not null default '{}',
  started_at   timestamptz not null default now(),
  finished_at  timestamptz,
  constraint sweep_name_known check (name in ('radars', 'unfinished', 'usage', 'purge')),
  constraint sweep_state_known check (state in ('running', 'done', 'failed')),
  constraint sweep_trigger_known check (trigger in ('schedule', 'missed', 'operator'))
);

-- A slot of a schedule is run once, whoever rings.
create unique index sweep_slot on sweep (name, slot);

-- Two sweeps of one name never run at once.
create unique index sweep_alone on sweep (name) where state = 'running';

-- The history lists the newest of a name.
create index sweep_history on sweep (name, id desc);

create table sweep_organization (
  sweep_id            bigint not null references sweep on delete cascade,
  organization_id     bigint not null,
  list                text not null default 'pending',
  reason              text,
  tried_at            timestamptz,
  processes_batch_id  bigint,
  analysis_batch_id   bigint,
  primary key (sweep_id, organization_id),
  constraint list_known check (list in ('pending', 'applied', 'suspicious', 'failed'))
);
comment on table sweep_organization is 'How far a radar sweep came with one organization: what its list was worth, and which batches ask.';

create table radar (
  organization_id  bigint not null,
  document         text collate "C" not null,
  document_type    text not null,
  link_id          text,
  radar_id         text,
  name             text not null default '',
  active           boolean not null default true,
  customer_type    text,
  added_at         timestamptz,
  seen_at          timestamptz not null,
  removed_at       timestamptz,
  primary key (organization_id, document)
);
comment on table radar is 'The local mirror of the registry''s list of monitored documents.';

create table suspicious_list (
  organization_id  bigint primary key,
  sweep_id         bigint not null,
  reason           text not null,
  radars           jsonb not null,
  seen_at          timestamptz not null
);
comment on table suspicious_list is 'A radar list too short to be believed, kept apart until a person accepts it.';

create table snapshot (
  sweep_id             bigint not null references sweep on delete cascade,
  organization_id      bigint not null,
  document             text collate "C" not null,
  processes_lookup_id  bigint,
  analysis_lookup_id   bigint,
  processes            integer,
  counts               integer[],
  cents                bigint[],
  verified_at          timestamptz,
  unverified           text,
  tries                smallint not null default 0,
  primary key (sweep_id, organization_id, document)
);
comment on table snapshot is 'What a radar''s document looked like at a sweep; a document that could not be looked at says why.';

-- A document's history, newest first, and the snapshot before this one.
create index snapshot_history on snapshot (organization_id, document, sweep_id desc);

create table change (
  id               bigint generated always as identity primary key,
  sweep_id         bigint not null references sweep on delete cascade,
  organization_id  bigint not null,
  document         text collate "C" not null,
  field            text not null,
  verdict          text not null,
  before           text,
  after            text,
  weight           bigint not null default 0,
  seen_at          timestamptz not null,
  constraint change_verdict_known check
    (verdict in ('new', 'worse', 'better', 'cleared', 'added', 'removed', 'renamed', 'deactivated', 'reactivated'))
);

-- Replaying a sweep over the same data finds its changes already there.
create unique index change_once on change (sweep_id, organization_id, document, field);
create index change_recent on change (seen_at);

create table usage_day (
  organization_id  bigint not null,
  day              date not null,
  told             integer not null,
  recorded         integer not null,
  differing        jsonb not null default '[]',
  read_at          timestamptz not null,
  primary key (organization_id, day)
);
comment on table usage_day is 'Consumption as the registry tells it, beside what Vigia recorded.';

create table alert (
  id            uuid primary key default gen_random_uuid(),
  about         text not null,
  body          jsonb not null,
  made_at       timestamptz not null,
  delivered_at  timestamptz,
  problem       text
);
comment on table alert is 'One word to people outside, sent until it is taken. Its id is the idempotency id, and documents in it are masked.';
