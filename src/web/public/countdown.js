/** Uses the clock of the server, because the one of this machine may be wrong. */
const ahead = Number(document.documentElement.dataset.clock) - Date.now()

/** Counts every `<time data-in>` down, second by second. */
export const countDown = () => {
  for (const time of document.querySelectorAll('time[data-in]')) {
    const seconds = Math.ceil((Date.parse(time.dateTime) - Date.now() - ahead) / 1000)
    const text = seconds > 0 ? time.dataset.in.replace('{}', spanOf(seconds)) : time.dataset.now
    if (time.textContent !== text) time.textContent = text
  }
}

/** Formats a span as the rest of the page does: `45 s`, `1 min 05 s`, `2 h 05 min`. */
const spanOf = (seconds) => {
  const two = (value) => String(value).padStart(2, '0')
  if (seconds < 60) return `${seconds} s`
  const minutes = Math.floor(seconds / 60)
  return minutes < 60
    ? `${minutes} min ${two(seconds % 60)} s`
    : `${Math.floor(minutes / 60)} h ${two(minutes % 60)} min`
}
