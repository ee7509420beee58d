-- A batch names the radar sweep whose documents it asks about: at most one of each kind for each organization. A batch that
-- settles a purchase of a sweep names none.
alter table batch add column sweep_id bigint;

update batch b
   set sweep_id = o.sweep_id
  from sweep_organization o
 where b.id in (o.processes_batch_id, o.analysis_batch_id);

create unique index batch_of_sweep on batch (sweep_id, organization_id, kind) where sweep_id is not null;

create or replace view sweep_wish as
select b.id as batch_id, s.processes_lookup_id as lookup_id
  from sweep w
  join batch b on b.sweep_id = w.id and b.kind = 'processes'
  join snapshot s on s.sweep_id = w.id and s.organization_id = b.organization_id
 where w.state = 'running' and s.processes_lookup_id is not null
 union all
select b.id, s.analysis_lookup_id
  from sweep w
  join batch b on b.sweep_id = w.id and b.kind = 'analysis'
  join snapshot s on s.sweep_id = w.id and s.organization_id = b.organization_id
 where w.state = 'running' and s.analysis_lookup_id is not null;

alter table sweep_organization drop column processes_batch_id, drop column analysis_batch_id;
comment on table sweep_organization is 'How far a radar sweep came with one organization: what its list was worth.';
