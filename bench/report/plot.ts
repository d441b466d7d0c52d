/** A line plot as an SVG file, readable on light and dark pages. */
import type { Axis, Plot } from '../support/result.ts'

const WIDTH = 760
const HEIGHT = 400
const LEFT = 70
const RIGHT = 220
const TOP = 44
const BOTTOM = 52
/** Minimum distance between line labels. */
const NAME_HEIGHT = 16
const TICKS = 5

/** Colours for colour-blind readers: for white pages, and for dark pages. */
const colours = [
  ['#0b62a8', '#6cb8f2'],
  ['#b8480a', '#ff9d5c'],
  ['#1a7a42', '#5fd08b'],
  ['#8a3ab0', '#d39bf0'],
  ['#a8163c', '#ff7d9c'],
  ['#5c5a10', '#d6d05a'],
  ['#35565c', '#9ccbd2'],
] as const

type Point = readonly [x: number, y: number]

interface Scale {
  place(value: number): number
  ticks: readonly number[]
}

export function plotSvg({ title, x, y, series: all }: Plot): string {
  const series = all.filter(({ points }) => points.length > 0)
  const points = series.flatMap((one) => one.points)
  const across = scaleOf(
    x,
    points.map(([value]) => value),
    [LEFT, WIDTH - RIGHT],
  )
  const up = scaleOf(
    y,
    points.map(([, value]) => value),
    [HEIGHT - BOTTOM, TOP],
  )
  const lines = series.map((one, at) => line(one.points, { across, up, at })).join('')
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-label="${escaped(title)}">
<title>${escaped(title)}</title>
<style>${style()}</style>
<rect class="page" width="${WIDTH}" height="${HEIGHT}"/>
<text class="title" x="${LEFT}" y="24">${escaped(title)}</text>
${axes(x, y, { across, up })}
${lines}${names(series, up)}</svg>
`
}

function style(): string {
  const of = (dark: 0 | 1) =>
    colours
      .map((pair, at) => `.l${at}{stroke:${pair[dark]}}.n${at},.d${at}{fill:${pair[dark]}}`)
      .join('')
  return `text{font:12px system-ui,sans-serif;fill:#333}.title{font-weight:600;font-size:14px}.page{fill:#fff}.grid{stroke:#ddd}.line{fill:none;stroke-width:2}${of(0)}@media(prefers-color-scheme:dark){text{fill:#ccc}.page{fill:#111}.grid{stroke:#333}${of(1)}}`
}

function scaleOf(axis: Axis, values: readonly number[], [from, to]: Point): Scale {
  const low = Math.min(...values)
  const high = Math.max(...values)
  const bounds = axis.scale === 'log' ? logBounds(low, high) : linearBounds(low, high)
  const bend = axis.scale === 'log' ? Math.log10 : (value: number) => value
  const [first, last] = [bend(bounds.from), bend(bounds.to)]
  const place = (value: number) =>
    from + ((bend(value) - first) / (last - first || 1)) * (to - from)
  return { place, ticks: bounds.ticks }
}

/** Rounds to 1, 2 or 5 times a power of ten. */
function logBounds(low: number, high: number) {
  const steps = Array.from({ length: 16 }, (_, at) => at - 4).flatMap((power) =>
    [1, 2, 5].map((digit) => Number((digit * 10 ** power).toPrecision(1))),
  )
  const below = steps.findLast((step) => step <= low) ?? steps[0]!
  const above = steps.find((step) => step >= high) ?? steps.at(-1)!
  const ticks = steps.filter((step) => step >= below && step <= above)
  return { from: below, to: above, ticks }
}

function linearBounds(low: number, high: number) {
  const rough = (high - Math.min(low, 0)) / TICKS || 1
  const power = 10 ** Math.floor(Math.log10(rough))
  const step = [1, 2, 5, 10].map((digit) => digit * power).find((one) => one >= rough) ?? power * 10
  const to = Math.ceil(high / step) * step
  const ticks = Array.from({ length: Math.round(to / step) + 1 }, (_, at) =>
    Number((at * step).toPrecision(6)),
  )
  return { from: 0, to, ticks }
}

interface Scales {
  across: Scale
  up: Scale
}

function axes(x: Axis, y: Axis, { across, up }: Scales): string {
  const below = HEIGHT - BOTTOM
  const flat = up.ticks.map((tick) => {
    const at = round(up.place(tick))
    return `<path class="grid" d="M${LEFT} ${at}H${WIDTH - RIGHT}"/><text x="${LEFT - 8}" y="${round(at + 4)}" text-anchor="end">${tickText(tick)}</text>`
  })
  const steep = across.ticks.map((tick) => {
    const at = round(across.place(tick))
    return `<path class="grid" d="M${at} ${TOP}V${below}"/><text x="${at}" y="${below + 18}" text-anchor="middle">${tickText(tick)}</text>`
  })
  const middle = (LEFT + WIDTH - RIGHT) / 2
  const titles = `<text x="${middle}" y="${HEIGHT - 12}" text-anchor="middle">${escaped(x.title)}</text><text x="16" y="${TOP - 8}">${escaped(y.title)}</text>`
  return [...flat, ...steep, titles].join('\n')
}

function line(points: readonly Point[], { across, up, at }: Scales & { at: number }): string {
  const places = points.map(([x, y]) => `${round(across.place(x))} ${round(up.place(y))}`)
  const kind = at % colours.length
  // Each point has a dot if there are few points.
  const dots = places.length <= 12 ? places : []
  const circles = dots.map((place) => {
    const [x, y] = place.split(' ')
    return `<circle class="d${kind}" cx="${x}" cy="${y}" r="3"/>`
  })
  return `<path class="line l${kind}" d="M${places.join('L')}"/>${circles.join('')}\n`
}

/** Labels at the ends of the lines, moved apart if they overlap. */
function names(series: Plot['series'], up: Scale): string {
  const ends = series
    .map(({ name, points }, at) => ({ name, at, y: up.place(points.at(-1)?.[1] ?? 0) }))
    .toSorted((one, other) => one.y - other.y)
  let last = -Infinity
  const texts = ends.map(({ name, at, y }) => {
    last = Math.max(y + 4, last + NAME_HEIGHT)
    return `<text class="n${at % colours.length}" x="${WIDTH - RIGHT + 10}" y="${round(last)}">${escaped(name)}</text>`
  })
  return `${texts.join('\n')}\n`
}

const round = (value: number): number => Math.round(value * 10) / 10
const tickText = (value: number): string => value.toLocaleString('en', { maximumFractionDigits: 4 })

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;')
}
