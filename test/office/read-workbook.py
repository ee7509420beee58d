"""Prints what openpyxl finds in a workbook, as JSON: per sheet its name, frozen row, filter, charts, and each cell with its type."""
import json
import sys
import openpyxl

book = openpyxl.load_workbook(sys.argv[1])
print(json.dumps([
    {
        "name": sheet.title,
        "frozen": sheet.freeze_panes,
        "filter": sheet.auto_filter.ref,
        "charts": len(sheet._charts),
        "rows": [[[cell.data_type, None if cell.value is None else str(cell.value)] for cell in row] for row in sheet.iter_rows()],
    }
    for sheet in book
]))
