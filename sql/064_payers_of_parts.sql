-- Who pays for a look-up that several want: batches with rows, and sweeps, which have none. Nothing else transfers look-ups
-- that nobody has paid for.

-- What a running sweep wants, and the batch that would pay for it.
create view sweep_wish as
select o.processes_batch_id as batch_id, s.processes_lookup_id as lookup_id
  from sweep w
  join sweep_organization o on o.sweep_id = w.id
  join snapshot s on s.sweep_id = o.sweep_id and s.organization_id = o.organization_id
 where w.state = 'running' and s.processes_lookup_id is not null
 union all
select o.analysis_batch_id, s.analysis_lookup_id
  from sweep w
  join sweep_organization o on o.sweep_id = w.id
  join snapshot s on s.sweep_id = o.sweep_id and s.organization_id = o.organization_id
 where w.state = 'running' and s.analysis_lookup_id is not null;

-- Locks the queued look-ups of some batches that another batch or a running sweep wants and may pay for, or wants at all if
-- their batch was cancelled: few, however large the batches are.
create function lock_wanted_elsewhere(of_batches bigint[]) returns bigint[]
  language sql
return array(
  select l.id
    from vigia.lookup l
   where l.state = 'queued'
     and l.id in (
       select w.id
         from vigia.batch s
         join vigia.lookup w on w.batch_id = s.id and w.kind = s.kind and w.state = 'queued' and w.due_at is not null
         join vigia.batch_row r on r.lookup_id = w.id and r.batch_id <> s.id and not r.cancelled
         join vigia.batch b on b.id = r.batch_id and b.finished_at is null and b.state <> 'cancelled'
        where s.id = any(of_batches) and (vigia.may_pay(b) or s.state = 'cancelled')
        union
       select w.id
         from vigia.sweep_wish r
         join vigia.batch b on b.id = r.batch_id and b.finished_at is null and b.state <> 'cancelled'
         join vigia.lookup w on w.id = r.lookup_id and w.batch_id <> b.id and w.state = 'queued' and w.due_at is not null
         join vigia.batch s on s.id = w.batch_id
        where s.id = any(of_batches) and (vigia.may_pay(b) or s.state = 'cancelled'))
   order by l.id
     for no key update);

-- Gives every queued look-up whose batch may not pay for it to the batch that may and wants it, the oldest if there are
-- several. If none may, it stays; but a batch that has ended or was cancelled leaves it to any that wants it. Returns how
-- many transfers it made: running it again makes none.
--
-- Looks at the look-ups that one batch pays for, or wants if it may pay; at some look-ups; or at all. A look-up that is
-- transferred has time until new_deadline at least.
--
-- A batch that would come to cost more than it may without approval needs approval from then on, so it may no longer pay,
-- and what it has goes to the others in the next round. Every round but the last takes a batch out of those that may pay,
-- so there is an end.
--
-- Look-ups are locked first, by a statement of its own: the intent of a call ends before and is seen, and its look-up stays.
-- A cancelled batch locks all of its look-ups, because it cancels what stays: an import or a retry that is just sharing one
-- ends before and is seen. Another batch locks what is wanted elsewhere: who is just sharing one calls this itself. Batches
-- are locked after them, in their order, as everywhere.
create function assign_payers(of_batch bigint, of_lookups bigint[], new_deadline timestamptz) returns integer
  language plpgsql
  set plan_cache_mode = force_custom_plan
as $$
declare
  locked bigint[];
  -- Of each transfer.
  losing bigint[];
  gaining bigint[];
  unapproved bigint[] := '{}';
  newly_unapproved bigint[];
  -- Batches that may pay; look-ups of all others may be transferred.
  paying bigint[];
begin
  if of_lookups is not null then
    locked := array(
      select l.id
        from unnest(of_lookups) as named (id)
        join vigia.lookup l on l.id = named.id and l.state = 'queued'
       order by l.id
         for no key update of l);
  elsif of_batch is null then
    locked := vigia.lock_wanted_elsewhere(
      array(select s.id from vigia.batch s where s.finished_at is null and not vigia.may_pay(s)));
  elsif (select vigia.may_pay(b) from vigia.batch b where b.id = of_batch) then
    locked := array(
      select l.id
        from vigia.lookup l
       where l.state = 'queued'
         and l.id in (
           select w.id
             from (select lookup_id from vigia.batch_row where batch_id = of_batch and not cancelled
                    union all
                   select lookup_id from vigia.sweep_wish where batch_id = of_batch) as r
             join vigia.lookup w on w.id = r.lookup_id and w.batch_id <> of_batch and w.state = 'queued'
             left join vigia.batch s on s.id = w.batch_id
            where vigia.may_pay(s) is not true)
       order by l.id
         for no key update);
  elsif (select b.finished_at is null and b.state <> 'cancelled' from vigia.batch b where b.id = of_batch) then
    locked := vigia.lock_wanted_elsewhere(array[of_batch]);
  else
    locked := array(
      select l.id
        from vigia.lookup l
       where l.kind = (select kind from vigia.batch where id = of_batch)
         and l.state = 'queued' and l.batch_id = of_batch and l.due_at is not null
       order by l.id
         for no key update);
  end if;

  loop
    -- Apart from the statement that follows, so that it is planned for as many look-ups as there are.
    paying := array(select b.id from vigia.batch b where vigia.may_pay(b) and b.id <> all(unapproved));
    with stopped as materialized (
      select l.id, l.batch_id, coalesce(s.finished_at is not null or s.state = 'cancelled', true) as has_ended
        from unnest(locked) as each (id)
        join vigia.lookup l on l.id = each.id
        left join vigia.batch s on s.id = l.batch_id
       where (l.batch_id <> all(paying) or l.batch_id is null)
         and not exists (select from vigia.intent i where i.lookup_id = l.id)),
    wishes as (
      select stopped.*, r.batch_id as by_batch, r.line, r.part, r.pays
        from stopped
        join vigia.batch_row r on r.lookup_id = stopped.id and r.batch_id <> stopped.batch_id and not r.cancelled
       union all
      select stopped.*, r.batch_id, null, null, false
        from stopped
        join vigia.sweep_wish r on r.lookup_id = stopped.id and r.batch_id <> stopped.batch_id),
    wanted as (
      select wishes.*, vigia.may_spend(b) as may_spend,
             vigia.goes_on(b) and b.id <> all(unapproved) as goes_on
        from wishes
        join vigia.batch b on b.id = by_batch and b.finished_at is null and b.state <> 'cancelled'),
    best as (
      select distinct on (id) id, batch_id, by_batch, line, part
        from wanted
       where has_ended or (may_spend and goes_on)
       order by id, may_spend desc, goes_on desc, by_batch, pays desc, line, part),
    paying_rows as (
      update vigia.batch_row r set pays = true
        from best
       where r.batch_id = best.by_batch and r.line = best.line and r.part = best.part and not r.pays),
    transferred as (
      update vigia.lookup l
         set batch_id = best.by_batch, deadline_at = greatest(l.deadline_at, new_deadline)
        from best
       where l.id = best.id
      returning best.batch_id, best.by_batch)
    select losing || array_agg(batch_id), gaining || array_agg(by_batch) into losing, gaining from transferred;

    newly_unapproved := array(
      select b.id
        from vigia.batch b
        join (select id, sum(units)::int as units
                from (select id, 1 as units from unnest(gaining) as id
                       union all
                      select id, -1 from unnest(losing) as id) as each
               group by id) as owed on owed.id = b.id
       where b.state = 'running' and vigia.is_paid(b.kind) and b.id <> all(unapproved) and owed.units > 0
         and vigia.needs_approval(b.to_be_paid + owed.units, b.max_spend, b.confirm_above));
    exit when cardinality(newly_unapproved) = 0;

    unapproved := unapproved || newly_unapproved;
    locked := vigia.lock_wanted_elsewhere(newly_unapproved);
  end loop;

  if gaining is null then return 0; end if;
  with owed as (
    select id, sum(units)::int as units
      from (select id, 1 as units from unnest(gaining) as id
             union all
            select id, -1 from unnest(losing) as id) as each
     group by id),
  in_order as materialized (
    select b.id from vigia.batch b where b.id in (select id from owed) order by b.id for no key update)
  update vigia.batch b
     set to_be_paid = greatest(b.to_be_paid + owed.units, 0),
         state = case when b.state = 'running'
                           and (b.id = any(unapproved)
                                or owed.units > 0
                                   and vigia.needs_approval(b.to_be_paid + owed.units, b.max_spend, b.confirm_above))
                      then 'unconfirmed' else b.state end
    from owed
    join in_order on in_order.id = owed.id
   where b.id = owed.id and vigia.is_paid(b.kind);
  return cardinality(gaining);
end $$;
