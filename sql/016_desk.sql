-- The analyst's desk: what a file says about one row of a million is read where it stands.

alter table file_part add column text_at bigint;
comment on column file_part.text_at is 'Where the part begins in the decoded text of the file, in UTF-8 bytes; null until somebody looks at a row of it.';

-- A person's page: look-ups that were superseded, changes, and who looked, each found by the person.
create index lookup_superseded on lookup (question) where not current;
create index change_of_document on change (document);
create index audit_of_person on audit ((detail ->> 'person')) where detail ? 'person';
create index audit_of_subject on audit (subject);
