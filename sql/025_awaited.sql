-- A list as long as a page waits for any purchase of ours that may still come into it, no longer for the latest alone, and
-- where it ends is no longer guessed from the oldest of ours in it.

alter table reading rename column known_at to awaited_at;
update reading set awaited_at = null where awaited_at <= youngest_at;
alter table reading drop column oldest_at;
alter table reading add column analyses integer;
-- What a page counts is not shown, items or the purchases in them, and nobody knows how many of these there were.
update reading set page_sized = true where kind = 'analysis' and complete;
-- A first list that is as long as its own limit may be cut; a longer one that is, too, shows later that it was not.
alter table reading add column lacks boolean not null default false;
update reading set lacks = cut;
comment on column reading.lacks is 'It surely does not show everything, whatever limit it names.';
comment on column reading.analyses is 'How many purchases its items held, those of others too.';
comment on column reading.awaited_at is 'When the youngest purchase of ours was intended that it does not show, and may not yet.';
comment on column reading.page_sized is 'It names no higher limit than its length, in items or in purchases, and is as long as pages are made: its total may count the page.';
