-- What was said, as a code and its values beside the English words: a page puts it into the language of its reader.

alter table lookup    add column said jsonb;
alter table lane      add column said jsonb;
alter table reading   add column said jsonb;
alter table snapshot  add column said jsonb;
alter table batch     add column said jsonb;
alter table batch_row add column said jsonb;
comment on column lookup.said is 'The code and the values of detail; null where detail is words from outside or of an earlier version.';
comment on column lane.said is 'The code and the values of detail.';
comment on column reading.said is 'The code and the values of problem.';
comment on column snapshot.said is 'The code and the values of unverified.';
comment on column batch.said is 'The code and the values of problem.';
comment on column batch_row.said is 'The code and the values of reject_detail.';
comment on column lookup.trace is 'Its story: each line a moment, and what happened as code and values. Lines of an earlier version are English words.';

-- The code of a line of a story; null for one of an earlier version.
create function story_code(line text) returns text
  language sql immutable parallel safe
return substring(line from '^\S+ \["(\w+)"');
