import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'

const million = 1_000_000

test.each([
  { made: 'write', how: 'with each text in its cell', read: million + 1 },
  { made: 'share', how: 'with three million shared texts', read: million },
])(
  'a workbook of a million rows $how is made and read in less than 256 MiB',
  async ({ made, read }) => {
    const folder = await mkdtemp(join(tmpdir(), 'vigia-million-'))
    try {
      const path = join(folder, 'million.xlsx')
      expect(await outcome(made, path)).toEqual({ rows: million, mebibytes: expect.toSatisfy(isModest) })
      expect(await outcome('read', path)).toEqual({ rows: read, mebibytes: expect.toSatisfy(isModest) })
    } finally {
      await rm(folder, { recursive: true })
    }
  },
  600_000,
)

const isModest = (mebibytes: number): boolean => mebibytes < 256

const outcome = async (task: string, path: string): Promise<unknown> => {
  const script = join(import.meta.dirname, 'million-process.ts')
  const { stdout } = await promisify(execFile)('node', [script, task, path, `${million}`])
  return JSON.parse(stdout)
}
