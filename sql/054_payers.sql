-- Several batches may want one look-up, and one of them pays for it: which batches may. `assign_payers` (064) decides.

-- A call of this kind spends plan; `spendingKinds` of the code has the same.
create function is_paid(kind text) returns boolean
  language sql immutable parallel safe
return kind in ('analysis', 'cnh');

-- The limit of the batch is not spent. What costs nothing needs no limit.
create function may_spend(b batch) returns boolean
  language sql immutable parallel safe
return not is_paid(b.kind) or b.max_spend is null or b.spent < b.max_spend;

-- A batch keeps the look-ups it pays for as long as this holds, and then leaves them to another one of which it holds.
create function may_pay(b batch) returns boolean
  language sql immutable parallel safe
return b.finished_at is null and goes_on(b) and may_spend(b);

-- What a batch would cost, up to its limit, is more than it may spend without approval.
create function needs_approval(to_be_paid int, max_spend int, confirm_above int) returns boolean
  language sql immutable parallel safe
return least(to_be_paid, max_spend) > confirm_above;
