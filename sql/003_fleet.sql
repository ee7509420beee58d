-- What the fleet shares: held lanes, live workers and their share of the bound, the registry's token.

create table lane (
  organization_id  bigint not null,
  kind             text not null,
  cause            text not null,
  detail           text,
  held_at          timestamptz not null default now(),
  probe_at         timestamptz,
  probes           integer not null default 0,
  primary key (organization_id, kind),
  constraint lane_cause_known check (cause in ('token', 'plan', 'denied', 'outage', 'budget', 'operator'))
);
comment on table lane is 'A row is a hold: it names the cause and when one call may try whether the cause is gone.';

create table worker (
  id          uuid primary key,
  host        text not null,
  pid         integer not null,
  started_at  timestamptz not null default now(),
  beat_at     timestamptz not null default now(),
  share       integer not null default 0,
  open        integer not null default 0,
  constraint worker_share_is_never_negative check (share >= 0)
);
comment on column worker.share is 'How many requests this worker may have open; the shares of all live workers never exceed concurrency.fleet.';

create table credential (
  registry     text primary key,
  generation   integer not null,
  sealed       bytea not null,
  given        text not null,
  renewed_at   timestamptz not null default now()
);
comment on column credential.given is 'Keyed fingerprint of the token that an operator gave; a different one in the environment replaces what is stored.';

create table fleet (
  one boolean primary key default true,
  constraint fleet_is_one check (one)
);
insert into fleet default values;
comment on table fleet is 'One row, locked while the bound is divided between workers.';
