-- A row may ask about several documents, such as those of a company and its partner. Each is a row of batch_row with a part
-- of its own, so every document has one outcome; rows of the file are counted in batch.rows, their documents in batch_count.

alter table batch add column documents_per_row smallint not null default 1
  constraint batch_asks_of_each_row check (documents_per_row > 0);
comment on column batch.documents_per_row is 'How many columns of documents each row is asked about.';

alter table batch_row add column part smallint not null default 0;
comment on column batch_row.part is 'Which document of the row, counted from 0 in the order of the columns.';
alter table batch_row drop constraint batch_row_pkey;
alter table batch_row add constraint batch_row_pkey primary key (batch_id, line, part);
comment on column batch_count.rows is 'Documents of rows: as many as rows where a row has one.';
