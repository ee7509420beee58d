import { resolve } from 'node:path'
import { batchOrRefuse } from '../../batches/batch-or-refuse.ts'
import { exportBatch, outboxFolder } from '../../batches/export.ts'
import { reportDefaults } from '../../batches/report-turn.ts'
import type { ReportEncoding, ReportFormat } from '../../domain/batch.ts'
import type { Language } from '../../messages/languages.ts'
import { recordAudit } from '../../store/people/audit.ts'
import type { CommandDefinition } from '../command.ts'
import { whoCalls } from '../context.ts'
import { checkOut, renderFiles } from '../files/local-file.ts'
import { counted, outcomes, renderFacts } from '../lines/phrases.ts'
import { openContext } from '../open.ts'
import { encodingOption, formatOption, languageOption, outOption, readBatchId } from '../options.ts'

type Options = { out?: string; encoding?: ReportEncoding; format?: ReportFormat; language?: Language }

/** Writes the files of a batch as of now. */
export const exportFiles: CommandDefinition<Options> = {
  arguments: [{ name: '<id>', about: 'the number of a batch' }],
  options: [outOption, encodingOption, formatOption, languageOption],
  examples: [
    { line: 'vigia export 12', about: 'Write to the outbox; open rows are shown as pending' },
    { line: 'vigia export 12 --format xlsx --language en', about: 'Add a workbook, in English' },
    {
      line: 'vigia export 12 --out /tmp/report --encoding same',
      about: 'Write elsewhere, in the encoding of the input',
    },
  ],

  async run(context, [text], { out, ...asked }) {
    const id = readBatchId(text!)
    await checkOut(out)
    await using opened = await openContext(context.env)
    const { sql, home, settings } = opened
    const batch = await batchOrRefuse(sql, id)
    const folder = out ? resolve(out) : outboxFolder(home, batch)
    const { timezone } = settings
    const options = { folder, timezone, now: new Date(), defaults: reportDefaults(settings), ...asked }
    const { report, rejects, workbook, manifestPath, manifest } = await exportBatch(sql, id, options)
    await recordAudit(sql, whoCalls(), 'export', `batch ${id}`, { complete: manifest.complete })
    const files = { report, rejects, manifest: manifestPath, ...(workbook && { workbook }) }
    const { rows, states, unanswered, complete } = manifest
    context.print({ batch: id, complete, rows, states, unanswered, files }, () =>
      [
        renderFacts([
          ['Rows', `${counted(rows, 'row')}: ${outcomes(states)}`],
          ['Partial', complete ? null : 'open rows are shown as pending'],
        ]),
        renderFiles(files),
      ].join('\n'),
    )
    return 0
  },
}
