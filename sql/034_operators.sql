-- Operators may be limited to some organizations, and their tokens may expire.

alter table operator add column organizations bigint[];
alter table operator add column expires_at timestamptz;
alter table operator add constraint operator_bound_to_some check (cardinality(organizations) > 0);
comment on column operator.organizations is 'Null: every organization. Else the page and the API show and change nothing of any other.';
comment on column operator.expires_at is 'From then on neither the token nor a session that was opened with it is accepted; null: never.';
