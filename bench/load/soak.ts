/**
 * `npm run bench -- soak --minutes 10`: reads, lists and writes documents continuously and samples
 * memory every second. The criterion is the slope of the memory after garbage collections in the
 * second half; the first half is the warm-up. Refused passes are printed with the kinds of refusals.
 */
import { setTimeout as delay } from 'node:timers/promises'
import { generatorText, measure } from '../support/load.ts'
import { readOptions } from '../support/options.ts'
import { residentMb } from '../support/processor.ts'
import { begin, type Plot } from '../support/result.ts'
import { median, rounded } from '../support/spread.ts'
import { openStage } from '../support/stage.ts'
import { startHomeport } from '../targets/homeport.ts'
import type { LoadTask } from '../targets/target.ts'

const CONNECTIONS = 64
const PASS_S = 2
const LOOK_MS = 1000
/** Maximum slope in MB per hour. */
const SLOPE_MAX = 60
/** Minimum duration; shorter runs measure only the warm-up. */
const MINUTES_MIN = 5
const TURNS: readonly LoadTask[] = ['get', 'list', 'create']

interface Look {
  minute: number
  resident_mb: number
  heap_mb: number
}

const options = readOptions()
const finish = begin('soak', options)
const stage = await openStage()
const homeport = await startHomeport(stage)
const looks: Look[] = []
let done = false

/** The heap size that the process reports at /metrics. */
async function heapMb(): Promise<number> {
  const answer = await fetch(`${homeport.origin}/metrics`)
  const [, bytes] = /^nodejs_heap_size_used_bytes ([\d.e+]+)/m.exec(await answer.text()) ?? []
  return Number(bytes ?? 0) / 1024 ** 2
}

async function look(): Promise<void> {
  const begun = performance.now()
  while (!done) {
    const heap_mb = await heapMb().catch(() => 0)
    const minute = (performance.now() - begun) / 60_000
    if (heap_mb > 0) looks.push({ minute, resident_mb: residentMb(homeport.pid), heap_mb })
    await delay(LOOK_MS)
  }
}

async function load() {
  const end = performance.now() + options.minutes * 60_000
  const waits: number[] = []
  let refused = 0
  let requests_made = 0
  for (let turn = 0; performance.now() < end; turn += 1) {
    const requests = await homeport.requests(TURNS[turn % TURNS.length]!)
    if (!requests) throw new Error('It can do all of these.')
    const pass = await measure({
      requests,
      connections: CONNECTIONS,
      seconds: PASS_S,
      folder: stage.folder,
      service_pid: homeport.pid,
      postgres_pid: stage.postgres_pid,
    })
    if (pass.refused > 0) console.error(`${pass.refused} refused: ${pass.how}.`)
    refused += pass.refused
    requests_made += Math.round(pass.per_second * PASS_S)
    waits.push(pass.p99_ms)
  }
  return { waits, refused, requests_made }
}

/** The minimum of each interval, which is the memory directly after a garbage collection. */
function floors(values: readonly (readonly [number, number])[], stretches: number) {
  const size = Math.max(1, Math.floor(values.length / stretches))
  return Array.from({ length: Math.ceil(values.length / size) }, (_, at) =>
    values.slice(at * size, (at + 1) * size).reduce((low, one) => (one[1] < low[1] ? one : low)),
  )
}

interface Slope {
  /** The slope in MB per hour, by least squares. */
  value: number
  /** Uncertainty: two standard errors. */
  chance: number
}

function slopeOf(points: readonly (readonly [minute: number, value: number])[]): Slope {
  const sum = (values: readonly number[]) => values.reduce((all, one) => all + one, 0)
  const count = Math.max(points.length, 3)
  const x = sum(points.map(([at]) => at)) / count
  const y = sum(points.map(([, value]) => value)) / count
  const width = sum(points.map(([at]) => (at - x) ** 2)) || 1
  const slope = sum(points.map(([at, value]) => (at - x) * (value - y))) / width
  const off = sum(points.map(([at, value]) => (value - y - slope * (at - x)) ** 2))
  const error = Math.sqrt(off / (count - 2) / width)
  return { value: slope * 60, chance: 2 * error * 60 }
}

const looking = look()
const { waits, refused, requests_made } = await load()
done = true
await looking
await homeport.stop()
await stage.close()

const half = looks.filter(({ minute }) => minute > options.minutes / 2)
const series = (figure: 'resident_mb' | 'heap_mb', some = looks) =>
  some.map((one) => [one.minute, one[figure]] as const)
const slopes = {
  resident: slopeOf(floors(series('resident_mb', half), 10)),
  heap: slopeOf(floors(series('heap_mb', half), 10)),
}
const plot: Plot = {
  name: 'memory',
  title: 'Memory over the run, in MB',
  x: { title: 'minutes', scale: 'linear' },
  y: { title: 'MB', scale: 'linear' },
  series: [
    { name: 'resident', points: thinned(series('resident_mb')) },
    { name: 'heap', points: thinned(series('heap_mb')) },
  ],
}

/** Reduces points to the number that a plot shows. */
function thinned(points: readonly (readonly [number, number])[]) {
  const every = Math.max(1, Math.ceil(points.length / 200))
  return points
    .filter((_, at) => at % every === 0)
    .map(([x, y]) => [rounded(x), rounded(y)] as const)
}

function verdict({ value, chance }: Slope): string {
  if (options.minutes < MINUTES_MIN) return `too short: at least ${MINUTES_MIN} minutes`
  return value - chance <= SLOPE_MAX ? 'no growth' : 'GROWS'
}
finish({
  generator: generatorText(CONNECTIONS),
  tables: [
    {
      title: `${options.minutes} minutes of reading, listing and writing documents`,
      about:
        'The slope is that of the lowest values of ten stretches of the second half, by least ' +
        `squares, with two standard errors. What is surely more than ${SLOPE_MAX} MB an hour grows.`,
      columns: ['memory', 'first MB', 'half-way MB', 'last MB', 'slope MB/hour', 'judged'],
      rows: (['resident', 'heap'] as const).map((name) => {
        const figure = name === 'resident' ? 'resident_mb' : 'heap_mb'
        const at = (place: Look | undefined) => rounded(place?.[figure] ?? 0)
        const slope = slopes[name]
        return [
          name,
          at(looks[0]),
          at(half[0]),
          at(looks.at(-1)),
          `${rounded(slope.value)} ± ${rounded(slope.chance)}`,
          verdict(slope),
        ]
      }),
    },
    {
      title: 'What it answered meanwhile',
      columns: ['requests', 'refused', 'p99 ms of a pass: median', 'highest'],
      rows: [[requests_made, refused, rounded(median(waits)), rounded(Math.max(...waits))]],
    },
  ],
  plots: [plot],
})
