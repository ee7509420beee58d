import { countDown } from './countdown.js'
import { takeDrops } from './drop.js'
import { readRowsAnew } from './live-rows.js'

/** A question before what cannot be taken back. */
document.addEventListener('submit', (event) => {
  const { ask } = event.target.dataset
  if (ask && !window.confirm(ask)) event.preventDefault()
})

/** A filter that is changed is a filter that is meant. */
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

/** The counts of a batch moved, so did its rows. */
document.addEventListener('htmx:sse:after:message', (event) => {
  if (event.target.id === 'live') readRowsAnew()
})

/** What was just done is told once: a page that is loaded again, or sent to somebody, says nothing of it. */
const address = new URL(window.location)
if (address.searchParams.has('notice')) {
  address.searchParams.delete('notice')
  window.history.replaceState(window.history.state, '', address)
}

/**
 * When a batch has come to its end, what it offers changes: rows, downloads, plots. Whoever is on the way to another page
 * or to a file goes first: a page that loads itself anew would take the click back.
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

/** On a narrow screen the menu scrolls; where one is should be seen. Scrolling to it would take the Tab key along. */
const here = document.querySelector('header [aria-current="page"]')
const menu = here?.closest('nav')
if (menu) menu.scrollLeft = here.offsetLeft + here.offsetWidth - menu.clientWidth

countDown()
setInterval(countDown, 1_000)

takeDrops(document.getElementById('upload'))
