-- How a text from the registry becomes a cell of a report: inert in a spreadsheet, and unable to break its row.

create function csv_text(value text) returns text
  language sql immutable parallel safe
return (
  select case when inert ~ '[";,|\t\r\n]' then '"' || replace(inert, '"', '""') || '"' else inert end
    from (select case when value ~ '^[[:space:][:cntrl:]]*[-=+@＝＋－＠]' and value !~ '^-?[0-9]+([.,][0-9]+)?$'
                      then '''' || value else value end) as neutral (inert)
);
