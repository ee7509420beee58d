-- A lost call takes what the list shows of its document. Where no whole list from before lacks it, a colleague may have
-- bought it: the answer is ours to read, and whether we paid for it nobody knows.
alter table lookup drop constraint lookup_in_doubt_only_while_sending;
alter table lookup add constraint lookup_in_doubt_only_while_unproven
  check (charged <> 'unknown' or state in ('sending', 'cancelled', 'unknown_outcome') or adopted_at is not null);
