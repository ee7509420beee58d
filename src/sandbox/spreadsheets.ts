import type { ServerResponse } from 'node:http'
import type { FrontDesk } from './front-desk.ts'

export const filesPath = '/sandbox/files'

/** The spreadsheet behind a temporary address; an address lives for a quarter of an hour. */
export function sendSpreadsheet(desk: FrontDesk, res: ServerResponse, query: string): void {
  const signed = Number(new URLSearchParams(query).get('signed'))
  const alive = signed <= desk.now() && desk.now() - signed < lifeMs
  res.writeHead(alive ? 200 : 403, {
    'content-type': 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  })
  res.end(alive ? emptyWorkbook : undefined)
}

const lifeMs = 15 * 60_000

/** An archive with nothing in it, which is what a workbook is on the outside. */
const emptyWorkbook = Buffer.concat([Buffer.from('PK\u0005\u0006'), Buffer.alloc(18)])
