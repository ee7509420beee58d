-- A list that declares that it shows everything proves a lost call absent only once it had to show a purchase of ours that
-- was made after the call: one that hides the newest is known to lack some by then.
alter table list_snapshot add column required_at timestamptz;
comment on column list_snapshot.required_at is 'When the youngest purchase of ours was intended that it had to show, and shows.';
