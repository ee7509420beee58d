/** A patch of one fault in the driver: each edit names the text it expects and its replacement. */
export type Patch = {
  name: string
  file: 'connection.js' | 'index.js'
  edits: [before: string, after: string][]
}

/**
 * The faults of postgres.js 3.4.9 that matter to a worker that must outlive its server.
 *
 * `docs/upstream` has each fault and its change for the authors of the driver, `CONTRIBUTING.md` what each patch waits for, and
 * `test/store/driver-patches.slow.test.ts` what happens without it.
 */
export const driverPatches: Patch[] = [
  {
    // A small write is delayed by one turn. On a connection that has closed it fails outside any promise, and the process
    // ends.
    name: 'write-to-closed',
    file: 'connection.js',
    edits: [
      [
        'const x = socket.write(chunk, fn)',
        `if (socket === null) {
      chunk = nextWriteTimer = null
      error(Errors.connection('CONNECTION_CLOSED', options, socket))
      return false
    }
    const x = socket.write(chunk, fn)`,
      ],
    ],
  },
  {
    // A connection that closes while a write is delayed never learns that the write is over, and sends nothing again.
    name: 'forgotten-write',
    file: 'connection.js',
    edits: [
      [
        '    clearImmediate(nextWriteTimer)\n    socket.removeListener',
        '    clearImmediate(nextWriteTimer)\n    chunk = nextWriteTimer = null\n    socket.removeListener',
      ],
    ],
  },
  {
    // A statement that is sent between the error of a socket and its close is never answered.
    name: 'sent-after-error',
    file: 'connection.js',
    edits: [['!hadError && (query || sent.length) &&', ';(query || sent.length) &&']],
  },
  {
    // A transaction whose connection is gone is rejected, but its body continues: its next statement, or its rollback,
    // would run outside a transaction on the new connection.
    name: 'lost-transaction',
    file: 'index.js',
    edits: [
      [
        'new Promise((_, reject) => connection.onclose = reject)',
        'new Promise((_, reject) => connection.onclose = e => reject(lost = e))',
      ],
      ['let savepoints = 0\n      , connection', 'let savepoints = 0\n      , lost = null\n      , connection'],
      [
        '        c.queue === full\n          ? queries.push(q)',
        '        lost ? q.reject(lost) : c.queue === full\n          ? queries.push(q)',
      ],
    ],
  },
  {
    // A connection that may send nothing ahead begins no transaction, because it is not marked as reserved for one.
    name: 'nothing-ahead',
    file: 'connection.js',
    edits: [
      [
        '&& sent.length < max_pipeline\n        && (!q.options.onexecute || q.options.onexecute(connection))',
        '&& (!q.options.onexecute || q.options.onexecute(connection))\n        && sent.length < max_pipeline',
      ],
    ],
  },
]
