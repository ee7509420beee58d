import { steps, tick } from './plot-axis.js'

const drawn = new WeakMap()

/** Draws the plot in `data-plot` in the colours of the page, and again when it, its width or its colours change. */
const draw = (box) => {
  const text = box.dataset.plot
  const plot = JSON.parse(text)
  drawn.get(box).canvas?.destroy()
  const { options, data } = shapes[plot.kind](plot, coloursOf(box), box.clientWidth)
  drawn.set(box, { text, canvas: new uPlot(options, data, box) })
}

const coloursOf = (box) => {
  const style = getComputedStyle(box)
  const colour = (name) => style.getPropertyValue(name).trim()
  return { text: colour('--muted'), grid: colour('--line'), first: colour('--accent'), second: colour('--lamp') }
}

const font = '12px system-ui, sans-serif'
const axis = (colours, more) => ({
  stroke: colours.text,
  font,
  grid: { stroke: colours.grid, width: 1 },
  ticks: { show: false },
  ...more,
})
const bars = (size) => uPlot.paths.bars({ size, radius: 0.2 })

const shapes = {
  /** One horizontal bar for each name; names on the left. */
  bars({ labels, values, unit }, colours, width) {
    const names = Math.min(210, Math.max(120, width * 0.38))
    const fits = Math.floor(names / 6.6)
    const name = (index) => (labels[index]?.length > fits ? `${labels[index].slice(0, fits - 1)}…` : labels[index])
    const options = {
      width,
      height: labels.length * 26 + 40,
      legend: { show: false },
      cursor: { show: false },
      scales: {
        x: { time: false, ori: 1, dir: -1, range: [-0.6, labels.length - 0.4] },
        y: { ori: 0, dir: 1, range: (_, _min, max) => [0, Math.max(1, max) * 1.05] },
      },
      axes: [
        axis(colours, {
          side: 3,
          size: names,
          splits: labels.map((_, at) => at),
          values: (_, splits) => splits.map(name),
          grid: { show: false },
        }),
        axis(colours, {
          side: 2,
          size: 32,
          values: (_, splits) => splits.map(tick(unit)),
          space: 70,
          ...steps(unit),
        }),
      ],
      series: [{}, { label: unit, fill: colours.first, width: 0, paths: bars([0.62, 18]), points: { show: false } }],
    }
    return { options, data: [labels.map((_, at) => at), values] }
  },

  /** One vertical bar for each day or minute. */
  times({ labels, values, unit }, colours, width) {
    const options = {
      width,
      height: 180,
      legend: { show: false },
      cursor: { show: false },
      scales: {
        x: { time: false, range: [-0.6, labels.length - 0.4] },
        y: { range: (_, _min, max) => [0, Math.max(unit === 'count' ? 1 : 0.1, max) * 1.05] },
      },
      axes: [
        axis(colours, {
          values: (_, splits) => splits.map((at) => labels[at] ?? ''),
          size: 32,
          space: 60,
          grid: { show: false },
        }),
        axis(colours, {
          values: (_, splits) => splits.map(tick(unit)),
          size: 48,
          ...steps(unit),
        }),
      ],
      series: [{}, { fill: colours.first, width: 0, paths: bars([0.6, 40]), points: { show: false } }],
    }
    return { options, data: [labels.map((_, at) => at), values] }
  },

  /** Up to two lines over time, each with its own scale. */
  lines({ times, series }, colours, width) {
    const shown = series.filter(({ values }) => values.some((value) => value !== null))
    const strokes = [colours.first, colours.second]
    const date = new Intl.DateTimeFormat('pt-BR', { day: '2-digit', month: '2-digit', timeZone: 'America/Sao_Paulo' })
    const scale = (at) => `figure${at}`
    const around = (_, min, max) => [Math.max(0, min - (max - min) * 0.1 - 0.5), max + (max - min) * 0.1 + 0.5]
    const options = {
      width,
      height: 280,
      legend: { live: false },
      cursor: { drag: { x: false, y: false } },
      scales: Object.fromEntries([['x', { time: true }], ...shown.map((_, at) => [scale(at), { range: around }])]),
      axes: [
        axis(colours, { values: (_, splits) => splits.map((value) => date.format(value * 1000)), size: 32, space: 70 }),
        ...shown.map(({ unit }, at) =>
          axis(colours, {
            scale: scale(at),
            side: at === 0 ? 3 : 1,
            size: 64,
            values: (_, splits) => splits.map(tick(unit)),
            ...steps(unit),
            grid: { show: at === 0, stroke: colours.grid },
          }),
        ),
      ],
      series: [
        {},
        ...shown.map(({ label }, at) => ({
          label,
          scale: scale(at),
          stroke: strokes[at],
          width: 2,
          points: { show: true, size: 5 },
          spanGaps: true,
        })),
      ],
    }
    return { options, data: [times, ...shown.map(({ values }) => values)] }
  },
}

const drawAll = (root) => {
  for (const box of root.querySelectorAll('[data-plot]')) {
    const before = drawn.get(box)
    if (before?.canvas && before.text !== box.dataset.plot) draw(box)
    if (before) continue
    drawn.set(box, {})
    let width = 0
    new ResizeObserver(() => {
      if (box.clientWidth === width || box.clientWidth === 0) return
      width = box.clientWidth
      draw(box)
    }).observe(box)
  }
}

window.matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => {
  for (const box of document.querySelectorAll('[data-plot]')) if (drawn.get(box)?.canvas) draw(box)
})

drawAll(document)
document.addEventListener('htmx:after:swap', () => drawAll(document))
