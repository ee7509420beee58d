-- A file that waits for its columns keeps what was asked for with it.

alter table upload add column format text;
alter table upload add column language text;
comment on column upload.format is 'What the report is to be, csv or xlsx; null: what the file was.';
comment on column upload.language is 'In whose words the report is; null: as the settings say.';

-- The details of a batch's CSV are in the language of its report. Those from before were written in English, and stay so.
update batch set language = 'en' where language is null;
comment on column batch.language is 'The language that the words of its reports were asked for in; null: that of the settings.';
