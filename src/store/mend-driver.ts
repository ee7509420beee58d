import { registerHooks } from 'node:module'

/**
 * Mends postgres.js 3.4.9 as it is loaded, so that a server that goes away takes no worker with it.
 *
 * A small write is put off by one turn. Where the connection closes in that turn, the driver writes to a socket that is
 * gone, outside of any promise, and the process ends (porsager/postgres#1066, #1154, #1208); or it forgets that the
 * write is over, and the connection never sends anything again (#1209 and its neighbours are not merged). A statement
 * sent between a socket's error and its close is never answered either. And where it closes while it learns the types of
 * arrays, nobody waits for that question of the driver's own, and its failure ends the process too.
 *
 * And a transaction whose connection is gone is given up, but its body goes on: its next statement, or its rollback, would
 * run by itself on a connection opened anew.
 *
 * And a COPY that the server refuses after its last line tells nobody: it would be waited for without end; the statement
 * after one that it takes waits 40 ms, because small packets are held back until the last one is acknowledged.
 * Load the driver before calling what is returned.
 */
export const mendDriver = (): (() => void) => {
  const hooks = registerHooks({
    load(url, context, next) {
      const loaded = next(url, context)
      const [, stitches] = mends.find(([place]) => url.endsWith(`/node_modules/postgres/src/${place}`)) ?? []
      return stitches ? { ...loaded, source: mend(String(loaded.source), stitches) } : loaded
    },
  })
  return () => hooks.deregister()
}

/** Each stitch names the text it expects: another version of the driver is refused, not mended by halves. */
type Stitch = [before: string, after: string]

const ofConnections: Stitch[] = [
  [
    'const x = socket.write(chunk, fn)',
    `if (socket === null) {
      chunk = nextWriteTimer = null
      error(Errors.connection('CONNECTION_CLOSED', options, socket))
      return false
    }
    const x = socket.write(chunk, fn)`,
  ],
  ['    clearImmediate(nextWriteTimer)\n    if (socket)', '    forgetWrite()\n    if (socket)'],
  ['    clearImmediate(nextWriteTimer)\n    socket.removeListener', '    forgetWrite()\n    socket.removeListener'],
  [
    'stream && (stream.destroy(err), stream = null)\n    query &&',
    'stream && (stream.destroy(err), stream = null)\n    final && (final(err), final = null)\n    query &&',
  ],
  ['return fetchArrayTypes()', 'return void fetchArrayTypes().catch(() => {})'],
  [': new net.Socket()', ': new net.Socket().setNoDelay(true)'],
  ['!hadError && (query || sent.length) &&', ';(query || sent.length) &&'],
  [
    '  function connectTimedOut()',
    `  function forgetWrite() {
    clearImmediate(nextWriteTimer)
    chunk = nextWriteTimer = null
  }

  function connectTimedOut()`,
  ],
]

const ofTransactions: Stitch[] = [
  [
    'new Promise((_, reject) => connection.onclose = reject)',
    'new Promise((_, reject) => connection.onclose = e => reject(lost = e))',
  ],
  ['let savepoints = 0\n      , connection', 'let savepoints = 0\n      , lost = null\n      , connection'],
  [
    '        c.queue === full\n          ? queries.push(q)',
    '        lost ? q.reject(lost) : c.queue === full\n          ? queries.push(q)',
  ],
]

const mends: [place: string, stitches: Stitch[]][] = [
  ['connection.js', ofConnections],
  ['index.js', ofTransactions],
]

const mend = (source: string, stitches: Stitch[]): string =>
  stitches.reduce((text, [before, after]) => {
    if (text.split(before).length !== 2)
      throw new Error(
        'This version of postgres.js is not the one that src/store/mend-driver.ts mends: see whether it must',
      )
    return text.replace(before, () => after)
  }, source)
