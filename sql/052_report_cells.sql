-- Reports write their cells themselves, from values: how a text becomes a cell is no longer known to the database.

drop function csv_text(text);
drop function sheet_text(text);
