/** The rows of a batch with what every format of its reports shows. */
export const resultRows = (batchId: bigint): string => `
        from vigia.batch_row r
        left join vigia.lookup l on l.id = r.lookup_id
        left join vigia.intent i on i.lookup_id = l.id
        left join vigia.answer a on a.lookup_id = l.id and vigia.shows_answer(r)
       where r.batch_id = ${batchId}`

/** A cell of the look-up, for rows that show its answer; what a row asks is its own. */
export const ifShown = (value: string): string => `case when vigia.shows_answer(r) then ${value} end`

/** COPY takes no parameters, so values are written into its text. */
export const literal = (text: string): string => `'${text.replaceAll("'", "''")}'`
