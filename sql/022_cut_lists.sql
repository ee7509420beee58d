-- A list may be cut, or only prove nothing: where it shows purchases and none that we know to be ours. What it shows of a
-- lost call is judged by the first alone.
alter table reading add column cut boolean not null default false;
comment on column reading.cut is 'Its own figures, or a purchase of ours that is missing, say that it does not show everything.';
update reading set cut = not complete where complete is not null;
