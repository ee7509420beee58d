import { expect, test } from 'vitest'
import { kinds } from '../../src/domain/kind.ts'
import { cpf } from '../support/documents.ts'
import { statesOf } from '../support/purchase-ledger.ts'
import { type Setup, setup } from '../support/setup.ts'

/** What COPY reads as the end of a cell, of a row or of the data, as no value, or not at all. */
const hostile = ['\t', '\n', '\r\n', '\\', '\\.', '\n\\.\n', '\\N', '\\t', '\u2028', '\u00a0']

const quoted = (cell: string): string => `"${cell.replaceAll('"', '""')}"`

/** A file in which every cell of every column that Vigia reads holds one of them. */
const hostileFile = (): string => {
  const rows = hostile.flatMap((text, i) => [
    [cpf(i * 3), `A${text}B`, `583.00.2009${text}123456`, `r${text}f`],
    [`${cpf(i * 3 + 1)}${text}`, text, `0058967-77.2016.8.19.0000${text}`, text],
    [`x${text}y`, 'name', `${text}`, 'ref'],
  ])
  return ['documento;nome;numero_processo;ref', ...rows.map((row) => row.map(quoted).join(';'))].join('\n')
}

const lookupsOf = async ({ sql }: Setup): Promise<{ organization: string; batch: string }[]> =>
  sql`select distinct organization_id::text as organization, batch_id::text as batch from vigia.lookup`

test.each(kinds)(
  'every hostile cell of a file of kind %s comes back, and writes no look-up but its own',
  async (kind) => {
    await using t = await setup({ config: { polling: { first: '20ms', max: '200ms', deadline: '5s' } } })
    const id = await t.submit(hostileFile(), { kind })
    const batch = await t.finished(id)

    expect(batch.rows).toBe(hostile.length * 3)
    const states = await statesOf(t.sql, id)
    expect(Object.values(states).reduce((sum, rows) => sum + rows, 0)).toBe(batch.rows)
    expect(await lookupsOf(t)).toEqual([{ organization: String(t.sandbox.account.organizationId), batch: String(id) }])
  },
)

test('a cell that is written as a row of look-ups is refused as a process number', async () => {
  await using t = await setup()
  const now = new Date().toISOString()
  const crafted = `58300\n${t.sandbox.account.organizationId}\tanalysis\t1\t${now}\t${now}\t${now}\t999999\t${cpf(7)}\t\\N\t\\N`
  const id = await t.submit(`processo\n${quoted(crafted)}\n`, { kind: 'inactivation' })
  await t.finished(id)

  expect(await statesOf(t.sql, id)).toEqual({ rejected: 1 })
  expect(t.sandbox.charges()).toBe(0)
})
