-- A file that waits for its columns keeps what was asked for with it.

alter table upload add column format text;
alter table upload add column language text;
comment on column upload.format is 'What the report is to be, csv or xlsx; null: what the file was.';
comment on column upload.language is 'In whose words the report is; null: as the settings say.';
