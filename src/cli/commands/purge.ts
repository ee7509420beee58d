import { setTimeout as pause } from 'node:timers/promises'
import { maskDocument } from '../../domain/document.ts'
import { perform } from '../../operations/operation.ts'
import { type ErasureShown, personOperations } from '../../operations/person.ts'
import { readBatch } from '../../store/batches/batches.ts'
import type { Sql } from '../../store/connect.ts'
import { startEngine } from '../../worker.ts'
import { askApproval, exitCodeOfApproval, givenDocument } from '../ask.ts'
import type { CommandDefinition } from '../command.ts'
import { counted } from '../lines/texts.ts'
import { openForPeople } from '../open.ts'
import { openActing } from '../operation-command.ts'
import { exitCodeOfSweep, runSweepNow, sweepReport } from './sweeps.ts'

/** Applies the retention now, or erases everything about one person; the accounting is kept. */
export const purge: CommandDefinition<{ document?: string; yes?: boolean }> = {
  options: [
    { flags: '--document <d>', about: 'erase everything about this CPF or CNPJ permanently; - reads it from stdin' },
    { flags: '--yes', about: 'erase without asking' },
  ],
  examples: {
    'vigia purge': 'Delete what is past its `retention`',
    'vigia purge --document 123.456.789-09': 'Erase a person; what was charged is kept',
    'vigia purge --document - --yes < person.txt': 'The same, with no document in the shell history',
  },

  async run(context, _args, { document, yes }) {
    const person = document === undefined ? null : (await givenDocument(context, document, '--document')).number
    const approval = person ? await askApproval(context, `Erase ${maskDocument(person)} permanently?`, yes) : 'yes'
    if (approval !== 'yes') {
      const why = approval === 'unasked' ? ': add --yes where nobody can be asked' : ''
      context.print({ erased: false }, () => `Nothing was erased${why}.`)
      return exitCodeOfApproval[approval]
    }
    await using opened = await openForPeople(context)
    if (!person) {
      const sweep = await runSweepNow(context, opened, 'purge')
      context.print(sweep, () => sweepReport(sweep))
      return exitCodeOfSweep(sweep)
    }
    await using _running = await startEngine(opened, { looksUp: false })
    await using acting = openActing(opened)
    const erased = await perform(personOperations.erase, acting.context, { document: person })
    for (const id of erased.batches) await untilReported(opened.sql, BigInt(id), context.signal)
    context.print(erased, () => render(erased))
    return 0
  },
}

/** Waits for the export job, here or in a worker, which writes the reports again. */
const untilReported = async (sql: Sql, id: bigint, signal: AbortSignal): Promise<void> => {
  for (let batch = await readBatch(sql, id); batch?.finishedAt && !batch.exportedAt && !signal.aborted; ) {
    await pause(100)
    batch = await readBatch(sql, id)
  }
}

const render = ({ lookups, storedFiles, batches, files, monitoredBy, portfolios }: ErasureShown): string => {
  const lines = [
    `Erased from ${counted(lookups, 'look-up')}, ${counted(storedFiles, 'stored file')} and ${counted(files.blanked, 'file')}; deleted ${counted(files.deleted, 'file')}.`,
    ...(batches.length > 0 ? [`Reports of ${counted(batches.length, 'batch', 'batches')} were written again.`] : []),
    ...monitoredBy.map(
      (id) => `The registry's radar list of ${id} had this document: remove it there, or the next sweep adds it again.`,
    ),
    ...portfolios.map((name) => `Removed from the portfolio ${name}: another list with this document adds it again.`),
    'While its purchase is fresh, the document is not bought again: a keyed hash of it is kept until then.',
    'Reports written with --out, backups and the registry itself are not changed.',
  ]
  return lines.join('\n')
}
