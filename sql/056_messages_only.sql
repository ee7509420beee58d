-- A reason is stored once, as a message: a code and its values. Its English text stood beside it and goes. Where an earlier
-- version stored only a text, the text becomes the message `text`, which is shown unchanged.

update lookup        set message = jsonb_build_array('text', detail)        where message is null and detail is not null;
update lane          set message = jsonb_build_array('text', detail)        where message is null and detail is not null;
update list_snapshot set message = jsonb_build_array('text', problem)       where message is null and problem is not null;
update snapshot      set message = jsonb_build_array('text', unverified)    where message is null and unverified is not null;
update batch         set message = jsonb_build_array('text', problem)       where message is null and problem is not null;
update batch_row     set message = jsonb_build_array('text', reject_detail) where message is null and reject_detail is not null;

-- These two had no message yet.
alter table suspicious_list    add column message jsonb;
alter table sweep_organization add column message jsonb;
update suspicious_list    set message = jsonb_build_array('text', reason);
update sweep_organization set message = jsonb_build_array('text', reason) where reason is not null;
alter table suspicious_list alter column message set not null;

-- Why a sweep was given up, which is stored among what it found.
update sweep
   set detail = detail - 'reason' || jsonb_build_object('said', coalesce(nullif(detail -> 'said', 'null'), jsonb_build_array('text', detail ->> 'reason')))
 where detail ->> 'reason' is not null;

drop function row_detail(batch_row, lookup);

-- The message of a row. The last status is the most that an open one can say.
create or replace function row_message(r batch_row, l lookup) returns jsonb
  language sql stable parallel safe
return case when r.reject_reason is not null then r.message
            when has_detail(r, l) then coalesce(l.message, case when l.seen is not null then jsonb_build_array('text', l.seen) end) end;

alter table lookup             drop column detail;
alter table lane               drop column detail;
alter table list_snapshot      drop column problem;
alter table snapshot           drop column unverified;
alter table batch              drop column problem;
alter table batch_row          drop column reject_detail;
alter table suspicious_list    drop column reason;
alter table sweep_organization drop column reason;

comment on column lookup.message is 'Why it ended or waits: a code and its values.';
comment on column lane.message is 'Why it is held.';
comment on column list_snapshot.message is 'Why it could not be read.';
comment on column snapshot.message is 'Why the document could not be verified.';
comment on column batch.message is 'Why the file was rejected.';
comment on column batch_row.message is 'Why the row was rejected.';
comment on column suspicious_list.message is 'Why the list was rejected.';
comment on column sweep_organization.message is 'Why its list could not be read or was rejected.';
