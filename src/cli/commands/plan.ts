import type { CommandDefinition } from '../command.ts'
import { checkFiles } from '../files/local-file.ts'
import { quoteLocalFile, renderQuote } from '../files/quote.ts'
import { openContext } from '../open.ts'
import {
  type FileOptions,
  kindOption,
  maxSpendOption,
  organizationOption,
  purposeOption,
  readOptions,
} from '../options.ts'

/** Quotes a file; stores, sends and spends nothing. */
export const plan: CommandDefinition<FileOptions> = {
  arguments: [{ name: '<file>', about: 'a CSV or a workbook (.xlsx) of documents' }],
  options: [kindOption, organizationOption, maxSpendOption, purposeOption, ...readOptions],
  examples: [
    { line: 'vigia plan clientes.csv', about: 'Show what an analysis of each document would cost' },
    {
      line: 'vigia plan carteira.xlsx --column documento="Doc. Cliente"',
      about: 'Name the document column of a workbook',
    },
    { line: 'vigia plan clientes.csv --kind processes --json', about: 'Quote another kind, as JSON' },
  ],

  async run(context, [file], options) {
    await checkFiles([file!])
    await using opened = await openContext(context.env)
    const quote = await quoteLocalFile(opened, file!, options, { joining: 0, signal: context.signal })
    context.print(quote, () => renderQuote(quote))
    return 0
  },
}
