import { countDown } from './countdown.js'
import { takeDrops } from './drop.js'
import { readRowsAnew } from './live-rows.js'

/** Asks before an action that cannot be undone. */
document.addEventListener('submit', (event) => {
  const { ask } = event.target.dataset
  if (ask && !window.confirm(ask)) event.preventDefault()
})

/** A filter applies as soon as one of its fields changes. */
document.addEventListener('change', (event) => {
  const form = event.target.closest('form[data-submit-on-change]')
  if (form) form.requestSubmit()
})

/** `/` goes to the search field, `g` and a digit to an entry of the menu. */
let leading = false
document.addEventListener('keydown', (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || event.target.closest('input, select, textarea')) return
  const entries = document.querySelectorAll('header nav a')
  if (event.key === '/') {
    const field = ['main input[type="search"]', 'main input[name="document"]', 'header input[name="document"]']
      .map((place) => document.querySelector(place))
      .find(Boolean)
    if (field) event.preventDefault()
    field?.focus()
  } else if (leading && entries[Number(event.key) - 1]) entries[Number(event.key) - 1].click()
  leading = event.key === 'g'
})

/** When the counts of a batch change, its rows are read again. */
document.addEventListener('htmx:sse:after:message', (event) => {
  if (event.target.id === 'live') readRowsAnew()
})

/** A notice is shown once: it is taken out of the address, so that a reloaded or shared page does not repeat it. */
const address = new URL(window.location)
if (address.searchParams.has('notice')) {
  address.searchParams.delete('notice')
  window.history.replaceState(window.history.state, '', address)
}

/**
 * When a batch ends, the page reloads, because it now has other rows, downloads and plots. If the person has just clicked
 * a link or a download, the page waits before it reloads, because that would cancel the click.
 */
let leftAt = Number.NEGATIVE_INFINITY
window.addEventListener('beforeunload', () => {
  leftAt = performance.now()
})
const loadAnew = () => {
  if (performance.now() - leftAt < 5_000) setTimeout(loadAnew, 500)
  else window.location.reload()
}
document.addEventListener('over', loadAnew)

/** On a narrow screen the menu scrolls to the current entry. `scrollIntoView` would also move where the Tab key starts. */
const here = document.querySelector('header [aria-current="page"]')
const menu = here?.closest('nav')
if (menu) menu.scrollLeft = here.offsetLeft + here.offsetWidth - menu.clientWidth

countDown()
setInterval(countDown, 1_000)

takeDrops(document.getElementById('upload'))
