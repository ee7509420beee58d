-- The people who operate Vigia, their sessions on the page, and the audit log.

create table operator (
  name        text primary key,
  role        text not null,
  token_hash  text not null unique,
  created_at  timestamptz not null default now(),
  constraint operator_role_known check (role in ('analyst', 'ops', 'admin'))
);

create table session (
  id_hash     text primary key,
  operator    text references operator on delete cascade,
  csrf        text not null,
  expires_at  timestamptz not null
);
comment on column session.operator is 'Null: opened by the sign-in link that a worker on this machine printed; it may do everything, on loopback only.';

create table page_secret (
  one     boolean primary key default true,
  secret  bytea not null default uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid()),
  constraint page_secret_is_one check (one)
);
insert into page_secret default values;
comment on table page_secret is 'Seals documents in the addresses of the page, so that no history or log of a browser holds one.';

create table audit (
  id       bigint generated always as identity primary key,
  at       timestamptz not null default now(),
  who      text not null,
  what     text not null,
  subject  text not null,
  detail   jsonb not null default '{}'
);
create index audit_recent on audit (at desc);
