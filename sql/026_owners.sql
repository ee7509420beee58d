-- Whether purchases are numbered over all organizations or in each of its own is not shown. Two look-ups of an organization
-- can never claim the same purchase; those of two may bear the same number.

-- Purchases have theirs in "C": an index in another order would serve no comparison with them.
drop index lookup_remote;
create unique index lookup_remote on lookup (kind, remote_id collate "C", organization_id) where remote_id is not null and current;

-- A current look-up names its purchase itself; one that is no longer current has it in the books.
create function owns(o lookup, p purchase) returns boolean
  language sql immutable parallel safe
return o.current and o.kind = p.kind and o.remote_id = p.remote_id and o.organization_id = p.organization_id;

-- The number and the document are those of another organization's look-up: the purchase is theirs, in a list that shows
-- those of others, or ours, where each numbers its own. Nobody can tell.
create function may_own(o lookup, p purchase) returns boolean
  language sql immutable parallel safe
return o.current and o.kind = p.kind and o.remote_id = p.remote_id and o.organization_id <> p.organization_id
   and o.question = p.document;
