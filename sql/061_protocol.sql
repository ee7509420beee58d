-- A fence on spending: a worker of an older version that still runs after a migration buys nothing.
--
-- A migration after which an older version might buy wrongly calls raise_protocol, and the code names the same number.

alter table fleet add column protocol integer not null default 1;
comment on column fleet.protocol is 'Workers that know only a lower number record no intent.';

-- No intent is recorded while the number rises: a statement that waits for the lock sees the new number.
create function raise_protocol(to_number integer) returns void
  language plpgsql
as $$
begin
  lock table vigia.intent in exclusive mode;
  update vigia.fleet set protocol = to_number where protocol < to_number;
end $$;
