let wanted = false
let reading = false

/** Reads the shown rows of a batch again. Calls that arrive while a read is running share one more read. */
export const readRowsAnew = async () => {
  wanted = true
  if (reading) return
  reading = true
  while (wanted) {
    wanted = false
    await readRows(document.querySelector('tbody[data-rows]'))
  }
  reading = false
}

const readRows = async (lines) => {
  if (!lines || isGrowing(lines)) return
  const shown = countOf(lines)
  const address = new URL(lines.dataset.rows, window.location)
  address.searchParams.set('shown', shown)
  const keepNewer = (event) => {
    if (event.target === lines && (isGrowing(lines) || countOf(lines) > shown)) event.preventDefault()
  }
  document.addEventListener('htmx:before:swap', keepNewer)
  const path = address.pathname + address.search
  await window.htmx.ajax('GET', path, { source: lines, target: lines, swap: 'innerMorph' }).catch(() => undefined)
  document.removeEventListener('htmx:before:swap', keepNewer)
}

const countOf = (lines) => lines.querySelectorAll('tr:not(.more)').length

/** Whether more rows were requested and have not arrived yet. */
const isGrowing = (lines) => lines.querySelector('.htmx-request') !== null
