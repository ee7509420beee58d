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
  operator    text not null,
  role        text not null,
  csrf        text not null,
  expires_at  timestamptz not null
);

create table audit (
  id       bigint generated always as identity primary key,
  at       timestamptz not null default now(),
  who      text not null,
  what     text not null,
  subject  text not null,
  detail   jsonb not null default '{}'
);
create index audit_recent on audit (at desc);
