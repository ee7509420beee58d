import { purposeFor } from '../../batches/purpose.ts'
import { readRowHistory } from '../../batches/row-history.ts'
import type { PortfolioKind } from '../../domain/portfolio.ts'
import { maskLine } from '../../log/mask.ts'
import { fileOfOne } from '../../operations/lookups.ts'
import type { CommandDefinition } from '../command.ts'
import { runFiles } from '../files/run-files.ts'
import { exitCodeOf, renderResult } from '../files/run-result.ts'
import { givenDocument } from '../given-document.ts'
import { renderRowHistory } from '../lines/row.ts'
import { openForPeople } from '../open.ts'
import { maxSpendOption, organizationOption, portfolioKindOption, purposeOption } from '../options.ts'

type Options = {
  kind: PortfolioKind
  organization?: number
  maxSpend?: number
  yes?: boolean
  purpose?: string
  authorization?: string
}

/** One document by hand: quoted, approved and looked up as a file of one row, whose answer is printed. */
export const lookup: CommandDefinition<Options> = {
  arguments: [{ name: '<document>', about: 'a CPF or CNPJ; - reads it from stdin' }],
  options: [
    portfolioKindOption,
    maxSpendOption,
    { flags: '--yes', about: 'approve the cost, above budget.confirmAbove too' },
    organizationOption,
    purposeOption,
    { flags: '--authorization <text>', about: 'the consent of the person, for --kind scr' },
  ],
  examples: [
    { line: 'vigia lookup - < person.txt', about: 'Quote, ask for approval, and show the answer' },
    { line: 'vigia lookup - --kind processes < person.txt', about: 'Count the lawsuits, which is free' },
  ],

  async run(context, [text], { authorization, ...options }) {
    const document = await givenDocument(context, text!, 'the document')
    const content = fileOfOne(document, authorization)
    await using opened = await openForPeople(context)
    const { sql, settings } = opened
    purposeFor(settings.purpose, options.purpose)
    const results = await runFiles(context, opened, ['look-up.csv'], { ...options, content })
    const [result] = results
    const { batch, complete } = result!
    const row = batch === null || !complete ? null : await readRowHistory(sql, BigInt(batch), { line: 2 }, maskLine)
    context.print({ result, row }, () =>
      row ? renderRowHistory(row, settings.timezone) : renderResult(result!, settings.timezone),
    )
    return exitCodeOf(results, context.signal)
  },
}
