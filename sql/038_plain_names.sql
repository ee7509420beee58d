-- Tables, columns and functions get the names that the code and the docs use. Nothing else changes.

alter table reading rename to list_snapshot;
alter index reading_of_lane rename to list_snapshot_of_lane;
alter index reading_pkey rename to list_snapshot_pkey;
alter sequence reading_id_seq rename to list_snapshot_id_seq;
alter table list_snapshot rename constraint reading_kind_is_paid to list_snapshot_kind_is_paid;
alter table list_snapshot rename constraint reading_is_judged_at_its_end to list_snapshot_is_judged_at_its_end;
alter table list_snapshot rename column said to message;
alter table purchase rename column reading_id to list_snapshot_id;
alter table intent rename column reading_id to list_snapshot_id;
alter table lookup rename column reading_id to list_snapshot_id;
comment on table list_snapshot is 'One look at the registry''s list of purchases. Its number orders it against intents without any clock.';
comment on column purchase.list_snapshot_id is 'The first snapshot of the list that showed it; 0 where we knew it before any list did.';
comment on column intent.list_snapshot_id is 'The newest snapshot of the list when the intent was recorded: what the ledger held by then cannot come from this call.';
comment on column lookup.list_snapshot_id is 'The newest snapshot of the list when the intent was recorded: what the ledger held by then cannot come from this call.';

alter table lookup    rename column said to message;
alter table lane      rename column said to message;
alter table snapshot  rename column said to message;
alter table batch     rename column said to message;
alter table batch_row rename column said to message;
comment on column lookup.message is 'The code and the values of detail; null where detail is text from outside or of an earlier version.';
comment on column lookup.trace is 'Its history: each line a moment, and what happened as code and values. Lines of an earlier version are English text.';

alter table fleet rename column mark to sequence;
alter table fleet rename column books_since to list_read_after;
alter table worker rename column beat_at to heartbeat_at;
comment on column fleet.sequence is 'Grows with every heartbeat of every worker: one that remembers a higher number knows that the database went back in time.';

alter table usage_day rename column told to reported;
alter table rule_met rename column told to notified;
comment on table usage_day is 'Consumption as the registry reports it, beside what Vigia recorded.';
comment on column rule_met.notified is 'False: it was met, but people had been notified lately and it is no worse than then.';

alter index lookup_in_doubt rename to lookup_outcome_unknown;
alter table lookup rename constraint lookup_in_doubt_only_while_unproven to lookup_outcome_unknown_only_while_unproven;

alter function is_told(batch_row) rename to shows_answer;
alter function row_said(batch_row, lookup) rename to row_message;
alter function story_code(text) rename to history_code;
alter function story_line(timestamptz, text) rename to history_line;

-- How the columns of a file were read; the next file with the same bytes is compared by it.
update batch set layout = (layout::jsonb - 'reading') || jsonb_build_object('readAs', layout::jsonb -> 'reading')
 where layout::jsonb ? 'reading';
