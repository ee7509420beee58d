import { test as property } from '@fast-check/vitest'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { maskLine, registerSecret } from '../../src/log/mask.ts'

describe('documents', () => {
  test.each([
    ['529.982.247-25', '***.982.247-**'],
    ['52998224725', '***.982.247-**'],
    ['cpf52998224725', 'cpf***.982.247-**'],
    ['00052998224725', '***.982.247-**'],
    ['529982247-25', '***.982.247-**'],
    ['12.ABC.345/01DE-35', '**.***.345/01DE-**'],
    ['12abc34501de35', '**.***.345/01DE-**'],
    ['cnpj12ABC34501DE35', 'cnpj**.***.345/01DE-**'],
    ['11222333000181', '**.***.333/0001-**'],
    ['/document/11.222.333%2F0001-81?x=1', '/document/**.***.333/0001-**?x=1'],
    ['?q=%2052998224725', '?q=%20***.982.247-**'],
    ['a\\n12ABC34501DE35\\nb', 'a\\n**.***.345/01DE-**\\nb'],
    ['AB 123 456 1234 11.222.333/0001-81', 'AB 123 456 1234 **.***.333/0001-**'],
    ['123.456.789-00', '***.456.789-**'],
  ])('%s is shown as %s', (text, shown) => {
    expect(maskLine(text)).toBe(shown)
    expect(maskLine(JSON.stringify({ text }))).toBe(JSON.stringify({ text: shown }))
  })

  test('a document that is a number in JSON becomes a string', () => {
    expect(maskLine('{"cpf":52998224725,"list":[11222333000181]}')).toBe(
      '{"cpf":"***.982.247-**","list":["**.***.333/0001-**"]}',
    )
  })
})

describe('what is no document or secret stays as it is', () => {
  test.each([
    '{"level":30,"time":1700000000123,"pid":12345,"responseTime":1.52998224725,"msg":"batch imported"}',
    'lookup 9007199254740993 took 12345678900 ns',
    '2026-03-01T12:00:00.123Z 0058967-77.2016.8.19.0000',
    '01890a5d-ac96-774b-bcce-b302099a8057',
    'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
    'the bearer header is missing; token: expired',
    'GET http://127.0.0.1:8080/v1/scr/indicators/x 100%25',
    '{not json 52998224726}',
  ])('%s', (line) => {
    expect(maskLine(line)).toBe(line)
  })

  property.prop([fc.jsonValue()])('a line of JSON stays JSON of the same shape', (value) => {
    const line = JSON.stringify({ value })
    expect(Object.keys(JSON.parse(maskLine(line)))).toEqual(['value'])
  })

  property.prop([fc.string()])('masking twice is masking once', (text) => {
    expect(maskLine(maskLine(text))).toBe(maskLine(text))
  })
})

describe('secrets', () => {
  test.each([
    ['Bearer abc', 'Bearer [secret]'],
    ['authorization: bearer 0123456789abcdef', 'authorization: bearer [secret]'],
    ['Bearer%20abc.def-ghi&x=1', 'Bearer%20[secret]&x=1'],
    ['x eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2ln y', 'x [secret] y'],
    ['operator vig_0Ab-9_z wrote', 'operator [secret] wrote'],
    ['postgres://vigia:p%40ss@db:5432/x', 'postgres://vigia:[secret]@db:5432/x'],
    ['{\\"refreshToken\\":\\"abc\\"}', '{\\"refreshToken\\":\\"[secret]\\"}'],
    ['?access_token=abc&x=1', '?access_token=[secret]&x=1'],
  ])('%s is shown as %s', (text, shown) => {
    expect(maskLine(text)).toBe(shown)
    expect(maskLine(JSON.stringify({ text }))).toBe(JSON.stringify({ text: shown }))
  })

  test('the value of a key that names a secret is hidden, whatever it looks like', () => {
    expect(maskLine('{"refreshToken":"a \\"b","cause":"token"}')).toBe('{"refreshToken":"[secret]","cause":"token"}')
  })

  test('a registered value is hidden as it is, in JSON and in an address', () => {
    const secret = 's3cr"t /é\\x'
    registerSecret(secret)
    expect(maskLine(`a ${secret} b`)).toBe('a [secret] b')
    expect(maskLine(JSON.stringify({ body: JSON.stringify({ secret }) }))).not.toContain('s3cr')
    expect(maskLine(`/x?t=${encodeURIComponent(secret)}`)).toBe('/x?t=[secret]')
  })
})
