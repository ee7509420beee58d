import { createServer, type RequestListener } from 'node:http'
import { type AddressInfo, isIP } from 'node:net'
import { text } from 'node:stream/consumers'
import { fc, test as property } from '@fast-check/vitest'
import { expect, test } from 'vitest'
import { download } from '../../src/registry/download.ts'
import { DownloadFailed, PrivateAddress } from '../../src/registry/errors.ts'
import { createPublicAgent, isPublicAddress } from '../../src/registry/public-agent.ts'

const serve = async (listener: RequestListener) => {
  let connections = 0
  const server = createServer(listener).on('connection', () => connections++)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const dispose = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve())
      server.closeAllConnections()
    })
  return { port, url: `http://127.0.0.1:${port}/`, connections: () => connections, [Symbol.asyncDispose]: dispose }
}

/** Each is a spelling of 127.0.0.1, this machine, its network or its cloud's metadata. */
const tricks =
  `127.0.0.1 127.1 127.0.1 127.255.255.254 2130706433 017700000001 0x7f000001 0x7f.1 0177.0.0.1 0x7f.0x0.0x0.0x1
  127.0.0.1. %31%32%37.0.0.1 １２７.０.０.１ 127。0。0。1 ①②⑦.0.0.1 0 0.0.0.0 0x0 localhost LOCALHOST localhost. a.localhost
  ip6-localhost 10.0.0.1 10.255.255.255 0xa000001 012.0.0.1 167772161 172.16.0.1 172.31.255.255 192.168.0.1
  192.168.1.1 3232235777 0xc0a80101 169.254.169.254 2852039166 0xa9fea9fe 0251.0376.0251.0376 169.254.43518
  100.64.0.1 100.100.100.200 192.0.0.1 192.0.2.1 198.18.0.1 198.51.100.1 203.0.113.1 224.0.0.1 239.255.255.250
  240.0.0.1 255.255.255.255 [::1] [::] [0:0:0:0:0:0:0:1] [::ffff:127.0.0.1] [::ffff:7f00:1] [::127.0.0.1]
  [::ffff:0:127.0.0.1] [64:ff9b::7f00:1] [64:ff9b:1::a00:1] [fe80::1] [fc00::1] [fd00:ec2::254] [fec0::1] [ff02::1]
  [2001:db8::1] [2001::7f00:1] [2002:7f00:1::] [2002:a9fe:a9fe::] [100::1] [5f00::1] [3fff::1]`.split(/\s+/)

test.each(tricks)('%s reaches no private address', async (host) => {
  await using server = await serve((_request, response) => void response.end('secret'))
  const url = `https://${host}:${server.port}/file.xlsx?signature=s3cret`
  const failure = await download(url, { maxBytes: 100 }).catch((caught) => caught)

  const isLiteral = isIP(new URL(url).hostname.replace(/^\[|\]$/g, '')) > 0
  expect(failure.name).toMatch(isLiteral ? /^PrivateAddress$/ : /^(PrivateAddress|DownloadFailed)$/)
  expect(failure.message).not.toContain('s3cret')
  expect(server.connections()).toBe(0)
})

test.each([
  'http://example.com/',
  'file:///etc/passwd',
  'data:text/plain,x',
  'ftp://example.com/',
  'https://u:p@example.com/',
  '//x',
  '',
])('does not follow %s', async (url) => {
  await expect(download(url, { maxBytes: 100 })).rejects.toThrow('only plain https')
})

test('the agent itself refuses, so that the check cannot be bypassed', async () => {
  await using server = await serve((_request, response) => void response.end('secret'))
  const agent = createPublicAgent()
  for (const host of ['127.0.0.1', 'localhost', '[::1]']) {
    const call = agent.request({ origin: `http://${host}:${server.port}`, path: '/', method: 'POST', body: 'x' })
    await expect(call).rejects.toThrow(PrivateAddress)
  }
  await agent.close()
  expect(server.connections()).toBe(0)
})

test('a redirect is not followed', async () => {
  await using inside = await serve((_request, response) => void response.end('secret'))
  await using server = await serve((_request, response) => void response.writeHead(302, { location: inside.url }).end())
  await expect(download(server.url, { maxBytes: 100, allowPrivate: true })).rejects.toThrow('it answered 302')
  expect(inside.connections()).toBe(0)
})

test('gives the file where the address is permitted', async () => {
  const seen: unknown[] = []
  await using server = await serve((request, response) => {
    seen.push(request.headers.authorization)
    response.end('the file')
  })
  expect(await text(await download(server.url, { maxBytes: 8, allowPrivate: true }))).toBe('the file')
  expect(seen).toEqual([undefined])
})

test('a file that is too large ends in an error, whether it declares its size or not', async () => {
  await using honest = await serve((_request, response) => void response.end('x'.repeat(101)))
  await expect(download(honest.url, { maxBytes: 100, allowPrivate: true })).rejects.toThrow(DownloadFailed)

  await using sly = await serve((_request, response) => {
    response.write('x'.repeat(60))
    response.end('x'.repeat(60))
  })
  const stream = await download(sly.url, { maxBytes: 100, allowPrivate: true })
  await expect(text(stream)).rejects.toThrow('larger than 100 bytes')
})

test('ordinary addresses are public', () => {
  for (const address of ['8.8.8.8', '1.1.1.1', '200.147.3.157', '2606:4700::1111', '2800:3f0:4001::1']) {
    expect([address, isPublicAddress(address)]).toEqual([address, true])
  }
})

property.prop([fc.ipV4()])('an IPv4 address inside IPv6 is never public', (address) => {
  expect(isPublicAddress(`::ffff:${address}`)).toBe(false)
  expect(isPublicAddress(`64:ff9b::${address}`)).toBe(false)
})
