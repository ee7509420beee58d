/** The limit for columns of a table, in a CSV and in a sheet; Excel would allow 16,384. */
export const mostColumns = 2_000
