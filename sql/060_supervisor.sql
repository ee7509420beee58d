-- One worker supervises for all: the one with the lease, which its heartbeats renew and any heartbeat takes once it is over.

alter table fleet
  add column supervisor    uuid,
  add column supervised_at timestamptz not null default 'epoch';
comment on column fleet.supervisor is 'The worker that supervises the queues, held lanes and deadlines for all.';
