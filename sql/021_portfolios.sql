-- Portfolios: named lists of documents that are asked about again and again, and what differs from the time before.

create table portfolio (
  id               bigint generated always as identity primary key,
  organization_id  bigint not null,
  name             text not null,
  kind             text not null,
  every_ms         bigint not null,
  due_at           timestamptz,
  paused_at        timestamptz,
  runs             integer not null default 0,
  added_at         timestamptz not null,
  added_by         text not null,
  constraint portfolio_kind_repeats check (kind in ('analysis', 'cnh', 'scr', 'processes')),
  constraint portfolio_every_some_hours check (every_ms >= 3600000)
);
comment on column portfolio.due_at is 'When the next run begins; null while one is under way. It counts from the end of the last, so that its answers are no longer fresh.';
comment on column portfolio.runs is 'How many have ended. The first is compared with nothing.';

-- People name them on the command line, however they write it.
create unique index portfolio_name on portfolio (lower(name));

create table portfolio_document (
  portfolio_id  bigint not null references portfolio on delete cascade,
  document      text collate "C" not null,
  place         integer not null,
  name          text not null default '',
  ref           text not null default '',
  removed_at    timestamptz,
  first_run     bigint,
  processes     integer,
  counts        integer[],
  cents         bigint[],
  primary key (portfolio_id, document)
);
comment on table portfolio_document is 'A document of a portfolio, with the figures that the last answers told: what a run is compared with.';
comment on column portfolio_document.removed_at is 'It is no longer asked about; it goes when a run has told so.';
comment on column portfolio_document.first_run is 'The run that asked about it first.';

-- Erasing a person, and their page.
create index portfolio_document_person on portfolio_document (document);

-- A run of a portfolio is a sweep: one of each portfolio at a time, and each with the batch that asks.
alter table sweep add column portfolio_id bigint references portfolio on delete set null;
alter table sweep add column batch_id bigint;
alter table sweep drop constraint sweep_name_known;
alter table sweep add constraint sweep_name_known check (name in ('radars', 'unfinished', 'usage', 'purge', 'portfolio'));
drop index sweep_alone;
create unique index sweep_alone on sweep (name, coalesce(portfolio_id, 0)) where state = 'running';

-- A batch that ends wakes its run, and a portfolio shows its last ones.
create index sweep_batch on sweep (batch_id) where batch_id is not null;
create index sweep_portfolio on sweep (portfolio_id, id desc) where portfolio_id is not null;

alter table batch drop constraint batch_source_known;
alter table batch add constraint batch_source_known check (source in ('cli', 'inbox', 'page', 'sweep', 'portfolio'));

alter table change drop constraint change_verdict_known;
alter table change add constraint change_verdict_known check
  (verdict in ('new', 'worse', 'better', 'cleared', 'added', 'removed', 'renamed', 'deactivated', 'reactivated', 'unchecked'));
