/** Columns of a table, in a CSV as in a sheet; Excel would allow 16,384. */
export const mostColumns = 2_000
