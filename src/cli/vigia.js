#!/usr/bin/env node
// Plain JavaScript: this file must also run on an older Node without TypeScript, where it calls Node 24.
import { existsSync } from 'node:fs'
import module from 'node:module'

// An installed package holds no TypeScript, because Node does not run it under node_modules: see ops/prepack.ts.
const isCheckout = existsSync(new URL('main.ts', import.meta.url))
const load = (name) => import(isCheckout ? `./${name}.ts` : `../../dist/src/cli/${name}.js`)

if (Number.parseInt(process.versions.node, 10) >= 24) {
  module.enableCompileCache()
  const { keepHeapLean } = await load('lean-heap')
  keepHeapLean()
  const { main } = await load('main')
  process.exitCode = await main(process.argv.slice(2))
} else {
  const { runOnOwnNode } = await import('./run-on-own-node.js')
  runOnOwnNode(process.argv.slice(1))
}
