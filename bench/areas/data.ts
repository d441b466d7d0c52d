/**
 * `npm run bench -- data`: documents read, listed, written and written in batches, alternating
 * between Homeport, bare routes of Fastify and pg, and the peers of bench/peers, all on one
 * PostgreSQL. A peer that is not installed or does not start is reported and skipped.
 */
import { generatorText, measure, type Pass } from '../support/load.ts'
import { readOptions } from '../support/options.ts'
import { begin, type ResultTable } from '../support/result.ts'
import { openStage } from '../support/stage.ts'
import { figureOf, ratioOf, takeTurns, type Turns } from '../support/turns.ts'
import { startBare } from '../targets/bare.ts'
import { startDirectus } from '../targets/directus.ts'
import { startHomeport } from '../targets/homeport.ts'
import { startParseServer } from '../targets/parse-server.ts'
import { startStrapi } from '../targets/strapi.ts'
import { startSupabaseLite } from '../targets/supabase-lite.ts'
import { tasks, type Target, type LoadTask } from '../targets/target.ts'

const CONNECTIONS = 32
/** Seconds of warm-up before each pass, because caches are cold after the passes of the others. */
const WARM_UP_S = 1
const titles: Record<LoadTask, string> = {
  get: 'A document by its id',
  list: 'Twenty of 10,000 documents, filtered and sorted by an indexed field',
  create: 'A document written',
  batch: 'A hundred documents in one request',
}

const options = readOptions()
const finish = begin('data', options)
const stage = await openStage()
const targets: Target[] = []
const missing: Record<string, string> = {}

const homeport = await startHomeport(stage)
targets.push(homeport, await startBare(stage))
const peers = {
  'supabase-lite': startSupabaseLite,
  'parse-server': startParseServer,
  strapi: startStrapi,
  directus: startDirectus,
}
for (const [name, start] of Object.entries(peers)) {
  try {
    targets.push(await start(stage))
  } catch (error) {
    missing[name] = String(error).slice(0, 500)
    console.error(`${name} is not measured: ${missing[name]}`)
  }
}
const byName = new Map(targets.map((target) => [target.name, target]))

async function compare(task: LoadTask): Promise<Turns> {
  const able: string[] = []
  for (const target of targets) if (await target.requests(task)) able.push(target.name)
  return takeTurns(able, options.rounds, async (name) => {
    const target = byName.get(name)
    if (!target) throw new Error(`There is no ${name}.`)
    await passOf(await askedOf(target, task), WARM_UP_S)
    return passOf(await askedOf(target, task))
  })
}

async function askedOf(target: Target, task: LoadTask): Promise<Asked> {
  const requests = await target.requests(task)
  if (!requests) throw new Error(`${target.name} has no ${task}.`)
  return { pid: target.pid, requests, connections: CONNECTIONS }
}

interface Asked {
  pid: number
  requests: Parameters<typeof measure>[0]['requests']
  connections: number
}

function passOf({ pid, requests, connections }: Asked, seconds = options.seconds): Promise<Pass> {
  const { folder, postgres_pid } = stage
  return measure({ requests, connections, seconds, folder, service_pid: pid, postgres_pid })
}

const median = (turns: Turns, name: string) => figureOf(turns, name, 'per_second')?.median ?? 0

function tableOf(task: LoadTask, turns: Turns): ResultTable {
  const others = [...turns.keys()].filter((name) => name !== 'homeport' && name !== 'bare')
  const [best] = others.toSorted((one, other) => median(turns, other) - median(turns, one))
  return {
    title: titles[task],
    about:
      `Homeport to the best peer${best ? ` (${best})` : ''} and to the bare route in the same ` +
      'round, and what each did; `homeport ×` is how many times its rate Homeport had.',
    columns: [
      'service',
      'requests/s',
      'homeport ×',
      'p50 ms',
      'p99 ms',
      'processor µs',
      'PostgreSQL µs',
    ],
    rows: [...turns.keys()].map((name) => [
      name,
      figureOf(turns, name, 'per_second') ?? 'refused',
      name === 'homeport' ? null : ratioOf(turns, 'homeport', name),
      figureOf(turns, name, 'p50_ms'),
      figureOf(turns, name, 'p99_ms'),
      figureOf(turns, name, 'service_us'),
      figureOf(turns, name, 'postgres_us'),
    ]),
  }
}

/** List queries of a single client, by the type of index that they use. */
const lists = {
  'filtered and sorted by an indexed field': 'filter=n >= 5000&sort=-n',
  'and by another field too': 'filter=n >= 5000 and name contains "7"&sort=-n',
  'filtered by a field without an index': 'filter=email = "customer-5000@example.com"',
  'newest first': '',
}

async function listAlone(): Promise<ResultTable> {
  const names = Object.keys(lists)
  const turns = await takeTurns(names, options.rounds, (name) => {
    const query = Object.entries(lists).find(([one]) => one === name)?.[1] ?? ''
    const requests = homeport.listing(query && `&${encodeURI(query)}`)
    return passOf({ pid: homeport.pid, requests, connections: 1 })
  })
  return {
    title: 'A list of twenty of 10,000, one client alone',
    columns: ['list', 'p50 ms', 'p99 ms'],
    rows: names.map((name) => [
      name,
      figureOf(turns, name, 'p50_ms'),
      figureOf(turns, name, 'p99_ms'),
    ]),
  }
}

const tables: ResultTable[] = [
  {
    title: 'Who takes part',
    columns: ['service', 'version', 'what it does for a request'],
    rows: targets.map(({ name, version, about }) => [name, version || '–', about]),
  },
]
for (const task of tasks) {
  if (!options.wants(task)) continue
  tables.push(tableOf(task, await compare(task)))
  console.error(`${task} is done`)
}
if (options.wants('list')) tables.push(await listAlone())
finish({
  generator: generatorText(CONNECTIONS),
  versions: {
    postgres: stage.postgres_version,
    ...Object.fromEntries(
      targets.filter(({ version }) => version).map(({ name, version }) => [name, version]),
    ),
  },
  missing,
  tables,
})
for (const target of targets) await target.stop()
await stage.close()
