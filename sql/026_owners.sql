-- Whether purchases are numbered over all organizations or in each of its own is not shown. Two look-ups of an organization
-- can never claim the same purchase; nor may one claim, from a list that shows those of others, what theirs has of the
-- same document.

drop index lookup_remote;
create unique index lookup_remote on lookup (kind, remote_id, organization_id) where remote_id is not null and current;

-- A current look-up names its purchase itself; one that is no longer current has it in the books.
create function owns(o lookup, p purchase) returns boolean
  language sql immutable parallel safe
return o.current and o.kind = p.kind and o.remote_id = p.remote_id
   and (o.organization_id = p.organization_id or o.question = p.document);
