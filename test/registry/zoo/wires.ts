import { gzipSync } from 'node:zlib'
import { anyShape, type Beast, crlf, page, raw, reply } from './beast.ts'

/** What goes wrong below the body. */
export const wires: Beast[] = [
  { name: 'a redirect', bytes: reply('302 Found', '', 'location: http://127.0.0.1:1/'), outcome: 'Unanswered' },
  {
    name: 'a redirect with an object',
    bytes: reply('307 Temporary', '{}', 'location: /elsewhere'),
    outcome: 'Unanswered',
  },
  {
    name: 'gzip though identity was asked for',
    bytes: reply('200 OK', gzipSync('{}'), 'content-encoding: gzip'),
    outcome: 'Unanswered',
    except: anyShape,
  },
  {
    name: 'a gzip bomb',
    bytes: reply('200 OK', gzipSync(Buffer.alloc(50_000_000, 32)), 'content-encoding: gzip'),
    outcome: 'Unanswered',
  },
  { name: 'gzip that is none', bytes: reply('200 OK', '{}', 'content-encoding: gzip'), outcome: 'Unanswered' },
  { name: 'an unheard-of encoding', bytes: reply('200 OK', 'junk', 'content-encoding: rot13'), outcome: 'Unanswered' },
  { name: 'a body over the limit', bytes: reply('200 OK', `"${' '.repeat(2_000_000)}"`), outcome: 'Unanswered' },
  {
    name: 'a Content-Length that promises more',
    bytes: raw('200 OK', ['content-length: 500'], '{}'),
    outcome: 'Unanswered',
  },
  {
    name: 'a Content-Length that promises less',
    bytes: raw('200 OK', ['content-length: 5'], '{"success":true}'),
    outcome: 'Unanswered',
  },
  {
    name: 'a Content-Length of 9 TB',
    bytes: raw('200 OK', ['content-length: 9000000000000'], '{}'),
    outcome: 'Unanswered',
  },
  {
    name: 'two Content-Lengths',
    bytes: raw('200 OK', ['content-length: 2', 'content-length: 3'], '{}'),
    outcome: 'Unanswered',
  },
  {
    name: 'chunked garbage',
    bytes: raw('200 OK', ['transfer-encoding: chunked'], `zz${crlf}{}${crlf}`),
    outcome: 'Unanswered',
  },
  {
    name: 'chunks without an end',
    bytes: raw('200 OK', ['transfer-encoding: chunked'], `2${crlf}{}${crlf}`),
    outcome: 'Unanswered',
  },
  { name: 'closed before a byte', bytes: '', outcome: 'Unanswered' },
  { name: 'closed within the headers', bytes: `HTTP/1.1 200 OK${crlf}content-ty`, outcome: 'Unanswered' },
  { name: 'another protocol', bytes: `220 mail.example.com ESMTP${crlf}`, outcome: 'Unanswered' },
  {
    name: '101 Switching Protocols',
    bytes: raw('101 Switching Protocols', ['upgrade: h2c', 'connection: upgrade'], ''),
    outcome: 'Unanswered',
  },
  {
    name: '100 and 103 before HTML',
    bytes: Buffer.concat([raw('100 Continue', [], ''), raw('103 Early Hints', [], ''), reply('200 OK', page)]),
    outcome: 'Unanswered',
  },
  {
    name: 'headers of 100 KB',
    bytes: raw('200 OK', [`x: ${'x'.repeat(100_000)}`, 'content-length: 2'], '{}'),
    outcome: 'Unanswered',
  },
  { name: 'headers that hang', bytes: `HTTP/1.1 200 OK${crlf}`, staysOpen: true, outcome: 'Unanswered' },
  {
    name: 'a body that hangs',
    bytes: raw('200 OK', ['content-length: 99'], '{'),
    staysOpen: true,
    outcome: 'Unanswered',
  },
  { name: 'silence', bytes: '', staysOpen: true, outcome: 'Unanswered' },
]
