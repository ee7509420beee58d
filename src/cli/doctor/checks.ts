import { access, constants, statfs } from 'node:fs/promises'
import { getHeapStatistics } from 'node:v8'
import type { Settings } from '../../../config/settings.ts'
import { formatPrice } from '../../domain/amount.ts'
import { openHome } from '../../home/folders.ts'
import { connectionsFor, measureMachine } from '../../home/machine.ts'
import { counted, number } from '../lines/texts.ts'

/** The result of one check; `cure` is what a person can do about it. */
export type Finding = { check: string; ok: boolean; says: string; cure?: string }

export const fine = (check: string, says: string): Finding => ({ check, ok: true, says })

export const wrong = (check: string, says: string, cure: string): Finding => ({ check, ok: false, says, cure })

export const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))

const MIB = 1024 * 1024
/** With less, PostgreSQL and the reports of one large batch may fill the disk. */
const LEAST_FREE = 1024 * MIB

export const checkHome = async (path: string): Promise<Finding[]> => [await checkFolders(path), await checkDisk(path)]

const checkFolders = async (path: string): Promise<Finding> => {
  try {
    const { path: home, ...folders } = await openHome(path)
    await Promise.all(Object.values(folders).map((folder) => access(folder, constants.R_OK | constants.W_OK)))
    return fine('folders', `${home} can be read and written`)
  } catch (error) {
    return wrong('folders', messageOf(error), 'Give this user access to it, or set VIGIA_HOME to a writable folder.')
  }
}

const checkDisk = async (path: string): Promise<Finding> => {
  try {
    const { bavail, bsize } = await statfs(path)
    const free = bavail * bsize
    const says = `${Math.floor(free / MIB).toLocaleString('en')} MiB free`
    if (free >= LEAST_FREE) return fine('disk', says)
    return wrong('disk', says, 'Free some space (1 GiB at least), or set VIGIA_HOME to a folder on a larger disk.')
  } catch (error) {
    return wrong('disk', messageOf(error), 'Set VIGIA_HOME to a folder on a local disk.')
  }
}

/** An import takes 202 MiB at its peak, whatever the size of the file. */
const LEAST_MEMORY = 256 * MIB

/** The cores and the memory of this machine, and the heap and connections that follow from them. */
export const checkMachine = ({ databasePool }: Pick<Settings, 'databasePool'>): Finding => {
  const machine = measureMachine()
  const memory = `${mebibytes(machine.memory)} of memory${machine.contained ? ' by the limit of its container' : ''}`
  const heap = `a heap of ${mebibytes(getHeapStatistics().heap_size_limit)} at most`
  const pool = `${databasePool ?? connectionsFor(machine)} connections`
  const says = `${machine.cores === 1 ? '1 core' : `${machine.cores} cores`}, ${memory}: ${heap}, ${pool}`
  if (machine.memory >= LEAST_MEMORY) return fine('machine', says)
  return wrong('machine', says, 'Give the container 256 MiB at least.')
}

const mebibytes = (bytes: number): string => `${Math.floor(bytes / MIB).toLocaleString('en')} MiB`

/** What may be spent without approval: either choice is valid, and everyone should know which one was made. */
export const checkSpending = ({ budget }: Settings): Finding[] => [
  fine('spending', [waiting(budget), limits(budget), prices(budget)].filter(Boolean).join('\n')),
]

const waiting = ({ confirmAbove }: Settings['budget']): string => {
  if (confirmAbove === null) {
    return 'files in the inbox and from `vigia submit` need no approval (budget.confirmAbove would require it for large ones)'
  }
  const above = counted(confirmAbove, 'paid call')
  return `files in the inbox and from \`vigia submit\` need \`vigia confirm\` above ${above} (budget.confirmAbove)`
}

const limits = ({ perDay, perBatch }: Settings['budget']): string => {
  const day = perDay === null ? 'no limit per day' : `at most ${number(perDay)} a day`
  const batch = perBatch === null ? 'none per batch' : `${number(perBatch)} per batch`
  return `${day}, ${batch} (budget.perDay, budget.perBatch)`
}

const prices = ({ unitPrice }: Settings['budget']): string | null => {
  const known = Object.entries(unitPrice ?? {}).map(([kind, price]) => `${kind} ${formatPrice(price, 'en')}`)
  return known.length > 0 ? `a paid call costs: ${known.join(', ')} (budget.unitPrice)` : null
}
