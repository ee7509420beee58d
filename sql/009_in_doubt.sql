-- What may have been bought and nobody knows: found at once, and still unknown after a person let it go.

-- A parked purchase that a person drops is not known to be free; everything else that ends is known.
alter table lookup drop constraint lookup_in_doubt_only_while_sending;
alter table lookup add constraint lookup_in_doubt_only_while_sending
  check (charged <> 'unknown' or state in ('sending', 'unknown_outcome', 'cancelled'));

-- A batch and the metrics count what is parked or being judged; calls on their way are in lookup_due.
create index lookup_in_doubt on lookup (batch_id)
  where state = 'unknown_outcome' or (state = 'sending' and due_at is null);
