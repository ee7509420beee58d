-- The rules that several queries go by, each written once. The planner writes such a function out where it is called,
-- so a rule costs what its words cost, and indexes are found as before.

-- How a row came out. A row that nobody waits for any more is cancelled, whatever its look-up, which others may share, comes to.
create function row_outcome(r batch_row, l lookup) returns text
  language sql immutable parallel safe
return case when r.reject_reason is not null then 'rejected'
            when r.cancelled then 'cancelled'
            when l.finished_at is null then 'pending'
            else l.state end;

-- What people see of a batch: pausing is a state to them.
create function shown_state(b batch) returns text
  language sql immutable parallel safe
return case when b.paused_at is not null and b.finished_at is null then 'paused' else b.state end;

-- A batch asks something new only while it runs.
create function may_ask(b batch) returns boolean
  language sql immutable parallel safe
return b.state = 'running' and b.paused_at is null;

-- What a batch that goes on has queued is its own; with one that stands still, whoever else wants it goes on.
create function goes_on(b batch) returns boolean
  language sql immutable parallel safe
return b.state in ('running', 'importing') and b.paused_at is null;

-- A hold for the plan or the budget stops asking, and lets what was paid for be fetched; any other stops the lane whole.
create function hold_stops(cause text, state text) returns boolean
  language sql immutable parallel safe
return state = 'queued' or cause not in ('plan', 'budget');

-- The registry's own word about the document, and young enough to serve again.
create function is_fresh(l lookup, since timestamptz) returns boolean
  language sql immutable parallel safe
return l.state in ('ok', 'not_found', 'invalid_document') and fresh_from(l) > since;

-- Bought and never answered: whoever asks again waits for that purchase.
create function is_bought(l lookup, since timestamptz) returns boolean
  language sql immutable parallel safe
return l.state not in ('ok', 'not_found', 'invalid_document') and l.remote_id is not null and fresh_from(l) > since;

-- A look-up that new rows share; any other is superseded by a new one.
create function is_shared(l lookup, since timestamptz) returns boolean
  language sql immutable parallel safe
return l.finished_at is null or l.state = 'unknown_outcome' or is_fresh(l, since);
