-- A list proves something if it says that it shows everything, or if it shows purchases of ours from before and after a call.
alter table list_snapshot add column oldest_at timestamptz, drop column cut, drop column page_sized;
comment on column list_snapshot.oldest_at is 'When the oldest purchase of ours in it was intended.';
comment on column list_snapshot.complete is
  'It names a limit that it did not reach, or the settings say that it shows everything, and it lacks nothing of ours.';
-- Earlier versions also trusted lists that named no limit.
update list_snapshot set complete = false
 where complete and kind = 'analysis' and items > 0 and (list_limit is null or list_limit <= greatest(items, analyses));
