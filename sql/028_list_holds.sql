-- A lane whose list of purchases cannot be read buys nothing, since it might buy what its organization owns already. What was
-- paid for is still fetched, and what is in doubt is still judged.
alter table lane drop constraint lane_cause_known;
alter table lane add constraint lane_cause_known check (cause in ('token', 'plan', 'denied', 'outage', 'list', 'budget', 'operator'));

-- A hold for the plan, the budget or the list stops asking, and lets what was paid for be fetched; any other stops the lane whole.
create or replace function hold_stops(cause text, state text) returns boolean
  language sql immutable parallel safe
return state = 'queued' or cause not in ('plan', 'budget', 'list');
