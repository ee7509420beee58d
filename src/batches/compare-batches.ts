import { type Classification, classifications } from '../domain/classifications.ts'
import { type RiskChange, type RiskVerdict, riskChanges } from '../domain/risk-change.ts'
import { countShared, streamDiffering } from '../store/batches/risk.ts'
import type { Sql } from '../store/connect.ts'

/** A figure of a document that differs between the two batches. */
export type ComparedFigure = RiskChange & { question: string; line: number; part: number }

export type Comparison = {
  /** Documents that both have an answer for. */
  shared: number
  /** Per class, how many documents have more court cases than before, fewer, their first, or none any more. */
  classes: Record<Classification, Record<RiskVerdict, number>>
  /** The worst first. */
  figures: ComparedFigure[]
}

/** Compares the answers of two batches about the documents that both asked. */
export const compareBatches = async (sql: Sql, earlier: bigint, later: bigint, most: number): Promise<Comparison> => {
  const classes = Object.fromEntries(
    classifications.map((key) => [key, { new: 0, worse: 0, better: 0, cleared: 0 }]),
  ) as Comparison['classes']
  let figures: ComparedFigure[] = []
  for await (const some of streamDiffering(sql, earlier, later)) {
    for (const { before, after, ...document } of some) {
      for (const change of riskChanges(before, after)) {
        const [, key] = /^(\w+)_count$/.exec(change.field) ?? []
        if (key) classes[key as Classification][change.verdict]++
        figures.push({ ...change, ...document })
      }
    }
    if (figures.length > most * 4) figures = worst(figures, most)
  }
  return { shared: await countShared(sql, earlier, later), classes, figures: worst(figures, most) }
}

const worst = (figures: ComparedFigure[], most: number): ComparedFigure[] =>
  figures.toSorted((a, b) => (a.weight < b.weight ? 1 : a.weight > b.weight ? -1 : a.line - b.line)).slice(0, most)
