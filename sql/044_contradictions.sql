-- The registry names the organization's analysis before the one that was just bought. One that nobody here owns, and that no
-- list proves older than the freshness window, contradicts the purchase ledger: it could have been adopted.
create table contradiction (
  lookup_id        bigint primary key,
  organization_id  bigint not null,
  kind             text not null,
  previous_id      text not null,
  found_at         timestamptz not null
);
comment on table contradiction is 'Bought although the organization owned another purchase, by what the registry said. No personal data.';
-- Before a lane buys more, the list must have been read since its latest.
create index contradiction_of_lane on contradiction (organization_id, kind, found_at);
