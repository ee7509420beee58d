-- A run of equal refusals holds a lane whatever its words are. `refused`: what is asked is refused, and what was paid for is
-- still fetched. `fetch_refused`: what was paid for is refused, so nothing more is bought either.
alter table lane drop constraint lane_cause_known;
alter table lane add constraint lane_cause_known
  check (cause in ('token', 'plan', 'denied', 'refused', 'fetch_refused', 'outage', 'list', 'budget', 'operator'));

-- A hold for the plan, the budget, the list or refused questions stops asking, and lets what was paid for be fetched; any other
-- stops the lane whole.
create or replace function hold_stops(cause text, state text) returns boolean
  language sql immutable parallel safe
return state = 'queued' or cause not in ('plan', 'budget', 'list', 'refused');

-- Which look-ups of a held lane may try it: those that it stops. Refused answers are tried by fetching one: a purchase that
-- succeeds would prove nothing about them. A denial is not tried by reading the list to judge a call.
create function hold_is_tried_by(cause text, state text) returns boolean
  language sql immutable parallel safe
return hold_stops(cause, state) and (cause <> 'fetch_refused' or state = 'waiting') and (cause <> 'denied' or state <> 'sending');
