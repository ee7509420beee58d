-- Rules that an administrator writes on the page, and since when a document is in a portfolio.

create table rule (
  id           bigint generated always as identity primary key,
  name         text not null,
  setting      jsonb not null,
  switched_on  boolean not null default false,
  added_at     timestamptz not null,
  added_by     text not null
);
comment on table rule is 'Rules of the page, beside those of the settings. One that is off is judged by the back-test alone.';

-- What was told is remembered by the name of its rule.
create unique index rule_name on rule (lower(name));

-- Whoever asks what is held about them is told since when, too.
alter table portfolio_document add column added_at timestamptz;
update portfolio_document d
   set added_at = coalesce((select s.started_at from sweep s where s.id = d.first_run), p.added_at)
  from portfolio p
 where p.id = d.portfolio_id;
alter table portfolio_document alter column added_at set not null;
alter table portfolio_document alter column added_at set default now();
