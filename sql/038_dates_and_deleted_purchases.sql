-- Dates that contradict what we know prove nothing, and a purchase that was deleted belongs to nobody.

alter table reading add column misdated boolean not null default false;
comment on column reading.misdated is 'Most purchases of ours in it are dated more than two days before we made them: its dates prove nothing.';

-- Whether the dates of an organization's purchases prove anything, by the newest list.
create function is_misdated(p purchase) returns boolean
  language sql stable parallel safe
return coalesce((select r.misdated from vigia.reading r
                  where r.organization_id = p.organization_id and r.kind = p.kind and r.complete is not null
                  order by r.id desc
                  limit 1), false);

-- Bought and never answered: whoever asks again waits for that purchase, unless it was deleted at the registry.
create or replace function is_bought(l lookup, since timestamptz) returns boolean
  language sql stable parallel safe
return l.state not in ('ok', 'not_found', 'invalid_document') and l.remote_id is not null and fresh_from(l) > since
   and not exists (select from vigia.purchase p
                    where p.organization_id = l.organization_id and p.kind = l.kind and p.remote_id = l.remote_id
                      and p.deleted);
