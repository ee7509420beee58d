import { getHeapStatistics } from 'node:v8'
import type { Settings } from '../../../config/settings.ts'
import { connectionsFor, measureMachine } from '../../home/machine.ts'
import { type Finding, fine, wrong } from './finding.ts'

const MIB = 1024 * 1024
/** An import takes 202 MiB at its peak, whatever the size of the file. */
const LEAST_MEMORY = 256 * MIB

/** What the worker has to itself, and what it makes of it. */
export function checkMachine({ databasePool }: Pick<Settings, 'databasePool'>): Finding {
  const machine = measureMachine()
  const memory = `${mebibytes(machine.memory)} of memory${machine.contained ? ' by the limit of its container' : ''}`
  const heap = `a heap of ${mebibytes(getHeapStatistics().heap_size_limit)} at most`
  const pool = `${databasePool ?? connectionsFor(machine)} connections`
  const says = `${machine.cores === 1 ? '1 core' : `${machine.cores} cores`}, ${memory}: ${heap}, ${pool}`
  if (machine.memory >= LEAST_MEMORY) return fine('machine', says)
  return wrong('machine', says, 'Give the container 256 MiB at least.')
}

const mebibytes = (bytes: number): string => `${Math.floor(bytes / MIB).toLocaleString('en')} MiB`
