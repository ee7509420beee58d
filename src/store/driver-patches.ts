/** A patch of one fault in the driver: each edit names the text it expects and its replacement. */
export type Patch = {
  name: string
  file: 'connection.js' | 'index.js' | 'types.js'
  edits: [before: string, after: string][]
}

/**
 * The faults of postgres.js 3.4.9 that matter to a worker that must outlive its server.
 *
 * `CONTRIBUTING.md` says what each patch waits for, and `test/store/driver-patches.slow.test.ts` what happens without it.
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
    // The driver's own query for the types of arrays is not awaited: if it fails, the process ends.
    name: 'types-of-arrays',
    file: 'connection.js',
    edits: [['return fetchArrayTypes()', 'return void fetchArrayTypes().catch(() => {})']],
  },
  {
    // If the server refuses a COPY after its last line, nobody is notified and the COPY never settles.
    name: 'refused-copy',
    file: 'connection.js',
    edits: [
      [
        'stream && (stream.destroy(err), stream = null)\n    query &&',
        'stream && (stream.destroy(err), stream = null)\n    final && (final(err), final = null)\n    query &&',
      ],
    ],
  },
  {
    // Small packets are held back until the last one is acknowledged: the statement after a COPY waits 40 ms.
    name: 'no-delay',
    file: 'connection.js',
    edits: [[': new net.Socket()', ': new net.Socket().setNoDelay(true)']],
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
  {
    // A NULL in an array is passed to the element parser as the text NULL: bigint throws, integer becomes NaN, text becomes
    // "NULL". The text NULL is always quoted in an array, so NULL without quotes is the real one.
    name: 'null-in-array',
    file: 'types.js',
    edits: [
      [
        's.last < s.i && xs.push(parser ? parser(x.slice(s.last, s.i)) : x.slice(s.last, s.i))',
        's.last < s.i && xs.push(arrayElement(x.slice(s.last, s.i), parser))',
      ],
      [
        "s.p !== '\"') {\n      xs.push(parser ? parser(x.slice(s.last, s.i)) : x.slice(s.last, s.i))",
        "s.p !== '\"') {\n      xs.push(arrayElement(x.slice(s.last, s.i), parser))",
      ],
      [
        'function arrayParserLoop(',
        "const arrayElement = (text, parser) => text === 'NULL' ? null : parser ? parser(text) : text\n\nfunction arrayParserLoop(",
      ],
    ],
  },
]
