-- What a row says beside its outcome, for reports, lists and stories alike: its detail, and what it was charged.

-- An answer that was bought elsewhere says so. A radar found in the list was bought by nobody.
create function is_bought_elsewhere(l lookup) returns boolean
  language sql immutable parallel safe
return l.adopted_at is not null and l.charged = 'no' and l.kind in ('analysis', 'cnh');

-- Whether its look-up has more to say of a row than how it ended. A row that nobody waits for any more says nothing of it.
create function has_detail(r batch_row, l lookup) returns boolean
  language sql immutable parallel safe
return not r.cancelled and (l.state <> 'ok' or is_bought_elsewhere(l));

-- The detail of a row in English, or in words from outside. The last status is the most that an open one can say.
create function row_detail(r batch_row, l lookup) returns text
  language sql immutable parallel safe
return case when r.reject_reason is not null then r.reject_detail
            when has_detail(r, l) then coalesce(l.detail, l.seen) end;

-- The code and the values of that detail; null where it is words from outside.
create function row_said(r batch_row, l lookup) returns jsonb
  language sql immutable parallel safe
return case when r.reject_reason is not null then r.said
            when has_detail(r, l) then l.said end;

-- While a call is on its way, nobody knows whether it is charged.
create function charge_of(charged text, sent_at timestamptz) returns text
  language sql immutable parallel safe
return case when sent_at is null then charged else 'unknown' end;

-- One row pays, in the batch that asks; those that share its answer do not, nor does one whose look-up was handed over.
create function row_pays(r batch_row, l lookup) returns boolean
  language sql immutable parallel safe
return r.pays and l.batch_id = r.batch_id;

create function row_charge(r batch_row, l lookup, i intent) returns text
  language sql immutable parallel safe
return case when row_pays(r, l) then charge_of(l.charged, i.sent_at) else 'no' end;
