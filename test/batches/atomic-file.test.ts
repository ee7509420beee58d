import { mkdir, mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { writeAtomically } from '../../src/batches/atomic-file.ts'

const setup = async () => {
  const folder = await mkdtemp(join(tmpdir(), 'vigia-atomic-'))
  return { folder, [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true }) }
}

const pieces = async function* (fails: boolean) {
  yield Buffer.from('one ')
  if (fails) throw new Error('the source ended early')
  yield Buffer.from('two')
}

test('a file is written completely, from pieces that arrive or that exist already', async () => {
  await using t = await setup()
  await writeAtomically(join(t.folder, 'come.txt'), pieces(false))
  await writeAtomically(join(t.folder, 'there.txt'), [Buffer.from('one '), Buffer.from('two')])

  expect(await readdir(t.folder)).toEqual(['come.txt', 'there.txt'])
  expect(await readFile(join(t.folder, 'come.txt'), 'utf8')).toBe('one two')
  expect(await readFile(join(t.folder, 'there.txt'), 'utf8')).toBe('one two')
})

test('nothing is left of a file whose source fails, or whose place is taken by a folder', async () => {
  await using t = await setup()
  await mkdir(join(t.folder, 'taken'))

  await expect(writeAtomically(join(t.folder, 'cut.txt'), pieces(true))).rejects.toThrow('the source ended early')
  await expect(writeAtomically(join(t.folder, 'taken'), pieces(false))).rejects.toThrow()
  expect(await readdir(t.folder)).toEqual(['taken'])
})
