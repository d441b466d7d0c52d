/**
 * `npm run bench -- concurrency`: 1, 8, 64 and 256 connections request a project or a document,
 * alternating with a bare route of Fastify and pg. Reports rates, latencies up to p99.9, and
 * refusals.
 */
import { generatorText, measure, type Requests } from '../support/load.ts'
import { readOptions } from '../support/options.ts'
import { begin, type Plot, type ResultTable } from '../support/result.ts'
import { openStage } from '../support/stage.ts'
import { figureOf, ratioOf, takeTurns, type Turns } from '../support/turns.ts'
import { startBare } from '../targets/bare.ts'
import { startHomeport } from '../targets/homeport.ts'

const LEVELS = [1, 8, 64, 256] as const

const options = readOptions()
const finish = begin('concurrency', options)
const stage = await openStage()
const homeport = await startHomeport(stage)
const bare = await startBare(stage)

interface Path {
  title: string
  asked: Record<string, { requests: Requests; pid: number }>
}

const ours = await homeport.requests('get')
const theirs = await bare.requests('get')
const written = await homeport.requests('create')
const bare_written = await bare.requests('create')
if (!ours || !theirs || !written || !bare_written) throw new Error('Both can do both.')
const paths: Path[] = [
  {
    title: 'A document by its id',
    asked: {
      homeport: { requests: ours, pid: homeport.pid },
      bare: { requests: theirs, pid: bare.pid },
    },
  },
  {
    title: 'A document written',
    asked: {
      homeport: { requests: written, pid: homeport.pid },
      bare: { requests: bare_written, pid: bare.pid },
    },
  },
]

async function turnsOf({ title, asked }: Path): Promise<Map<number, Turns>> {
  const found = new Map<number, Turns>()
  for (const connections of LEVELS) {
    const turns = await takeTurns(Object.keys(asked), options.rounds, async (name) => {
      const { requests, pid: service_pid } = asked[name]!
      return measure({
        requests,
        connections,
        seconds: options.seconds,
        folder: stage.folder,
        service_pid,
        postgres_pid: stage.postgres_pid,
      })
    })
    found.set(connections, turns)
    console.error(`${title}, ${connections} connections: done`)
  }
  return found
}

function tableOf(title: string, found: ReadonlyMap<number, Turns>): ResultTable {
  return {
    title,
    columns: [
      'connections',
      'requests/s',
      'to bare',
      'p50 ms',
      'p99 ms',
      'p99.9 ms',
      'bare p99.9 ms',
      'passes refused',
    ],
    rows: [...found].map(([connections, turns]) => [
      connections,
      figureOf(turns, 'homeport', 'per_second'),
      ratioOf(turns, 'homeport', 'bare'),
      figureOf(turns, 'homeport', 'p50_ms'),
      figureOf(turns, 'homeport', 'p99_ms'),
      figureOf(turns, 'homeport', 'p999_ms'),
      figureOf(turns, 'bare', 'p999_ms'),
      (turns.get('homeport') ?? []).filter((pass) => pass === null).length,
    ]),
  }
}

function plotOf(found: ReadonlyMap<number, Turns>): Plot {
  const figures = { p50: 'p50_ms', p99: 'p99_ms', 'p99.9': 'p999_ms' } as const
  return {
    name: 'waits',
    title: 'Waiting for a document, by connections',
    x: { title: 'connections', scale: 'log' },
    y: { title: 'ms', scale: 'log' },
    series: Object.entries(figures).map(([name, figure]) => ({
      name,
      points: [...found].flatMap(([connections, turns]) => {
        const value = figureOf(turns, 'homeport', figure)?.median
        return value ? [[connections, value] as const] : []
      }),
    })),
  }
}

const found = new Map<Path, Map<number, Turns>>()
for (const path of paths) found.set(path, await turnsOf(path))
finish({
  generator: generatorText(0).replace('0 connections', 'as many connections as the table says'),
  versions: { postgres: stage.postgres_version },
  tables: paths.map((path) => tableOf(path.title, found.get(path)!)),
  plots: [plotOf(found.get(paths[0]!)!)],
})
await homeport.stop()
await bare.stop()
await stage.close()
