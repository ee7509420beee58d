import { fc, test as property } from '@fast-check/vitest'
import { expect, test } from 'vitest'
import { html, json } from '../../src/writing/html.ts'

const anyText = fc.string({ unit: fc.constantFrom('<', '>', '"', "'", '&', ';', 'a', '=', '\n', 'ç') })

property.prop([anyText])('any text stays text', (text) => {
  const { text: written } = html`<p title="${text}">${text}</p>`
  const inside = written.slice('<p title="'.length, -'</p>'.length)
  expect(inside.replace('">', '')).not.toMatch(/[<>"']/)
  expect(unescaped(inside.slice(inside.indexOf('">') + 2))).toBe(text)
})

const unescaped = (written: string): string =>
  written
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&')

test('pieces nest, lists are joined, and empty values leave nothing', () => {
  const list = ['a<', 'b'].map((each) => html`<li>${each}</li>`)
  expect(html`<ul>${list}${null}${undefined}${false}${0}</ul>`.text).toBe('<ul><li>a&lt;</li><li>b</li>0</ul>')
})

test('figures for a plot survive the attribute', () => {
  expect(html`<i data-plot="${json({ values: [1n, 2] })}"></i>`.text).toBe(
    '<i data-plot="{&quot;values&quot;:[1,2]}"></i>',
  )
})
