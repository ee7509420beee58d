-- A paid call that was refused may still have been charged: its outcome is unknown until the purchase list was read.

alter table lookup add column refused_as text;
comment on column lookup.refused_as is 'While the outcome of a refused call is unknown: the state that it takes once the purchase list shows no purchase. Null where no answer came.';
alter table lookup add constraint lookup_refused_only_while_sending check (refused_as is null or state = 'sending');
