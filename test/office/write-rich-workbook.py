"""Writes a workbook as people have them: documents on one sheet; formulas, colours, a chart, a picture and notes on others."""
import datetime
import io
import struct
import sys
import zlib
from openpyxl import Workbook
from openpyxl.chart import BarChart, Reference
from openpyxl.comments import Comment
from openpyxl.drawing.image import Image
from openpyxl.formatting.rule import CellIsRule, FormulaRule
from openpyxl.styles import Border, Font, PatternFill, Side
from openpyxl.workbook.defined_name import DefinedName
from openpyxl.worksheet.datavalidation import DataValidation
from openpyxl.worksheet.table import Table


def png():
    chunk = lambda kind, data: struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
    header = struct.pack(">IIBBBBB", 2, 2, 8, 2, 0, 0, 0)
    rows = zlib.compress(b"\0\xff\0\0\0\xff\0" * 2)
    return io.BytesIO(b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", rows) + chunk(b"IEND", b""))


book = Workbook()
base = book.active
base.title = "Base"
base.append(["CPF", "Nome", "Limite"])
base.append([sys.argv[2], "Ana", 1234.5])
base["C2"].number_format = "#,##0.00"
base["C2"].fill = PatternFill("solid", fgColor="FFFF00")
base["B2"].font = Font(name="Arial", italic=True)

notes = book.create_sheet("Notas")
notes.append(["Mês", "Valor", "Dobro"])
for month in range(1, 5):
    notes.append([f"mês {month}", month * 10, f"=B{month + 1}*2"])
notes["A6"] = "Soma"
notes["C6"] = "=SUM(C2:C5)+Taxa"
notes["C7"] = "='Outra folha'!A1+1"
notes["C8"] = "=Base!C2*2"
notes["C9"] = "=Limite*2"
notes["A7"] = datetime.date(2026, 11, 15)
notes["A1"].font = Font(name="Arial", size=14, bold=True, color="FF0000")
notes["B2"].fill = PatternFill("solid", fgColor="00FF00")
notes["B3"].border = Border(left=Side(style="thick", color="0000FF"))
notes["B4"].number_format = '"R$ "#,##0.00'
notes["B5"].comment = Comment("falar com a Ana", "Bia")
notes["B6"].hyperlink = "https://example.com/a?b=1&c=2"
notes["B7"].hyperlink = "file:///etc/passwd"
notes.column_dimensions["A"].width = 33
notes.row_dimensions[1].height = 40
notes.merge_cells("E1:F2")
notes.freeze_panes = "B2"
notes.conditional_formatting.add("B2:B5", CellIsRule(operator="greaterThan", formula=["20"], fill=PatternFill(bgColor="FFC7CE")))
notes.conditional_formatting.add("C2:C5", FormulaRule(formula=["Base!$C$2>1"], font=Font(bold=True)))
choice = DataValidation(type="list", formula1='"sim,não"')
choice.add("D2")
notes.add_data_validation(choice)
chart = BarChart()
chart.title = "Valores"
chart.add_data(Reference(notes, min_col=2, min_row=1, max_row=5), titles_from_data=True)
chart.set_categories(Reference(notes, min_col=1, min_row=2, max_row=5))
notes.add_chart(chart, "H2")
other = BarChart()
other.add_data(Reference(base, min_col=3, min_row=1, max_row=2), titles_from_data=True)
notes.add_chart(other, "H20")
notes.add_image(Image(png()), "H40")

sheet = book.create_sheet("Outra folha")
sheet["A1"] = 5
sheet["A3"] = "Item"
sheet["B3"] = "Preço"
sheet["A4"] = "x"
sheet["B4"] = 3
sheet.add_table(Table(displayName="Precos", ref="A3:B4"))
sheet.sheet_state = "hidden"
sheet.sheet_properties.tabColor = "FF8800"
sheet.print_area = "A1:B4"

book.defined_names.append(DefinedName("Taxa", attr_text="'Outra folha'!$A$1"))
book.defined_names.append(DefinedName("Limite", attr_text="Base!$C$2"))
book.save(sys.argv[1])
