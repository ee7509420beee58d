-- What a batch is to be given back as, and how a text from the registry becomes a cell of a workbook.

alter table batch
  add column format    text,
  add column language  text,
  add constraint batch_format_known check (format in ('csv', 'xlsx')),
  add constraint batch_language_known check (language in ('en', 'pt-BR'));
comment on column batch.format is 'What whoever submitted it asked the report to be; null: as the file came in.';
comment on column batch.language is 'The language that the words of its workbook were asked for in; null: that of the settings.';

-- The text of a cell as the writer of workbooks escapes it: markup as entities, a line end by its number because a row is one
-- line, what XML cannot hold as Excel writes it (_x000B_), and no more characters than a cell may have (32,767, of which
-- those beyond the first 65,536 take two).
create function sheet_text(value text) returns text
  language sql immutable parallel safe
return (
  select replace(replace(replace(replace(replace(replace(
           case when marked ~ '[\u0001-\u0008\u000b-\u001f\ufffe\uffff]'
                then (select string_agg(case when c ~ '[\u0001-\u0008\u000b-\u001f\ufffe\uffff]'
                                             then '_x' || lpad(upper(to_hex(ascii(c))), 4, '0') || '_' else c end,
                                        '' order by n)
                        from regexp_split_to_table(marked, '') with ordinality as letter (c, n))
                else marked end,
           '&', '&amp;'), '<', '&lt;'), '>', '&gt;'), '"', '&quot;'), E'\n', '&#10;'), E'\t', '&#9;')
    from (select regexp_replace(
                   case when length(value) <= 16383 then value
                        when length(value) + length(regexp_replace(value, '[^\U00010000-\U0010ffff]', '', 'g')) <= 32767
                        then value
                        when value ~ '[\U00010000-\U0010ffff]' then left(value, 16383) || '…'
                        else left(value, 32766) || '…' end,
                   '_(?=x[0-9A-Fa-f]{4}_)', '_x005F_', 'g')) as fitted (marked)
);
