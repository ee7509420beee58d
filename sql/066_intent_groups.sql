-- The calls of a group are sent together, so their intents are one row. Each was written and deleted by itself before, which
-- was a tenth of what an analysis wrote.

-- No intent may be recorded between the copy and the drop.
lock table intent in access exclusive mode;

create table intent_group (
  id                bigint generated always as identity primary key,
  sent_at           timestamptz not null,
  judged_at         timestamptz not null,
  list_snapshot_id  bigint,
  lookup_ids        bigint[] not null,
  constraint intent_group_is_never_empty check (cardinality(lookup_ids) > 0)
) with (fillfactor = 50, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 500);
comment on table intent_group is 'Calls under way for queued look-ups, written before they leave. An intent ends when the outcome of its call is recorded by the job that sent it, or, once it is overdue, as unknown.';
comment on column intent_group.judged_at is 'When no call of the group can be under way any more: their outcome is then unknown, which is the state sending.';
comment on column intent_group.list_snapshot_id is 'The newest list snapshot when the intents were recorded: what it shows cannot come from these calls.';

insert into intent_group (sent_at, judged_at, list_snapshot_id, lookup_ids)
select sent_at, judged_at, list_snapshot_id, array_agg(lookup_id order by lookup_id)
  from intent
 group by sent_at, judged_at, list_snapshot_id;

drop function row_charge(batch_row, lookup, intent);
drop table intent;

create view intent as
select unnest(lookup_ids) as lookup_id, sent_at, judged_at, list_snapshot_id
  from intent_group;
comment on view intent is 'One row for each look-up whose call is under way.';

create function row_charge(r batch_row, l lookup, i intent) returns text
  language sql immutable parallel safe
return case when row_pays(r, l) then charge_of(l.charged, i.sent_at) else 'no' end;

-- Ends the intents of these look-ups that were recorded at these times, and returns them. Groups are locked in their order.
create function end_intents(lookups bigint[], sent timestamptz[])
  returns table (lookup_id bigint, sent_at timestamptz, list_snapshot_id bigint)
  language sql
as $$
  with locked as materialized (
    select g.id, g.sent_at, g.list_snapshot_id, g.lookup_ids,
           array(select c.id from unnest(lookups, sent) as c (id, at) where c.at = g.sent_at) as ended
      from vigia.intent_group g
     where g.sent_at = any(sent) and g.lookup_ids && lookups
     order by g.id
       for update),
  finished as (
    delete from vigia.intent_group g using locked
     where g.id = locked.id and locked.lookup_ids <@ locked.ended),
  others as (
    update vigia.intent_group g
       set lookup_ids = array(select u.id from unnest(locked.lookup_ids) as u (id) where u.id <> all(locked.ended))
      from locked
     where g.id = locked.id and locked.lookup_ids && locked.ended and not locked.lookup_ids <@ locked.ended)
  select u.id, locked.sent_at, locked.list_snapshot_id
    from locked
   cross join unnest(locked.lookup_ids) as u (id)
   where u.id = any(locked.ended)
$$;
