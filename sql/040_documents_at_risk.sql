-- The page of a finished batch opens with how many of its documents are at risk. Older workers leave these empty; the
-- totals are then computed on request.
alter table risk_total add column at_risk integer, add column unclear integer, add column at_risk_cents bigint;
comment on column risk_total.at_risk is 'Documents with a lawsuit or a protest in a risk class.';
comment on column risk_total.unclear is 'Documents that are not known to be at risk, because figures of risk classes are missing.';
comment on column risk_total.at_risk_cents is 'The largest amount of a risk class of each such document, added up: classes overlap.';
