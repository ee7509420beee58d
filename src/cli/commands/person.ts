import { resolve } from 'node:path'
import { writeAtomically } from '../../batches/atomic-file.ts'
import { isLanguage } from '../../messages/languages.ts'
import { findTraces, lookAtPerson, toTracesView } from '../../monitoring/read-person.ts'
import { toPersonView } from '../../views/person.ts'
import type { CommandDefinition } from '../command.ts'
import { UsageError } from '../command.ts'
import { whoCalls } from '../context.ts'
import { givenDocument } from '../given-document.ts'
import { renderPerson } from '../lines/person.ts'
import { personReport } from '../lines/person-report.ts'
import { openForPeople } from '../open.ts'
import { unmaskedOption } from '../options.ts'

type Options = { out?: string; language?: string; unmasked?: boolean }

/** Everything that is held about one document; `--out` writes it as a report to that person. */
export const person: CommandDefinition<Options> = {
  arguments: [{ name: '<document>', about: 'a CPF or CNPJ; - reads it from stdin' }],
  options: [
    { flags: '--out <file>', about: 'write it as a report to the person, unmasked' },
    { flags: '--language <l>', about: 'language of the report: pt-BR or en', default: 'pt-BR' },
    unmaskedOption,
  ],
  examples: [
    { line: 'vigia person - < person.txt', about: 'Show it, with no document in the shell history' },
    {
      line: 'vigia person - --out answer.txt < person.txt',
      about: 'Write the answer to a person who asks what is held',
    },
  ],

  async run(context, [text], { out, language = 'pt-BR', unmasked }) {
    if (!isLanguage(language)) throw new UsageError('--language takes pt-BR or en')
    const document = await givenDocument(context, text!, 'the document')
    await using opened = await openForPeople(context)
    const { sql, home, settings } = opened
    const what = out ? 'report on person' : 'look at person'
    const record = await lookAtPerson(sql, document, { by: whoCalls(), what })
    const traces = await findTraces({ sql, home }, document.number)
    const terms = { prices: settings.budget.unitPrice, retention: settings.retention }
    const shown = { ...toPersonView(record, { ...terms, unmasked }), traces: toTracesView(traces, unmasked) }
    if (out) {
      const view = { ...toPersonView(record, { ...terms, unmasked: true }), traces }
      await writeAtomically(resolve(out), [Buffer.from(personReport(view, language, settings.timezone))])
    }
    context.print(shown, () => `${renderPerson(shown, settings.timezone)}${out ? `\n\nWritten: ${resolve(out)}` : ''}`)
    return 0
  },
}
