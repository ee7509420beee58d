-- What every look-up passes, inside of the statement that takes it there: rows that all workers share are then locked for as
-- long as the server itself needs, and not while a worker and the network have their turn. Each of these is called by a
-- statement that has locked the look-ups: they come first, then batches in their order, then the day, here as everywhere.

-- Reserves up to so many units of a batch before they are sent, and says how many fit under its limit. What turns out not
-- to be spent is given back.
create function reserve_for_batch(batch_id bigint, wanted int) returns int
  language plpgsql
as $$
declare
  granted int;
begin
  select greatest(least(wanted, b.max_spend - b.spent), 0) into granted
    from vigia.batch b where b.id = batch_id for no key update;
  if granted > 0 then update vigia.batch b set spent = b.spent + granted where b.id = batch_id; end if;
  return coalesce(granted, 0);
end $$;

-- The same for the budget of a day, over all batches and workers; without a budget everything fits.
create function reserve_for_day(on_day date, wanted int, per_day int) returns int
  language plpgsql
as $$
declare
  granted int := wanted;
begin
  insert into vigia.spending_day as d (day, units) values (on_day, case when per_day is null then wanted else 0 end)
      on conflict (day) do update set units = d.units + excluded.units
  returning case when per_day is null then wanted else greatest(least(wanted, per_day - d.units), 0) end into granted;
  if per_day is not null then update vigia.spending_day d set units = d.units + granted where d.day = on_day; end if;
  return granted;
end $$;

-- Reserves a unit for each of these, which name the batch that pays; all of them, or the statement that asked for it fails.
create function reserve_all(paying_batches bigint[], on_day date, per_day int) returns void
  language plpgsql
as $$
declare
  paying record;
  wanted constant int := coalesce(cardinality(paying_batches), 0);
begin
  for paying in select id, count(*)::int as units from unnest(paying_batches) as id group by id order by id loop
    if vigia.reserve_for_batch(paying.id, paying.units) < paying.units then
      raise exception using errcode = 'VG001', message = format('Batch %s may not spend so much.', paying.id);
    end if;
  end loop;
  if wanted > 0 and vigia.reserve_for_day(on_day, wanted, per_day) < wanted then
    raise exception using errcode = 'VG001', message = format('The budget of %s does not reach so far.', on_day);
  end if;
end $$;

-- Adds look-ups that just ended to the counts of every batch that has rows of them, and says which batches that touched.
--
-- The batches are locked first, in a way that lets others count and spend at the same time, and only then asked whether
-- they are counted: one that is just being imported or recounted counts everything itself, so that no row is counted
-- twice or missed. Each statement sees what was committed before it: by then nobody changes these look-ups any more.
create function count_ended(lookup_ids bigint[]) returns bigint[]
  language plpgsql
as $$
declare
  touched bigint[];
begin
  select array_agg(id) filter (where counted) into touched
    from (select id, counted
            from vigia.batch
           where id in (select batch_id from vigia.batch_row where lookup_id = any(lookup_ids))
           order by id
             for key share) as locked;
  insert into vigia.batch_count as c (batch_id, state, rows)
  select r.batch_id, l.state, count(*)
    from vigia.batch_row r
    join vigia.lookup l on l.id = r.lookup_id
   where r.lookup_id = any(lookup_ids) and l.id = any(lookup_ids)
     and r.batch_id = any(touched) and not r.cancelled
   group by r.batch_id, l.state
   order by r.batch_id, l.state
      on conflict (batch_id, state) do update set rows = c.rows + excluded.rows;
  return coalesce(touched, '{}');
end $$;
