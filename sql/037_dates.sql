-- The registry's dates prove nothing where they contradict what we know.

alter table reading add column misdated boolean not null default false;
comment on column reading.misdated is 'Most purchases of ours in it are dated more than two days before we made them: its dates prove nothing.';

-- Whether the dates of an organization's purchases prove anything, by the newest list.
create function is_misdated(p purchase) returns boolean
  language sql stable parallel safe
return coalesce((select r.misdated from vigia.reading r
                  where r.organization_id = p.organization_id and r.kind = p.kind and r.complete is not null
                  order by r.id desc
                  limit 1), false);
