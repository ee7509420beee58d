import { setTimeout as pause } from 'node:timers/promises'
import { startWatchdog } from '../../src/watchdog/start-watchdog.ts'

/** A process under its watchdog that does what its first argument says, once it has printed `ready`. */
startWatchdog({ stillMs: Number(process.argv[3] ?? 1_000) })
await pause(300)
console.log('ready')

const ways: Record<string, () => unknown> = { spinInMicrotasks, spinInPlace, waitOutside, work, leave: () => {} }
setTimeout(() => void ways[process.argv[2] ?? '']?.(), 10)

async function spinInMicrotasks(): Promise<never> {
  for (;;) await null
}

function spinInPlace(): never {
  for (;;) Math.random()
}

function waitOutside(): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0)
}

/** Always busy, but never blocked for long. */
async function work(): Promise<void> {
  for (const until = performance.now() + 4_000; performance.now() < until; ) {
    for (const pausedAt = performance.now() + 200; performance.now() < pausedAt; ) Math.random()
    await pause(1)
  }
  console.log('worked')
}
