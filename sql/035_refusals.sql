-- A run of equal refusals holds a lane, whatever text the registry sends. `refused`: new calls are refused, and what
-- was paid for is still fetched. `fetch_refused`: what was paid for is refused, so nothing more is bought either.
alter table lane drop constraint lane_cause_known;
alter table lane add constraint lane_cause_known
  check (cause in ('token', 'plan', 'denied', 'refused', 'fetch_refused', 'outage', 'list', 'budget', 'operator'));

-- A hold for the plan, the budget, the list or refused calls stops new calls only, and lets what was paid for be
-- fetched. Any other hold stops the lane completely.
create or replace function hold_stops(cause text, state text) returns boolean
  language sql immutable parallel safe
return state = 'queued' or cause not in ('plan', 'budget', 'list', 'refused');

-- Which look-ups of a held lane may try it: those that the hold stops. A hold for refused answers is tried by fetching
-- one, because a purchase that succeeds would prove nothing about them. A denial is not tried by reading the list to
-- judge a call.
create function hold_is_tried_by(cause text, state text) returns boolean
  language sql immutable parallel safe
return hold_stops(cause, state) and (cause <> 'fetch_refused' or state = 'waiting') and (cause <> 'denied' or state <> 'sending');
