import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { SMTPServer } from 'smtp-server'

export type Mail = { id: string; to: string[]; raw: string; subject: string; at: number }

/** A real mail server on this machine. It calls `accept`, if given, before it accepts a mail, and `accepted` after. */
export const startMailbox = async (
  accept: (mail: Mail) => Promise<void> | void = () => {},
  port = 0,
  accepted: (mail: Mail) => void = () => {},
) => {
  const received: Mail[] = []
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    logger: false,
    onData(stream, session, done) {
      const read = async () => {
        const raw = await text(stream)
        const header = (name: string) => new RegExp(`^${name}: (.*(?:\r?\n[ \t].*)*)`, 'im').exec(raw)?.[1] ?? ''
        const mail = {
          id: header('Message-ID'),
          to: session.envelope.rcptTo.map(({ address }) => address),
          subject: header('Subject'),
          raw,
          at: performance.now(),
        }
        await accept(mail)
        received.push(mail)
        return mail
      }
      read().then((mail) => {
        done()
        accepted(mail)
      }, done)
    },
  })
  server.on('error', () => {})
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  return {
    url: `smtp://127.0.0.1:${(server.server.address() as AddressInfo).port}`,
    received,
    [Symbol.asyncDispose]: () => new Promise<void>((resolve) => server.close(() => resolve())),
  }
}

/** The readable parts of a mail, decoded: nodemailer encodes them as quoted-printable or base64. */
export const bodiesOf = ({ raw }: Mail): string =>
  raw
    .split(/\r?\n--/)
    .map((part) => {
      const [head = '', ...rest] = part.split(/\r?\n\r?\n/)
      const body = rest.join('\n\n')
      if (/base64/i.test(head)) return Buffer.from(body.replace(/\s|--.*$/g, ''), 'base64').toString()
      return /quoted-printable/i.test(head) ? decodeQuoted(body) : part
    })
    .join('\n')

const decodeQuoted = (body: string): string =>
  Buffer.from(
    body
      .replace(/=\r?\n/g, '')
      .replace(/=([\dA-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16))),
    'latin1',
  ).toString()
