-- Files of the inbox that could not be read: the page lists them, and a person may choose their columns.
alter table upload alter column file_id drop not null;
alter table upload add column problem jsonb;
comment on column upload.problem is 'Why a file of the inbox was rejected, as a message. Null: a person sent the file to the page.';
comment on column upload.file_id is 'Null: choosing columns would not help, so the file was not kept.';
