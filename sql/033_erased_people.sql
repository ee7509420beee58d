-- What an erasure keeps: a key that finds a purchase again without its document, and how often reports had to be
-- written anew.

alter table purchase add column person_key text;
alter table purchase add column bought_at timestamptz;
comment on column purchase.document is 'Empty once the person was erased; filled again when the same document is asked about inside freshness.';
comment on column purchase.person_key is 'Of an erased person: a keyed hash of the document, until the purchase is no longer fresh.';
comment on column purchase.bought_at is 'Of an erased person: when we bought or adopted it, so that it is taken again instead of bought.';

-- Before a purchase, a lane checks whether it has purchases of erased people at all.
create index purchase_of_erased on purchase (organization_id, kind) where person_key is not null;

alter table batch add column reports_owed integer not null default 0;
comment on column batch.reports_owed is 'Grows whenever an erasure makes its reports owed anew: one that began before is refused.';
