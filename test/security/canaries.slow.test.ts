import { join } from 'node:path'
import { expect, test } from 'vitest'
import { leakedBy } from './canaries.ts'
import { travel } from './journey.ts'
import { columnsThatLeak, filesThatLeak } from './shown-places.ts'

/** Where documents may be stored: what was asked, what came back about it, and what is monitored. */
const homesOfDocuments = [
  'vigia.lookup.question',
  'vigia.answer.data',
  'vigia.file_part.bytes',
  'vigia.purchase.document',
  'vigia.radar.document',
  'vigia.radar.name',
  'vigia.snapshot.document',
  'vigia.change.document',
  'vigia.portfolio_document.document',
  'vigia.portfolio_document.name',
  'vigia.portfolio_document.ref',
  'vigia.suspicious_list.radars',
  'vigia.usage_day.differing',
]

test('no document and no secret leaks, whatever goes wrong and whoever repeats it', async () => {
  await using journey = await travel()
  const { documents, secrets } = journey.canaries

  expect(journey.echoed, 'answers that repeated a document and a token').toBeGreaterThan(150)
  const lines = journey.shownTexts.flatMap(({ where, text }) => text.split('\n').map((line) => `${where}: ${line}`))
  expect(lines.filter((line) => leakedBy(line, journey.canaries).length > 0)).toEqual([])

  const columns = await columnsThatLeak(journey.sql, { documents, secrets: [] })
  expect(columns).toEqual(
    expect.arrayContaining(['vigia.lookup.question', 'vigia.change.document', 'vigia.portfolio_document.document']),
  )
  expect(columns.filter((column) => !homesOfDocuments.includes(column))).toEqual([])
  expect(await columnsThatLeak(journey.sql, { documents: [], secrets })).toEqual([])
  const settings = join(journey.home, 'settings.json')
  expect(await filesThatLeak(journey.home, { documents: [], secrets })).toEqual([settings])
})
