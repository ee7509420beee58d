-- What a list proves about a call, by the purchases of ours that we know of: younger ones vouch that it is not late, and
-- one on either side that it is no page which ends before the call.

alter table reading add column known_at timestamptz;
alter table reading add column oldest_at timestamptz;
alter table reading add column page_sized boolean not null default false;
comment on column reading.known_at is 'When the youngest purchase was intended that we knew of by then, whether the list shows it or not.';
comment on column reading.oldest_at is 'When the oldest purchase of ours in it was intended.';
comment on column reading.page_sized is 'It names no limit and is as long as pages are made: its total may count the page.';
