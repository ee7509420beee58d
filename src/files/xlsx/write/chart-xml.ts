import { columnName } from '../cell-type.ts'
import { escapeText } from './escape-text.ts'
import { contentTypes, relationshipsXml, sheetRange } from './package-xml.ts'

/**
 * Bars for figures in the sheet itself, one below the other from row `firstRow` on. The values are given here too, so
 * that a program that does not calculate can show them. The chart covers the cells from `at` to `to`.
 */
export type BarChart = {
  title: string
  labels: { column: number; values: readonly string[] }
  figures: { column: number; values: readonly (number | null)[]; name: string }
  firstRow: number
  at: { column: number; row: number }
  to: { column: number; row: number }
}

/** A chart and the name of the sheet it stands in. */
export type ChartPlace = { chart: BarChart; sheet: string }

const charts = 'http://schemas.openxmlformats.org/drawingml/2006/chart'
const shapes = 'http://schemas.openxmlformats.org/drawingml/2006/main'
const relations = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const places = 'http://schemas.openxmlformats.org/drawingml/2006/spreadsheetDrawing'

/** The parts of a chart by their names; its sheet points to the drawing. */
export const chartParts = (place: ChartPlace, number: number): { name: string; type: string | null; xml: string }[] => [
  { name: `xl/drawings/drawing${number}.xml`, type: contentTypes.drawing, xml: drawingXml(place.chart) },
  {
    name: `xl/drawings/_rels/drawing${number}.xml.rels`,
    type: null,
    xml: relationshipsXml([{ type: 'chart', target: `../charts/chart${number}.xml` }]),
  },
  { name: `xl/charts/chart${number}.xml`, type: contentTypes.chart, xml: chartXml(place) },
]

export const sheetDrawingXml = (number: number): string =>
  relationshipsXml([{ type: 'drawing', target: `../drawings/drawing${number}.xml` }])

const drawingXml = ({ at, to, title }: BarChart): string =>
  `<xdr:wsDr xmlns:xdr="${places}" xmlns:a="${shapes}"><xdr:twoCellAnchor>` +
  `<xdr:from>${corner(at)}</xdr:from><xdr:to>${corner(to)}</xdr:to><xdr:graphicFrame macro=""><xdr:nvGraphicFramePr>` +
  `<xdr:cNvPr id="2" name="${escapeText(title)}" descr="${escapeText(title)}"/><xdr:cNvGraphicFramePr/></xdr:nvGraphicFramePr>` +
  '<xdr:xfrm><a:off x="0" y="0"/><a:ext cx="0" cy="0"/></xdr:xfrm><a:graphic>' +
  `<a:graphicData uri="${charts}"><c:chart xmlns:c="${charts}" xmlns:r="${relations}" r:id="rId1"/></a:graphicData>` +
  '</a:graphic></xdr:graphicFrame><xdr:clientData/></xdr:twoCellAnchor></xdr:wsDr>'

const corner = ({ column, row }: { column: number; row: number }): string =>
  `<xdr:col>${column - 1}</xdr:col><xdr:colOff>0</xdr:colOff><xdr:row>${row - 1}</xdr:row><xdr:rowOff>0</xdr:rowOff>`

/** Horizontal bars, the first on top, so that long labels fit and none is left out. */
const chartXml = ({ chart, sheet }: ChartPlace): string =>
  `<c:chartSpace xmlns:c="${charts}" xmlns:a="${shapes}"><c:chart><c:title><c:tx><c:rich><a:bodyPr/><a:p><a:r>` +
  `<a:rPr lang="pt-BR" sz="1200" b="1"/><a:t>${escapeText(chart.title)}</a:t></a:r></a:p></c:rich></c:tx>` +
  '<c:overlay val="0"/></c:title><c:autoTitleDeleted val="0"/><c:plotArea><c:layout/>' +
  '<c:barChart><c:barDir val="bar"/><c:grouping val="clustered"/><c:varyColors val="0"/>' +
  `${seriesXml(chart, sheet)}<c:gapWidth val="60"/><c:axId val="1"/><c:axId val="2"/></c:barChart>${axesXml}</c:plotArea>` +
  '<c:plotVisOnly val="1"/><c:dispBlanksAs val="gap"/></c:chart>' +
  '<c:txPr><a:bodyPr/><a:p><a:pPr><a:defRPr sz="900"/></a:pPr><a:endParaRPr lang="pt-BR"/></a:p></c:txPr></c:chartSpace>'

const seriesXml = ({ labels, figures, firstRow }: BarChart, sheet: string): string => {
  const range = (column: number) => {
    const letter = columnName(column)
    return sheetRange(sheet, `$${letter}$${firstRow}:$${letter}$${firstRow + labels.values.length - 1}`)
  }
  return (
    `<c:ser><c:idx val="0"/><c:order val="0"/><c:tx><c:v>${escapeText(figures.name)}</c:v></c:tx>` +
    '<c:spPr><a:solidFill><a:srgbClr val="2F5597"/></a:solidFill></c:spPr><c:invertIfNegative val="0"/>' +
    `<c:cat><c:strRef><c:f>${range(labels.column)}</c:f><c:strCache>${points(labels.values)}</c:strCache></c:strRef></c:cat>` +
    `<c:val><c:numRef><c:f>${range(figures.column)}</c:f><c:numCache><c:formatCode>General</c:formatCode>` +
    `${points(figures.values)}</c:numCache></c:numRef></c:val></c:ser>`
  )
}

/** A missing figure has no point, and so no bar. */
const points = (values: readonly (string | number | null)[]): string =>
  `<c:ptCount val="${values.length}"/>${values.map((value, i) => (value === null ? '' : `<c:pt idx="${i}"><c:v>${escapeText(`${value}`)}</c:v></c:pt>`)).join('')}`

const axesXml =
  '<c:catAx><c:axId val="1"/><c:scaling><c:orientation val="maxMin"/></c:scaling><c:delete val="0"/>' +
  '<c:axPos val="l"/><c:numFmt formatCode="General" sourceLinked="0"/><c:majorTickMark val="none"/><c:minorTickMark val="none"/>' +
  '<c:tickLblPos val="low"/><c:crossAx val="2"/><c:crosses val="autoZero"/><c:tickLblSkip val="1"/></c:catAx>' +
  '<c:valAx><c:axId val="2"/><c:scaling><c:orientation val="minMax"/></c:scaling><c:delete val="0"/>' +
  '<c:axPos val="t"/><c:majorGridlines/><c:numFmt formatCode="#,##0" sourceLinked="0"/><c:majorTickMark val="none"/>' +
  '<c:minorTickMark val="none"/><c:tickLblPos val="nextTo"/><c:crossAx val="1"/><c:crosses val="autoZero"/></c:valAx>'
