import { resolve } from 'node:path'
import { writeAtomically } from '../../batches/atomic-file.ts'
import { readRowHistory } from '../../batches/own-rows.ts'
import { purposeFor } from '../../batches/submit.ts'
import type { Language } from '../../messages/languages.ts'
import { findTraces, lookAtPerson, toTracesView } from '../../monitoring/read-person.ts'
import { fileOfOne } from '../../operations/person.ts'
import { toPersonView } from '../../views/person.ts'
import { givenDocument } from '../ask.ts'
import { type CommandDefinition, whoCalls } from '../command.ts'
import { runFiles } from '../files/run-files.ts'
import { exitCodeOf, renderResult } from '../files/run-result.ts'
import { personReport, renderPerson } from '../lines/person.ts'
import { renderRowHistory } from '../lines/row.ts'
import { openForPeople } from '../open.ts'
import {
  type FileOptions,
  languageOption,
  maxSpendOption,
  organizationOption,
  portfolioKindOption,
  purposeOption,
  unmaskedOption,
  yesOption,
} from '../options.ts'

type Options = { out?: string; language: Language; unmasked?: boolean }

/** Everything that is held about one document; `--out` writes it as a report to that person. */
export const person: CommandDefinition<Options> = {
  arguments: [{ name: '<document>', about: 'a CPF or CNPJ; - reads it from stdin' }],
  options: [
    { flags: '--out <file>', about: 'write it as a report to the person, unmasked' },
    { ...languageOption, flags: '--language <l>', about: 'language of the report: pt-BR or en', default: 'pt-BR' },
    unmaskedOption,
  ],
  examples: {
    'vigia person - < person.txt': 'Show it, with no document in the shell history',
    'vigia person - --out answer.txt < person.txt': 'Write the answer to a person who asks what is held',
  },

  async run(context, [text], { out, language, unmasked }) {
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

type LookupOptions = Omit<FileOptions, 'content'> & { authorization?: string }

/** One document by hand: quoted, approved and looked up as a file of one row, whose answer is printed. */
export const lookup: CommandDefinition<LookupOptions> = {
  arguments: [{ name: '<document>', about: 'a CPF or CNPJ; - reads it from stdin' }],
  options: [
    portfolioKindOption,
    maxSpendOption,
    yesOption,
    organizationOption,
    purposeOption,
    { flags: '--authorization <text>', about: 'the consent of the person, for --kind scr' },
  ],
  examples: {
    'vigia lookup - < person.txt': 'Quote, ask for approval, and show the answer',
    'vigia lookup - --kind processes < person.txt': 'Count the lawsuits, which is free',
  },

  async run(context, [text], { authorization, ...options }) {
    const document = await givenDocument(context, text!, 'the document')
    const content = fileOfOne(document, authorization)
    await using opened = await openForPeople(context)
    const { sql, settings } = opened
    purposeFor(settings.purpose, options.purpose)
    const results = await runFiles(context, opened, ['look-up.csv'], { ...options, content })
    const [result] = results
    const { batch, complete } = result!
    const row = batch === null || !complete ? null : await readRowHistory(sql, BigInt(batch), { line: 2 })
    context.print({ result, row }, () =>
      row ? renderRowHistory(row, settings.timezone) : renderResult(result!, settings.timezone),
    )
    return exitCodeOf(results, context.signal)
  },
}
