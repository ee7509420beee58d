const { lang } = document.documentElement
const short = new Intl.NumberFormat(lang, { notation: 'compact', maximumFractionDigits: 2 })
const money = new Intl.NumberFormat(lang, {
  style: 'currency',
  currency: 'BRL',
  notation: 'compact',
  minimumFractionDigits: 0,
  maximumFractionDigits: 1,
})

/** The text of a number on an axis: amounts with their currency, durations with their unit, counts only if they are integers. */
export const tick = (unit) => (value) => {
  if (unit === 'BRL') return money.format(value)
  if (unit === 's') return `${short.format(value)} s`
  return unit === 'count' && !Number.isInteger(value) ? '' : short.format(value)
}

const integers = [...Array(10).keys()].flatMap((power) => [1, 2, 5].map((factor) => factor * 10 ** power))

/** The distances that an axis may have between two numbers; between counts they are integers. */
export const steps = (unit) => (unit === 'count' ? { incrs: integers } : {})
