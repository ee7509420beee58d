-- What a job has in hand and what is about to be sent stand apart from the look-up, which is then written three times in
-- its life: asked, accepted, ended.

-- Whatever a crash of the server makes of it is right: what was in hand is handed out again, and costs a poll at most.
create unlogged table claim (
  job_id      uuid primary key,
  state       text not null,
  claimed_at  timestamptz not null,
  ids         bigint[] not null
);
comment on table claim is 'The look-ups that a job has in hand, as long as they are in this state.';

-- Written before a call leaves that cannot be repeated, and never forgotten.
create table intent (
  lookup_id   bigint primary key,
  sent_at     timestamptz not null,
  judged_at   timestamptz not null,
  reading_id  bigint
) with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000);
comment on table intent is 'A call on its way for a queued look-up. Whoever deletes it says what became of the call: the job that sent it, or, once it is overdue, whoever has it judged.';
comment on column intent.judged_at is 'From when on nothing can be on its way any more: the look-up is then in doubt, which is its state sending.';
comment on column intent.reading_id is 'The newest reading when the intent was recorded: what was in the books by then cannot come from this call.';

-- A look-up in doubt is due while it is judged, like any other.
update lookup set due_at = now() where state = 'sending' and due_at is null;
drop index lookup_in_doubt;
alter table lookup drop column job_id;

-- A batch and the metrics count what is in doubt: being judged, or parked.
create index lookup_in_doubt on lookup (batch_id) where state in ('sending', 'unknown_outcome');
comment on column lookup.due_at is 'When the next step may be taken, unless a job has it in hand; null when it is final.';

-- A line of a story: when, and what as code and values.
create function story_line(at timestamptz, said text) returns text
  language sql stable parallel safe
return to_char(at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') || ' ' || said;
