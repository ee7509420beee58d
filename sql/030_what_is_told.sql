-- What is told of a row that nobody waits for any more, and of a look-up whose call is on its way.

-- Whether a row is told what its look-up comes to: answer, date, number and detail. One that its batch left when it was
-- cancelled is not, since it is another batch that asked and pays.
create function is_told(r batch_row) returns boolean
  language sql immutable parallel safe
return not r.cancelled;

-- Whether its look-up has more to say of a row than how it ended.
create or replace function has_detail(r batch_row, l lookup) returns boolean
  language sql immutable parallel safe
return is_told(r) and (l.state <> 'ok' or is_bought_elsewhere(l));

-- Answers of such rows were added up too, and the number of answered rows, which says whether sums are out of date, leaves them out.
delete from risk_total t using batch_count c where c.batch_id = t.batch_id and c.state = 'cancelled';

-- An intent is on record before its look-up moves: while its call is on its way, the look-up still says queued.
create function state_of(state text, sent_at timestamptz) returns text
  language sql immutable parallel safe
return case when sent_at is null then state else 'sending' end;
