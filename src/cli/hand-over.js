import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const own = fileURLToPath(new URL('../../node_modules/.bin/node', import.meta.url))

/** Runs the same command on the Node 24 that `npm ci` has brought along, and ends as it ends. */
export function handOver(args) {
  if (!existsSync(own)) {
    console.error(`Vigia needs Node 24 or later, and this is Node ${process.versions.node}.`)
    console.error('Run `npm ci` in the folder of Vigia, which brings Node 24 along, or install Node 24.')
    process.exitCode = 2
    return
  }
  const child = spawn(own, args, { stdio: 'inherit' })
  // A terminal sends Ctrl-C to both; handing it on would make it two, and the second one means "at once".
  process.on('SIGINT', () => {})
  for (const signal of ['SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal))
  child.on('exit', (code, signal) => {
    if (!signal) process.exit(code)
    process.removeAllListeners(signal)
    process.kill(process.pid, signal)
  })
}
