import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'

/** Runs the same command on the Node 24 that npm installed, and exits as it exits. */
export const runOnOwnNode = (args) => {
  const own = findOwnNode()
  if (!own) {
    console.error(`Vigia needs Node 24 or later, and this is Node ${process.versions.node}.`)
    console.error(cure)
    process.exitCode = 2
    return
  }
  const child = spawn(own, args, { stdio: 'inherit' })
  // A terminal sends Ctrl-C to both processes. Forwarding it would send a second one, which ends the child at once.
  process.on('SIGINT', () => {})
  for (const signal of ['SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal))
  child.on('exit', (code, signal) => {
    if (!signal) process.exit(code)
    process.removeAllListeners(signal)
    process.kill(process.pid, signal)
  })
}

const cure = `Install Node 24. On Linux npm installs it: \`npm ci\` in a checkout, \`npm install vigia\` elsewhere, both without
\`--omit=optional\`.`

/** For Linux it is an optional package without an install script; elsewhere it is a development dependency of a checkout. */
const findOwnNode = () => {
  const names = [`node-${process.platform}-${process.arch}`, 'node']
  return names.map(programOf).find((program) => program && existsSync(program))
}

const programOf = (name) => {
  try {
    return join(dirname(createRequire(import.meta.url).resolve(`${name}/package.json`)), 'bin/node')
  } catch {
    return undefined
  }
}
