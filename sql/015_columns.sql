-- Workbooks beside the text that is read from them, what people chose for which headers, and files that wait for such a choice.

alter table batch add column workbook_id bigint references file;
comment on column batch.workbook_id is 'The workbook that file_id is the text of; null for a file that came as text, and once a person was erased from it.';

-- Deleting a file asks whether a batch still needs it as its workbook.
create index batch_workbook on batch (workbook_id) where workbook_id is not null;

create table column_choice (
  id               bigint generated always as identity primary key,
  organization_id  bigint not null,
  headers          text[] not null,
  header_key       text not null,
  columns          jsonb not null,
  chosen_by        text not null,
  chosen_at        timestamptz not null default now(),
  constraint column_choice_once_per_headers unique (organization_id, header_key)
);
comment on table column_choice is 'What somebody said once about the columns of a file; the next file with the same headers is read alike.';
comment on column column_choice.header_key is 'The headers without case, accents and marks.';
comment on column column_choice.columns is 'Role to header: {"documento": "Doc. Cliente"}.';

create table upload (
  id               bigint generated always as identity primary key,
  file_id          bigint not null references file,
  organization_id  bigint not null,
  kind             text not null,
  file_name        text not null,
  uploaded_by      text not null,
  max_spend        integer,
  encoding         text not null default 'utf8',
  replaces         bigint,
  made_at          timestamptz not null default now()
);
comment on table upload is 'A file that was sent to the page and whose columns nobody has pointed at yet; it is kept for a day.';

comment on column upload.replaces is 'The batch that read the same file otherwise, which ends once this is read.';

-- Deleting a file asks whether an upload still needs it.
create index upload_file on upload (file_id);
