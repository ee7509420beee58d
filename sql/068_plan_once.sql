-- PostgreSQL plans the statements of an SQL function anew in each call, unless it can inline them. That took longer than
-- the statement itself, for every group of outcomes. A function in PL/pgSQL keeps its plan.
create or replace function end_intents(lookups bigint[], sent timestamptz[])
  returns table (lookup_id bigint, sent_at timestamptz, list_snapshot_id bigint)
  language plpgsql
as $$
#variable_conflict use_column
begin
  return query
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
   where u.id = any(locked.ended);
end $$;
