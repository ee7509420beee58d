/** Whether PostgreSQL refused a row because the place that this constraint or index keeps unique is taken. */
export const isTaken = (error: unknown, constraint: string): boolean => {
  const { code, constraint_name } = error as { code?: string; constraint_name?: string }
  return code === '23505' && constraint_name === constraint
}
