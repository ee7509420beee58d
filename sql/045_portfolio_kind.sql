-- A portfolio may be given another kind: its next run is then a baseline again.
alter table portfolio add column kind_since timestamptz;
comment on column portfolio.kind_since is 'When its kind was changed; runs before then are not compared with. Null: never.';
