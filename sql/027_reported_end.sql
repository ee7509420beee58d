-- People are told of each end of a batch once. A report that is written anew, after an erasure or in another format, is no
-- news.
alter table batch add column reported_end timestamptz;
update batch set reported_end = finished_at where exported_at is not null;
