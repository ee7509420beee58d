/** The schema in the database and the files in `sql/` contradict each other; nothing was changed. */
export class MigrateRefusal extends Error {
  override readonly name = 'MigrateRefusal'
}
