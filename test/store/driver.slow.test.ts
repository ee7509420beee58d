import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { pathToFileURL } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { driverPatches, patchDriver, patchSource } from '../../src/store/driver.ts'

const published = join(import.meta.dirname, '../../node_modules/postgres/src')
const died = 'the process ended'
let folder = ''
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'vigia-driver-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

test.each([
  { fault: 'forgotten-write', patched: 'answered', without: 'silent' },
  { fault: 'lost-transaction', patched: 'failed', without: 'ran by itself' },
])('the patch $fault is needed: with it "$patched", and without it "$without"', async ({ fault, patched, without }) => {
  const [complete, lacking] = [await driverWithout('nothing'), await driverWithout(fault)]
  expect(await outcomeOf(complete, fault, 20_000)).toBe(patched)
  expect(await outcomeOf(lacking, fault, 1_000)).toBe(without)
})

test.each([
  { avoided: 'types-of-arrays', by: 'answered', without: died },
  { avoided: 'refused-copy', by: 'failed', without: 'silent' },
  { avoided: 'no-delay', by: 'true', without: '' },
  { avoided: 'write-to-closed', by: 'failed', without: died },
  { avoided: 'sent-after-error', by: 'answered', without: 'silent' },
  { avoided: 'nothing-ahead', by: 'answered', without: died },
  { avoided: 'null-in-array', by: 'null, null, NULL', without: 'NaN, NULL, NULL' },
])(
  'the fault $avoided of the driver is avoided: by us "$by", without it "$without"',
  async ({ avoided, by, without }) => {
    const driver = await driverWithout('nothing')
    expect(await outcomeOf('ours', avoided, 20_000)).toBe(by)
    expect(await outcomeOf(driver, avoided, 1_000)).toBe(without)
  },
)

test('every patch has a row of its own in the list above', async () => {
  const source = await readFile(import.meta.filename, 'utf8')
  expect([...source.matchAll(/fault: '([\w-]+)'/g)].map(([, name]) => name)).toEqual(
    driverPatches.map(({ name }) => name),
  )
})

test('the driver that is loaded from its package carries every patch', async () => {
  const place = await packageWith('src')
  const confirm = patchDriver()
  const { default: driver } = await import(pathToFileURL(place).href)
  expect(() => confirm(driver)).not.toThrow()
})

test('a driver with another layout is refused', async () => {
  const place = await packageWith('dist')
  const confirm = patchDriver()
  const { default: driver } = await import(pathToFileURL(place).href)
  expect(() => confirm(driver)).toThrow('postgres.js carries 0 of 2 patches')
})

test('a driver with another text is refused', async () => {
  const source = await readFile(join(published, 'connection.js'), 'utf8')
  expect(() =>
    patchSource(
      'connection.js',
      source.replace('clearImmediate(nextWriteTimer)\n    socket', 'clearTimeout(nextWriteTimer)\n    socket'),
    ),
  ).toThrow('postgres.js does not read as expected')
})

/** A copy of the driver with all of the patches but one. */
const driverWithout = async (name: string): Promise<string> => {
  const place = join(folder, name)
  await cp(published, place, { recursive: true })
  await writeFile(join(place, 'package.json'), '{ "type": "module" }')
  const patches = driverPatches.filter((patch) => patch.name !== name)
  for (const file of ['connection.js', 'index.js'] as const) {
    await writeFile(join(place, file), patchSource(file, await readFile(join(published, file), 'utf8'), patches))
  }
  return place
}

/** The published driver as a package of its own, with its sources in a folder of that name. */
const packageWith = async (sources: string): Promise<string> => {
  const place = join(folder, `as-${sources}`, 'node_modules', 'postgres')
  await mkdir(place, { recursive: true })
  await writeFile(join(place, 'package.json'), '{ "type": "module" }')
  await cp(published, join(place, sources), { recursive: true })
  return join(place, sources, 'index.js')
}

const outcomeOf = async (driver: string, fault: string, timeoutMs: number): Promise<string> => {
  const program = join(import.meta.dirname, 'driver-process.ts')
  const child = spawn(process.execPath, [program, driver, fault, String(timeoutMs)], {
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  const [shown, [exitCode]] = await Promise.all([text(child.stdout), once(child, 'exit')])
  return exitCode === 0 ? shown.trimEnd() : died
}
