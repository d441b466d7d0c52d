/**
 * `npm run bench -- profile`: CPU profiles of the three most used paths: a document read with a
 * key, a document written, and events delivered to webhooks.
 */
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { generatorText, measure } from '../support/load.ts'
import { readOptions } from '../support/options.ts'
import { inspectable, kinds, openProfiler, type ProfiledFunction } from '../support/profiler.ts'
import { begin, type ResultTable } from '../support/result.ts'
import { rounded } from '../support/spread.ts'
import { openStage } from '../support/stage.ts'
import { startHomeport } from '../targets/homeport.ts'
import { batchBodies, type LoadTask } from '../targets/target.ts'

const CONNECTIONS = 32
const SHOWN = 15
/** A batch has a hundred documents, which cause a hundred events. */
const BATCHES = 200
/** Shorter than the time to deliver all events. */
const DELIVERIES_MS = 5000

const options = readOptions()
const finish = begin('profile', options)
const stage = await openStage()
const homeport = await startHomeport(stage, inspectable)
const receiver = fork(join(import.meta.dirname, '..', 'support', 'webhook-receiver.ts'))
const [{ port }] = (await once(receiver, 'message')) as [{ port: number }]
const profiler = await openProfiler(homeport.child)

/** Short passes, because the written collections are full after some seconds. */
async function load(task: LoadTask, passes: number): Promise<void> {
  for (let pass = 0; pass < passes; pass += 1) await loadOnce(task)
}

async function loadOnce(task: LoadTask): Promise<void> {
  const { folder, postgres_pid } = stage
  const service = { service_pid: homeport.pid, postgres_pid }
  const requests = await homeport.requests(task)
  if (!requests) throw new Error(`There is no ${task}.`)
  const seconds = options.seconds
  const { refused, how } = await measure({
    requests,
    connections: CONNECTIONS,
    seconds,
    folder,
    ...service,
  })
  if (refused > 0) throw new Error(`${task} was refused: ${how}.`)
}

async function profileOf(task: LoadTask): Promise<ProfiledFunction[]> {
  await loadOnce(task)
  return profiler.profile(() => load(task, options.rounds))
}

/** Starts with thousands of pending deliveries, so that the profile has no other work. */
async function profileDeliveries(): Promise<ProfiledFunction[]> {
  const { post } = homeport
  await post('/api/v1/webhooks', {
    url: `http://127.0.0.1:${port}/hooks`,
    events: ['document.created'],
  })
  for (let n = 0; n < BATCHES; n += 1) {
    const name = `told-${Math.floor(n / 100)}`
    if (n % 100 === 0) await post('/api/v1/collections', { name, webhook_on_insert: true })
    const operations = batchBodies[n % batchBodies.length]!.map((data) => ({ op: 'create', data }))
    await post(`/api/v1/collections/${name}/documents/batch`, { operations })
  }
  return profiler.profile(() => delay(DELIVERIES_MS))
}

const found = {
  'a document read with a key': await profileOf('get'),
  'a document written': await profileOf('create'),
  'events delivered': await profileDeliveries(),
}

const percent = (share: number) => rounded(100 * share)
const sum = (costs: readonly ProfiledFunction[]) => costs.reduce((all, { share }) => all + share, 0)

const byKind: ResultTable = {
  title: 'Whose code the time goes to, in %',
  about:
    'Time in which there was nothing to do is left out. Sockets are part of Node: writeUtf8String ' +
    'sends answers, writeBuffer and writev send to PostgreSQL and to receivers.',
  columns: ['way', ...kinds],
  rows: Object.entries(found).map(([way, costs]) => [
    way,
    ...kinds.map((kind) => percent(sum(costs.filter((one) => one.kind === kind)))),
  ]),
}

const byFunction = Object.entries(found).map(([way, costs]): ResultTable => ({
  title: `What costs most: ${way}`,
  columns: ['function', 'where', '% of the time, by itself'],
  rows: costs.slice(0, SHOWN).map(({ name, where, share }) => [name, where, percent(share)]),
}))

finish({
  generator: generatorText(CONNECTIONS),
  versions: { homeport: '0.1.0', postgres: stage.postgres_version },
  tables: [byKind, ...byFunction],
})
profiler.close()
receiver.disconnect()
await homeport.stop()
await stage.close()
