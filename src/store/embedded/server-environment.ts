/** What PostgreSQL's programs see of our environment: nothing, because our settings hold tokens. Messages in English. */
export const serverEnvironment = (more: Record<string, string> = {}): Record<string, string> => ({
  PATH: process.env.PATH ?? '/usr/bin:/bin',
  LC_ALL: 'C',
  TZ: 'UTC',
  ...more,
})
