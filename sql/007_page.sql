-- What the page shows of a million rows at once: those in doubt, and what all the answers add up to.

-- Rows in doubt are few among millions: the page of them reads these and nothing else.
create index lookup_parked on lookup (id) where state = 'unknown_outcome';

create table risk_total (
  batch_id   bigint primary key references batch on delete cascade,
  answered   integer not null,
  documents  integer not null,
  counts     bigint[] not null,
  cents      bigint[] not null,
  holders    integer[] not null
);
comment on table risk_total is 'What the answers of an analysis batch add up to, kept when its report is written, because a million take seconds to add up.';
comment on column risk_total.answered is 'The answered rows of the batch at that time; with another number of them the sums are out of date.';
