/** One thing that is wrong in the driver: each of its edits names the text it expects, and what takes its place. */
export type Patch = {
  name: string
  file: 'connection.js' | 'index.js' | 'types.js'
  edits: [before: string, after: string][]
}

/**
 * What is wrong in postgres.js 3.4.9 for a worker that must outlive its server.
 *
 * `CONTRIBUTING.md` says what each waits for, and `test/store/driver-patches.slow.test.ts` what happens without it.
 */
export const driverPatches: Patch[] = [
  {
    // A small write is put off by one turn. On a connection that has closed it is made outside of any promise, and the
    // process ends.
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
    // A connection that closes while a write is put off never learns that the write is over, and sends nothing again.
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
    // Nobody waits for the driver's own question about the types of arrays: where it fails, the process ends.
    name: 'types-of-arrays',
    file: 'connection.js',
    edits: [['return fetchArrayTypes()', 'return void fetchArrayTypes().catch(() => {})']],
  },
  {
    // A COPY that the server refuses after its last line tells nobody, and is waited for without end.
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
    // A transaction whose connection is gone is given up, but its body goes on: its next statement, or its rollback,
    // would run by itself on the connection opened anew.
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
    // A connection that may send nothing ahead begins no transaction: it is not told that it is to be kept for one.
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
    // A NULL among the elements of an array is given to the parser of the elements as the text NULL: bigint throws, integer
    // becomes NaN, text becomes "NULL". A text of these letters stands in quotes, so that NULL without quotes is none.
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
