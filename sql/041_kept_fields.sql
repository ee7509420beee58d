-- What the registry sends with an answer beyond its figures: named columns where we name it, and the rest as JSON.

-- Known when the purchase was accepted, before there is an answer.
alter table lookup
  add column registry_name text,
  add column estimated     integer,
  add column previous_id   text;
comment on column lookup.registry_name is 'The registry''s own name for the document.';
comment on column lookup.estimated is 'How many court cases the registry expected when the analysis was bought.';
comment on column lookup.previous_id is 'The organization''s analysis of this document before this one, as the registry names it.';

alter table answer
  add column protest_status  text,
  add column plan            text,
  add column protest_id      text,
  add column bucket          text,
  add column folder          text,
  add column file_name       text,
  add column partial         text,
  add column important_terms text[],
  add column rest            jsonb;
comment on column answer.protest_status is 'Whether protests were searched: DONE, or how far it is. Null: it was not sent, or the answer is older than this column.';
comment on column answer.partial is 'The address of the partial spreadsheet; `12:tail` has its first 12 characters from that of the full one.';
comment on column answer.rest is 'What was sent beyond every named column, bounded; null if nothing was.';

alter table purchase
  add column registry_name text,
  add column debtor_status text,
  add column listed        jsonb;
comment on column purchase.listed is 'The other fields of the list about it, as they were sent.';

alter table radar add column listed jsonb, add column processed_at timestamptz;
comment on column radar.processed_at is 'When the registry itself last looked at the document.';
comment on column radar.listed is 'The other fields of the list about it, as they were sent.';
