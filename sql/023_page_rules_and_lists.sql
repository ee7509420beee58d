-- Since when a document is in a portfolio: whoever asks what is held about them is told that too.

alter table portfolio_document add column added_at timestamptz;
update portfolio_document d
   set added_at = coalesce((select s.started_at from sweep s where s.id = d.first_run), p.added_at)
  from portfolio p
 where p.id = d.portfolio_id;
alter table portfolio_document alter column added_at set not null;
alter table portfolio_document alter column added_at set default now();
