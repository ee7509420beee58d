import type { AddressInfo } from 'node:net'
import { SMTPServer } from 'smtp-server'
import { expect, test } from 'vitest'
import { loadSettings } from '../../config/settings.ts'
import { sendMail } from '../../src/notify/send-mail.ts'

/** A mail server that offers no TLS and takes any password, with the passwords that it was sent. */
const startPlainServer = async () => {
  const passwords: string[] = []
  const server = new SMTPServer({
    disabledCommands: ['STARTTLS'],
    allowInsecureAuth: true,
    logger: false,
    onAuth({ password }, _, done) {
      passwords.push(password ?? '')
      done(null, { user: 'ana' })
    },
    onData(stream, _, done) {
      stream.resume().once('end', () => done())
    },
  })
  server.on('error', () => {})
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    port: (server.server.address() as AddressInfo).port,
    passwords,
    [Symbol.asyncDispose]: () => new Promise<void>((resolve) => server.close(() => resolve())),
  }
}

const sendBy = (address: string) => {
  const { alerts } = loadSettings({ SMTP_URL: address, VIGIA_HOME: '/tmp' })
  return sendMail(alerts.smtpUrl!, {
    id: 'one',
    from: 'vigia@example.com',
    to: 'ana@example.com',
    notification: { severity: 'info', subject: 'one', title: 'one', lead: '', items: [], notes: [], link: null },
    labels: { language: 'en', foot: '' },
    madeAt: new Date(0),
  })
}

test('a password is not sent to a mail server that offers no TLS', async () => {
  await using server = await startPlainServer()
  // An address of this machine that is not one of its loopback names.
  const place = `ana:secret@127.1:${server.port}`
  for (const wish of ['', '?ignoreTLS=true', '?requireTLS=false', '?opportunisticTLS=true']) {
    await expect(sendBy(`smtp://${place}/${wish}`), wish).rejects.toThrow(
      'The mail server of SMTP_URL answered 500 to STARTTLS',
    )
  }
  expect(server.passwords).toEqual([])
})

test('a mail server on this machine is sent its password without TLS', async () => {
  await using server = await startPlainServer()
  await sendBy(`smtp://ana:secret@127.0.0.1:${server.port}`)
  expect(server.passwords).toEqual(['secret'])
})
