"""Prints what openpyxl finds in some sheets of a workbook, as JSON: cells and how they look, and what stands beside them."""
import json
import sys
import openpyxl

path, names = sys.argv[1], sys.argv[2:]
book = openpyxl.load_workbook(path)
shown = openpyxl.load_workbook(path, data_only=True)


def look(cell):
    return [
        cell.font.name, cell.font.sz, bool(cell.font.b), cell.font.color.rgb if cell.font.color else None,
        cell.fill.fgColor.rgb if cell.fill.fill_type else None, cell.border.left.style if cell.border.left else None,
        cell.number_format,
    ]


print(json.dumps({
    "names": {each.name: each.attr_text for each in book.defined_names.definedName},
    "sheets": {
        name: {
            "cells": {
                cell.coordinate: {
                    "formula": str(cell.value), "value": str(shown[name][cell.coordinate].value), "look": look(cell),
                    "comment": cell.comment.text if cell.comment else None,
                    "link": cell.hyperlink.target if cell.hyperlink else None,
                }
                for row in book[name].iter_rows() for cell in row
                if cell.value is not None or cell.hyperlink
            },
            "state": book[name].sheet_state,
            "frozen": book[name].freeze_panes,
            "widths": {key: round(column.width, 1) for key, column in book[name].column_dimensions.items() if column.customWidth},
            "heights": {key: row.height for key, row in book[name].row_dimensions.items() if row.height},
            "merged": [str(each) for each in book[name].merged_cells.ranges],
            "rules": sum(len(each.rules) for each in book[name].conditional_formatting),
            "choices": [each.formula1 for each in book[name].data_validations.dataValidation],
            "charts": len(book[name]._charts),
            "images": len(book[name]._images),
            "tables": list(book[name].tables.keys()),
            "printed": book[name].print_area,
            "tab": book[name].sheet_properties.tabColor.rgb if book[name].sheet_properties.tabColor else None,
        }
        for name in names
    },
}, default=str))
