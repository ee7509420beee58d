-- The page shows what all workers did in the last hour, by minute.
create table throughput (
  minute    timestamptz primary key,
  lookups   integer not null,
  failures  integer not null,
  calls     integer[] not null
);
comment on table throughput is 'What the workers did in each minute of the last hours: look-ups that ended, and calls to the registry. No personal data.';
comment on column throughput.failures is 'Calls without a usable answer.';
comment on column throughput.calls is 'Calls by how long they took; src/domain/latency.ts has the limits.';
