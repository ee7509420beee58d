import { cp, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { stripTypeScriptTypes } from 'node:module'
import { dirname, join, resolve } from 'node:path'

/**
 * Builds `dist`, which `npm pack` ships in place of the sources: Node runs TypeScript as it is, but not under
 * node_modules. Types become blanks, so that a line of a stack trace is the same line of the source.
 */
const root = resolve(import.meta.dirname, '..')
const dist = join(root, 'dist')
/** What starts the program, on any Node, is shipped as it is; what generates our own files is not shipped. */
const leftOut = /^src\/cli\/(vigia|run-on-own-node)\.js$/

await rm(dist, { recursive: true, force: true })
for (const folder of ['config', 'jobs', 'sql', 'src']) {
  for (const file of await filesIn(folder)) await ship(file)
}
await writeFile(join(dist, 'package.json'), `${JSON.stringify(await identity(), null, 2)}\n`)

async function filesIn(folder: string): Promise<string[]> {
  const entries = await readdir(join(root, folder), { recursive: true, withFileTypes: true })
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name))
  return files.map((file) => file.slice(root.length + 1)).filter((file) => !leftOut.test(file))
}

async function ship(file: string): Promise<void> {
  await mkdir(dirname(join(dist, file)), { recursive: true })
  if (!file.endsWith('.ts')) return cp(join(root, file), join(dist, file))
  const source = await readFile(join(root, file), 'utf8')
  await writeFile(join(dist, file.replace(/\.ts$/, '.js')), renameImports(stripTypeScriptTypes(source), file))
}

function renameImports(code: string, file: string): string {
  const renamed = code.replaceAll(/((?:from|import|new URL)[\s(]*'\.[^'\n]*)\.ts'/g, "$1.js'")
  const left = /^.*\.ts['"].*$/m.exec(renamed)
  if (left) throw new Error(`${file} names a .ts file that will not be there: ${left[0].trim()}`)
  return renamed
}

/** The part of package.json that the program reads at run time. */
async function identity(): Promise<object> {
  const { name, version, type } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'))
  return { name, version, type }
}
