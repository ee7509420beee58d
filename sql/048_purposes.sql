-- Why people are looked up: the purpose of a batch or portfolio, and the legal basis of the LGPD.

alter table batch add column purpose text;
comment on column batch.purpose is 'A legal basis (LGPD, art. 7), a text, or both as "basis: text"; null: none was given.';
alter table portfolio add column purpose text;
comment on column portfolio.purpose is 'Of the batches of its runs, as in batch.';
alter table upload add column purpose text;
comment on column upload.purpose is 'Of the batch that it becomes.';
