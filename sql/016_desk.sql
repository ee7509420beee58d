-- The analyst's desk: what a file says about one row of a million is read where it stands.

alter table file_part add column text_at bigint;
comment on column file_part.text_at is 'Where the part begins in the decoded text of the file, in UTF-8 bytes; null until somebody looks at a row of it.';
