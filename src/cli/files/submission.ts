import { basename } from 'node:path'
import { purposeFor } from '../../batches/purpose.ts'
import type { Submission } from '../../batches/submit.ts'
import { batchLimit } from '../../domain/amount.ts'
import { freshSinceOf } from '../../domain/fresh-since.ts'
import { whoCalls } from '../context.ts'
import type { OpenInstallation } from '../open.ts'
import { choiceOf, chooseOrganization, type FileOptions } from '../options.ts'
import { openLocalFile } from './local-file.ts'

/** The submission of a file by a command. */
export const submissionOf = (
  file: string,
  { settings, clock }: OpenInstallation,
  options: FileOptions,
  signal: AbortSignal,
): Submission => ({
  bytes: openLocalFile(file, options, signal),
  fileName: basename(file),
  organizationId: chooseOrganization(settings, options.organization).organizationId,
  kind: options.kind,
  source: 'cli',
  by: whoCalls(),
  maxSpend: batchLimit(settings.budget, options.maxSpend),
  confirmAbove: options.yes ? null : settings.budget.confirmAbove,
  encoding: options.encoding ?? 'utf8',
  format: options.format,
  language: options.language,
  spreadsheets: options.withSpreadsheets ?? false,
  purpose: purposeFor(settings.purpose, options.purpose),
  freshSince: freshSinceOf(settings.forKind[options.kind], clock()),
  choice: choiceOf(options),
})
