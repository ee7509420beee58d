#!/usr/bin/env node
// Plain JavaScript, because it must also run on a Node that knows no TypeScript: that one hands over to Node 24.
import module from 'node:module'

if (Number.parseInt(process.versions.node, 10) >= 24) {
  module.enableCompileCache()
  const { keepHeapLean } = await import('./lean-heap.ts')
  keepHeapLean()
  const { main } = await import('./main.ts')
  process.exitCode = await main(process.argv.slice(2))
} else {
  const { handOver } = await import('./hand-over.js')
  handOver(process.argv.slice(1))
}
