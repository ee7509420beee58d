-- Names that say what they hold.
alter table lookup rename column suspicion to worker_deaths;
alter table lookup rename column absent_at to unlisted_at;
alter table batch_row rename column first to pays;
alter table lane rename column probe_at to trial_at;
alter table lane rename column probes to trials;
comment on column lookup.worker_deaths is 'How many workers died with it in hand since it last took a step.';
comment on column lookup.unlisted_at is 'When a complete list first lacked the purchase of a call in doubt.';
comment on column lane.trial_at is 'From when on one call may try whether the lane is free again.';
