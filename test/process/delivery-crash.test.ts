/**
 * Kills the delivering process with SIGKILL at each named point of a delivery and starts another
 * one. No delivery is lost, a request is repeated only if its result was not recorded, and the
 * failure streak of the endpoint counts each recorded attempt once.
 */
import assert from 'node:assert/strict'
import { spawn, type ChildProcess } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import { sql } from 'kysely'
import { longTest } from '../fixtures/depth.ts'
import * as projects from '../../server/areas/projects/service.ts'
import { startDeliveries } from '../../server/areas/webhooks/queue/runner.ts'
import { emit } from '../../server/areas/webhooks/service.ts'
import { insertEndpoint } from '../../server/areas/webhooks/store.ts'
import { eventually, openReceiver } from '../fixtures/webhooks/webhook-receiver.ts'
import { newId } from '../../server/kernel/values/ids.ts'
import { openBareFixture } from '../fixtures/bare-runtime.ts'
import {
  crashPoints,
  documentCreated,
  openDeliveringRuntime,
  WORKER_NAME,
  type CrashPoint,
  type WorkerTask,
} from '../fixtures/processes/delivery-worker.ts'

/** Past the lease of a killed worker, and before the first retry of a failed attempt. */
const LATER_S = 31
/** More deliveries than one claim takes, so a second claim follows, and results after it. */
const MANY = 12
const REQUEST = 4
/** Claims and results handle several deliveries in one transaction. */
const TRANSACTION = 2

const fixture = await openBareFixture()
const runtime = fixture.openRuntime()
const receiver = await openReceiver()
const workers = new Set<ChildProcess>()
after(() => workers.forEach((worker) => worker.kill('SIGKILL')))

interface Place {
  project_id: string
  endpoint_id: string
  path: string
}

/** Creates a project with an endpoint; the path of its URL identifies it at the receiver. */
async function newPlace(): Promise<Place> {
  const made = await projects.create(runtime, {
    name: 'Crash',
    shape: 'single',
    plan: 'free',
    owner_email: null,
  })
  assert('project_id' in made)
  const { project_id } = made
  const endpoint_id = newId(runtime.clock)
  const path = `/hooks/${endpoint_id}`
  await runtime.db.transact((tx) =>
    insertEndpoint(tx, {
      project_id,
      id: endpoint_id,
      url: new URL(path, receiver.url).href,
      events: ['document.created'],
      sealed_secret: runtime.seal.seal('whsec_x', 'webhook-secret'),
      secret_prefix: 'whsec_x',
      created_at: runtime.clock.now(),
    }),
  )
  return { project_id, endpoint_id, path }
}

async function say({ project_id }: Place, count: number): Promise<void> {
  await runtime.db.transact(async (tx) => {
    for (let n = 0; n < count; n += 1) {
      const subject = { document_id: randomUUID() }
      await emit(tx, runtime, { project_id, type: 'document.created', subject })
    }
  })
}

const requestsAt = ({ path }: Place) => receiver.requests.filter((one) => one.path === path)

function deliveriesOf({ project_id }: Place) {
  return runtime.db
    .selectFrom('webhook_deliveries')
    .select(['event_id', 'state', 'stage', 'attempt', 'response_status'])
    .where('project_id', '=', project_id)
    .orderBy('id')
    .execute()
}

async function streakOf({ project_id }: Place): Promise<number> {
  const { consecutive_failures } = await runtime.db
    .selectFrom('webhook_endpoints')
    .select('consecutive_failures')
    .where('project_id', '=', project_id)
    .executeTakeFirstOrThrow()
  return consecutive_failures
}

function startWorker(crash: WorkerTask['crash'], offset_s: number): ChildProcess {
  const task: WorkerTask = { connection: fixture.connection, offset_s, runs: false, crash }
  const file = join(import.meta.dirname, '..', 'fixtures', 'processes', 'delivery-worker.ts')
  const worker = spawn(process.execPath, [file, JSON.stringify(task)], {
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  workers.add(worker)
  return worker
}

/**
 * How the first worker dies: it kills itself at a crash point, or the receiver kills it during the
 * request.
 */
type Death = { point: CrashPoint } | 'while the POST is under way'

/** Runs a worker until it is killed, and waits until PostgreSQL has closed its sessions. */
async function die(
  death: Death,
  { nth, status, offset_s = 0 }: { nth: number; status: number; offset_s?: number },
): Promise<void> {
  const crash = typeof death === 'object' ? { point: death.point, nth } : null
  const worker = startWorker(crash, offset_s)
  const from = receiver.requests.length
  receiver.answers((_, response) => {
    if (death === 'while the POST is under way' && receiver.requests.length === from + nth) {
      worker.kill('SIGKILL')
    } else response.writeHead(status).end()
  })
  const [, signal] = await once(worker, 'exit')
  assert.equal(signal, 'SIGKILL')
  workers.delete(worker)
  await eventually(async () => {
    const { rows } = await sql<{ count: bigint }>`select count(*) as count from pg_stat_activity
      where datname = current_database() and application_name = ${WORKER_NAME}`.execute(runtime.db)
    return rows[0]?.count === 0n
  })
}

/** Runs a second worker until all due deliveries are done, which a delivery created last shows. */
async function goOn(places: readonly Place[], status: number, offset_s = LATER_S): Promise<void> {
  receiver.answers(status)
  const last = await newPlace()
  await say(last, 1)
  const { connection } = fixture
  const second = openDeliveringRuntime({ connection, offset_s, runs: false })
  const deliveries = startDeliveries(second, { sources: [documentCreated] })
  await eventually(async () => {
    const rows = (await Promise.all([...places, last].map(deliveriesOf))).flat()
    return rows.every(({ attempt, stage }) => attempt > 0 && stage !== 'leased')
  })
  await deliveries.stop()
  await second.outbound.close()
  await second.close()
}

const posts: [death: Death, posts: number][] = [
  [{ point: 'in the claim, before its commit' }, 1],
  [{ point: 'after the claim' }, 1],
  [{ point: 'before the POST' }, 1],
  ['while the POST is under way', 2],
  [{ point: 'after the POST, before the record' }, 2],
  [{ point: 'in the record, before its commit' }, 2],
  [{ point: 'after the record' }, 1],
]
const nameOf = (death: Death) => (typeof death === 'object' ? death.point : death)

test('every crash point has a test case', () => {
  const named = posts.flatMap(([death]) => (typeof death === 'object' ? [death.point] : []))
  assert.deepEqual(named, [...crashPoints])
})

// A delivery that never arrives fails the test instead of blocking it.
const patience = { timeout: 120_000 }

describe('a killed worker, and an event whose response is 500', patience, () => {
  for (const [death, expected] of posts) {
    const times = expected === 1 ? 'once' : 'twice'
    // One case in which the request arrives once, and one in which it arrives twice.
    const here =
      nameOf(death).startsWith('after the POST') || nameOf(death) === 'after the record'
        ? test
        : longTest
    here(
      `with a death ${nameOf(death)}, send the request ${times} and count the failure once`,
      async () => {
        const place = await newPlace()
        await say(place, 1)
        await die(death, { nth: 1, status: 500 })
        await goOn([place], 500)
        const requests = requestsAt(place)
        assert.equal(requests.length, expected)
        const [delivery, ...others] = await deliveriesOf(place)
        assert.deepEqual(others, [])
        const { event_id, ...state } = delivery!
        assert.ok(requests.every(({ event }) => event.id === event_id))
        assert.equal(new Set(requests.map((one) => one.headers['service-delivery'])).size, 1)
        const waiting = { state: 'pending', stage: 'waiting', attempt: 1, response_status: 500 }
        assert.deepEqual(state, waiting)
        assert.equal(await streakOf(place), 1)
      },
    )
  }
})

describe('a delivery whose attempts end two processes', patience, () => {
  longTest('fails as a fault of the service, without a third attempt', async () => {
    const place = await newPlace()
    await say(place, 1)
    await die({ point: 'before the POST' }, { nth: 1, status: 204 })
    await die({ point: 'before the POST' }, { nth: 1, status: 204, offset_s: LATER_S })
    await goOn([place], 204, 2 * LATER_S)
    assert.equal(requestsAt(place).length, 0)
    const [delivery] = await deliveriesOf(place)
    assert.equal(delivery?.state, 'failed')
    assert.equal(await streakOf(place), 0)
  })
})

describe('a worker killed while it handles many deliveries', patience, () => {
  for (const [death] of posts) {
    longTest(
      `${nameOf(death)}, loses no delivery, and only unrecorded requests arrive twice`,
      async () => {
        const [one, other] = [await newPlace(), await newPlace()]
        for (const place of [one, other]) await say(place, MANY)
        const nth = /claim|record/.test(nameOf(death)) ? TRANSACTION : REQUEST
        await die(death, { nth, status: 204 })
        const left = (await Promise.all([one, other].map(deliveriesOf))).flat()
        const unrecorded = new Set(
          left.filter(({ attempt }) => attempt === 0).map(({ event_id }) => event_id),
        )
        await goOn([one, other], 204)
        for (const place of [one, other]) {
          const deliveries = await deliveriesOf(place)
          assert.equal(deliveries.length, MANY)
          for (const { state, attempt } of deliveries) {
            assert.deepEqual([state, attempt], ['delivered', 1])
          }
          const sent = Map.groupBy(requestsAt(place), ({ event }) => event.id)
          assert.deepEqual(
            [...sent.keys()].toSorted(),
            deliveries.map((d) => d.event_id).toSorted(),
          )
          for (const [event_id, { length }] of sent) {
            assert.ok(length === 1 || (length === 2 && unrecorded.has(event_id)), `${length} times`)
          }
          assert.equal(await streakOf(place), 0)
        }
      },
    )
  }
})
