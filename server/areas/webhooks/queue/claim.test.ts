/** Tests of claiming from the real tables: order, caps and cost. */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, beforeEach, suite, test } from 'node:test'
import { sql, type CompiledQuery } from 'kysely'
import pg from 'pg'
import { openTestRuntime } from '../../../../test/fixtures/runtime.ts'
import type { EndedAttempt, AttemptOutcome } from '../outcome/outcome.ts'
import { recordAttempt } from '../outcome/record.ts'
import { emit, type Occurrence } from '../service.ts'
import { changeEndpoint, insertEndpoint } from '../store.ts'
import { createClaimer, createLease } from './claim.ts'
import { deliveryCaps, pauses_s } from './pace.ts'
import {
  chooseDeliveries,
  leaseDeliveries,
  lookForDue,
  makeReady,
  openClaim,
  type ClaimedDelivery,
} from './store.ts'

const fixture = await openTestRuntime({ work: false })
const { runtime, clock } = fixture
const none: ReadonlySet<string> = new Set()
const events = ['call.completed', 'call.summary.ready', 'document.created']

beforeEach(() =>
  runtime.db.transact((tx) =>
    sql`truncate webhook_endpoints, webhook_deliveries, webhook_attempts, events`.execute(tx),
  ),
)

interface Place {
  project_id: string
  endpoint_id: string
}

async function newPlace(project_id?: string): Promise<Place> {
  const project = project_id ?? (await fixture.newProject()).project_id
  const { id } = await runtime.db.transact((tx) =>
    insertEndpoint(tx, {
      project_id: project,
      id: randomUUID(),
      url: 'http://127.0.0.1:9/hooks',
      events,
      sealed_secret: runtime.seal.seal('whsec_x', 'webhook-secret'),
      secret_prefix: 'whsec_x',
      created_at: clock.now(),
    }),
  )
  return { project_id: project, endpoint_id: id }
}

/** Emits this number of events about different subjects. */
async function queue({ project_id }: Place, count: number): Promise<void> {
  await runtime.db.transact(async (tx) => {
    for (let n = 0; n < count; n += 1) {
      const subject = { document_id: randomUUID() }
      await emit(tx, runtime, { project_id, type: 'document.created', subject })
    }
  })
}

function say({ project_id }: Place, type: Occurrence['type'], call_id: string): Promise<void> {
  return runtime.db.transact((tx) => emit(tx, runtime, { project_id, type, subject: { call_id } }))
}

const delivered: AttemptOutcome = { kind: 'delivered', response_status: 200 }
const failed: AttemptOutcome = {
  kind: 'failed',
  error: 'timeout',
  response_status: null,
  fault: 'receiver',
}
const ended = (outcome: AttemptOutcome): EndedAttempt => ({ outcome, ended_at: clock.now() })
const count = (claimed: ClaimedDelivery[], { project_id }: Place) =>
  claimed.filter((one) => one.project_id === project_id).length

async function failTimes(place: Place, failures: number): Promise<void> {
  await runtime.db.transact((tx) =>
    tx
      .updateTable('webhook_endpoints')
      .set({ consecutive_failures: failures })
      .where('project_id', '=', place.project_id)
      .where('id', '=', place.endpoint_id)
      .execute(),
  )
}

suite('concurrency caps', () => {
  test('allow ten attempts per endpoint, and a new one for each that ends', async () => {
    const place = await newPlace()
    await queue(place, 30)
    const claim = createClaimer(runtime, none)
    const first = await claim(64)
    assert.equal(first.length, deliveryCaps.endpoint_cap)
    assert.deepEqual(await claim(64), [])
    for (const one of first.slice(0, 3)) await recordAttempt(runtime, one, ended(delivered))
    assert.equal((await claim(64)).length, 3)
  })

  test('allow one attempt after five failures in a row, until a success', async () => {
    const place = await newPlace()
    await queue(place, 30)
    const claim = createClaimer(runtime, none)
    await failTimes(place, 4)
    assert.equal((await claim(2)).length, 2)
    await failTimes(place, 5)
    assert.deepEqual(await claim(64), [], 'two are under way already')
    fixture.passes('31 seconds')
    const alone = await claim(64)
    assert.equal(alone.length, 1)
    await recordAttempt(runtime, alone[0]!, ended(failed))
    assert.deepEqual(await claim(64), [], 'and none while it pauses')
    fixture.passes('1 second')
    const [next, ...others] = await claim(64)
    assert.deepEqual(others, [])
    await recordAttempt(runtime, next!, ended(delivered))
    assert.equal((await claim(64)).length, deliveryCaps.endpoint_cap)
  })

  test('allow twenty attempts per project with any number of endpoints', async () => {
    const place = await newPlace()
    for (let n = 1; n < 4; n += 1) await newPlace(place.project_id)
    await queue(place, 20)
    const claimed = await createClaimer(runtime, none)(64)
    assert.equal(claimed.length, deliveryCaps.project_cap)
    const endpoints = Map.groupBy(claimed, ({ endpoint_id }) => endpoint_id)
    assert.deepEqual(
      [...endpoints.values()].map(({ length }) => length),
      [5, 5, 5, 5],
    )
  })

  test('hold when several processes claim at the same time', async () => {
    const places = await Promise.all([newPlace(), newPlace(), newPlace()])
    for (const place of places) await queue(place, 40)
    const claims = await Promise.all([1, 2, 3, 4, 5].map(() => createClaimer(runtime, none)(64)))
    const claimed = claims.flat()
    for (const place of places) assert.equal(count(claimed, place), deliveryCaps.endpoint_cap)
    assert.equal(new Set(claimed.map(({ id }) => id)).size, claimed.length)
  })

  test('limit a claim to the requested number of deliveries', async () => {
    const place = await newPlace()
    await queue(place, 5)
    const claim = createClaimer(runtime, none)
    assert.equal((await claim(3)).length, 3)
    assert.equal((await claim(3)).length, 2)
  })
})

suite('the fairness of claims', () => {
  test('takes one delivery of every project before a second of any', async () => {
    const big = await newPlace()
    await queue(big, 200)
    const small = await Promise.all([newPlace(), newPlace(), newPlace()])
    for (const place of small) await queue(place, 1)
    const claimed = await createClaimer(runtime, none)(5)
    assert.equal(count(claimed, big), 2)
    for (const place of small) assert.equal(count(claimed, place), 1)
  })

  test('alternates between projects if one worker is free at a time', async () => {
    const places = await Promise.all(Array.from({ length: 5 }, () => newPlace()))
    for (const place of places) await queue(place, 6)
    const claim = createClaimer(runtime, none)
    const turns: string[] = []
    for (let n = 0; n < 15; n += 1) {
      const [claimed] = await claim(1)
      turns.push(claimed!.project_id)
      await recordAttempt(runtime, claimed!, ended(delivered))
    }
    for (let n = 0; n < 15; n += 5) assert.equal(new Set(turns.slice(n, n + 5)).size, 5)
  })

  test('alternates between endpoints within a project', async () => {
    const one = await newPlace()
    const other = await newPlace(one.project_id)
    await queue(one, 20)
    const claimed = await createClaimer(runtime, none)(4)
    const own = claimed.filter(({ endpoint_id }) => endpoint_id === other.endpoint_id)
    assert.equal(own.length, 2)
  })

  test('claims a delivery that sorts after 130 projects at their concurrency cap', async () => {
    const places = await Promise.all(Array.from({ length: 140 }, () => newPlace()))
    const sorted = places.toSorted((a, b) => (a.project_id < b.project_id ? -1 : 1))
    // Each of 130 projects is at its cap of one attempt and has more ready deliveries.
    for (const place of sorted.slice(0, 130)) {
      await failTimes(place, 5)
      await queue(place, 2)
    }
    const claim = createClaimer(runtime, none)
    const busy = await claim(1000)
    assert.equal(busy.length + (await claim(1000)).length, 130)
    const last = sorted[139]!
    await queue(last, 1)
    const found = [...(await claim(64)), ...(await claim(64))]
    assert.deepEqual(
      found.map(({ project_id }) => project_id),
      [last.project_id],
    )
  })
})

suite('the order of deliveries', () => {
  test('excludes a summary before the first attempt of its call event', async () => {
    const place = await newPlace()
    const call_id = randomUUID()
    await say(place, 'call.completed', call_id)
    await say(place, 'call.summary.ready', call_id)
    const claim = createClaimer(runtime, none)
    const [first, ...others] = await claim(64)
    assert.equal(first!.type, 'call.completed')
    assert.deepEqual(others, [])
    assert.deepEqual(await claim(64), [], 'not while the attempt is under way either')
    await recordAttempt(runtime, first!, ended(failed))
    const [second] = await claim(64)
    assert.equal(second!.type, 'call.summary.ready', 'an attempt that failed is one, too')
  })

  test('does not delay other calls and other endpoints', async () => {
    const place = await newPlace()
    const other = await newPlace(place.project_id)
    const [one, two] = [randomUUID(), randomUUID()]
    await say(place, 'call.completed', one)
    await say(place, 'call.summary.ready', one)
    await say(place, 'call.summary.ready', two)
    const claimed = await createClaimer(runtime, none)(64)
    for (const { endpoint_id } of [place, other]) {
      const own = claimed.filter((delivery) => delivery.endpoint_id === endpoint_id)
      const seen = own.map(({ type, subject }) => `${type} ${subject['call_id']}`)
      assert.deepEqual(seen, [`call.completed ${one}`, `call.summary.ready ${two}`])
    }
  })

  test('does not delay a retry until other deliveries end', async () => {
    const place = await newPlace()
    const call_id = randomUUID()
    await say(place, 'call.completed', call_id)
    const claim = createClaimer(runtime, none)
    await recordAttempt(runtime, (await claim(1))[0]!, ended(failed))
    await say(place, 'call.summary.ready', call_id)
    fixture.passes('1 minute')
    const types = (await claim(64)).map(({ type }) => type)
    assert.deepEqual(types, ['call.completed', 'call.summary.ready'])
  })

  test('releases the summary of a dropped call event', async () => {
    const place = await newPlace()
    const call_id = randomUUID()
    await say(place, 'call.completed', call_id)
    await say(place, 'call.summary.ready', call_id)
    const claim = createClaimer(runtime, none)
    await recordAttempt(
      runtime,
      (await claim(64))[0]!,
      ended({ kind: 'dropped', error: 'call_deleted' }),
    )
    assert.equal((await claim(64))[0]!.type, 'call.summary.ready')
  })
})

suite('a lease', () => {
  test('expires after thirty seconds, and then the delivery is claimed again', async () => {
    const place = await newPlace()
    await queue(place, 1)
    const claim = createClaimer(runtime, none)
    const [first] = await claim(1)
    fixture.passes('29 seconds')
    assert.deepEqual(await claim(1), [])
    fixture.passes('1 second')
    const [second] = await claim(1)
    assert.equal(second!.id, first!.id)
    assert.notEqual(second!.lease_token, first!.lease_token)
    assert.equal(await recordAttempt(runtime, first!, ended(delivered)), null, 'fenced')
    assert.equal((await recordAttempt(runtime, second!, ended(delivered)))?.attempt, 1)
    assert.equal(await recordAttempt(runtime, second!, ended(delivered)), null, 'recorded once')
  })

  test('is not given for a delivery that this process is already attempting', async () => {
    const place = await newPlace()
    await queue(place, 1)
    const in_progress = new Set<string>()
    const claim = createClaimer(runtime, in_progress)
    const [first] = await claim(1)
    in_progress.add(first!.id)
    fixture.passes('1 day')
    assert.deepEqual(await claim(1), [])
    assert.equal((await recordAttempt(runtime, first!, ended(delivered)))?.state, 'delivered')
  })

  test('is given to no host at which the process makes its share of attempts, whatever the project', async () => {
    const [busy, other] = [await newPlace(), await newPlace()]
    for (const place of [busy, other]) await queue(place, 1)
    const claim = createClaimer(runtime, none, { listBusyHosts: () => ['127.0.0.1:9'] })
    await runtime.db.transact((tx) =>
      changeEndpoint(tx, {
        project_id: other.project_id,
        id: other.endpoint_id,
        url: 'http://Shop.example:9/hooks',
      }),
    )
    assert.deepEqual(
      (await claim(64)).map(({ project_id }) => project_id),
      [other.project_id],
    )
    const upper = createClaimer(runtime, none, { listBusyHosts: () => ['shop.example:9'] })
    await queue(other, 1)
    assert.deepEqual(
      (await upper(64)).map(({ project_id }) => project_id),
      [busy.project_id],
    )
  })

  test('is given to ready deliveries in several batches if one is not enough', async () => {
    const place = await newPlace()
    await queue(place, 600)
    await runtime.db.transact((tx) =>
      tx
        .updateTable('webhook_deliveries')
        .set({ stage: 'waiting', attempt: 1, next_attempt_at: clock.now() })
        .where('project_id', '=', place.project_id)
        .execute(),
    )
    let wakeups = 0
    runtime.wakeups.listen('deliveries', () => (wakeups += 1))
    const claim = createClaimer(runtime, none)
    for (let n = 0; n < 3; n += 1) await claim(1)
    assert.equal(wakeups, 1, 'it announced another look, as there may have been more')
    const waiting = await runtime.db
      .selectFrom('webhook_deliveries')
      .select('id')
      .where('project_id', '=', place.project_id)
      .where('stage', '=', 'waiting')
      .execute()
    assert.deepEqual(waiting, [])
  })

  test('is not given for rows that are being deleted, and does not wait for them', async () => {
    const place = await newPlace()
    const other = await newPlace()
    await queue(place, 1)
    await queue(other, 1)
    await runtime.db.transact(async (tx) => {
      await tx.deleteFrom('webhook_endpoints').where('project_id', '=', place.project_id).execute()
      const claimed = await createClaimer(runtime, none)(64)
      assert.deepEqual(
        claimed.map(({ project_id }) => project_id),
        [other.project_id],
      )
    })
  })
})

suite('a claim', () => {
  interface Plan {
    'Node Type': string
    'Relation Name'?: string
    'Index Name'?: string
    'Actual Rows': number
    'Actual Loops': number
    'Rows Removed by Filter'?: number
    Plans?: Plan[]
  }

  const tables = new Set(['webhook_deliveries', 'webhook_endpoints', 'events'])

  /** The scans of large tables in a plan, each with the number of rows read. */
  function scans(plan: Plan): { kind: string; rows: number }[] {
    const within = (plan.Plans ?? []).flatMap(scans)
    const scanned = plan['Node Type'].endsWith('Scan') && plan['Relation Name']
    if (!tables.has(scanned || '')) return within
    const rows =
      (plan['Actual Rows'] + (plan['Rows Removed by Filter'] ?? 0)) * plan['Actual Loops']
    return [{ kind: plan['Node Type'], rows }, ...within]
  }

  /** One project has nearly all pending deliveries, half of them due; many others have one each. */
  async function fill(pending: number): Promise<void> {
    const big = await newPlace()
    const small = await Promise.all(Array.from({ length: 30 }, () => newPlace()))
    await queue(big, 1)
    for (const place of small) await queue(place, 1)
    await runtime.db.transact(async (tx) => {
      await sql`insert into webhook_deliveries (project_id, id, endpoint_id, event_id, type,
          subject_key, stage, attempt, next_attempt_at, created_at)
        select project_id, gen_random_uuid(), endpoint_id, 'evt_' || n, type, n::text,
          case when n % 2 = 0 then 'ready' else 'waiting' end, n % 2,
          created_at + n * interval '1 second', created_at
        from webhook_deliveries, generate_series(1, ${pending}::int) as n
        where project_id = ${big.project_id}`.execute(tx)
      await sql`analyze webhook_deliveries`.execute(tx)
    })
  }

  /** The statements of one claim, in order; the claim is rolled back. */
  async function statementsOfClaim(): Promise<CompiledQuery[]> {
    const statements: CompiledQuery[] = []
    const undo = new Error('Only the statements were wanted.')
    const claim = runtime.db.transact(async (tx) => {
      const watched = tx.withPlugin({
        transformQuery({ node, queryId }) {
          statements.push(tx.getExecutor().compileQuery(node, queryId))
          return node
        },
        transformResult: async ({ result }) => result,
      })
      const now = clock.now()
      const magnitude = await openClaim(watched)
      const place = { after_project: randomUUID(), slots: 64, projects_max: 128 }
      const rules = { ...deliveryCaps, ...place, pauses_s, busy_hosts: [], now, magnitude }
      await lookForDue(watched, now)
      await makeReady(watched, { now, in_progress: [randomUUID()], limit: 500, magnitude })
      const { choices } = await chooseDeliveries(watched, rules)
      await leaseDeliveries(watched, choices, { ...createLease(now), magnitude })
      throw undo
    })
    await assert.rejects(claim, undo)
    return statements
  }

  /** Explains a statement with its generic plan. */
  async function explain(
    client: pg.Client,
    opening: CompiledQuery,
    { sql: text, parameters }: CompiledQuery,
  ): Promise<Plan> {
    const literals = parameters.map((value) => {
      if (value instanceof Date) return client.escapeLiteral(value.toISOString())
      return client.escapeLiteral(Array.isArray(value) ? `{${value.join()}}` : String(value))
    })
    await client.query('begin')
    await client.query("set local plan_cache_mode = 'force_generic_plan'")
    await client.query(opening.sql)
    await client.query(`prepare statement as ${text}`)
    const args = literals.length > 0 ? `(${literals.join()})` : ''
    const { rows } = await client.query(`explain (analyze, format json) execute statement${args}`)
    await client.query('rollback')
    await client.query('deallocate statement')
    return rows[0]['QUERY PLAN'][0].Plan
  }

  test('is planned anew when a small queue has become large', async () => {
    const texts = async () => (await statementsOfClaim()).slice(2).map((one) => one.sql)
    const small = await texts()
    assert.deepEqual(await texts(), small)
    await fill(20_000)
    const large = await texts()
    assert.equal(large.length, 3)
    assert.ok(large.every((text) => !small.includes(text)))
  })

  test('reads few rows by index among 20,000 pending deliveries', async () => {
    await fill(20_000)
    fixture.passes('200 seconds')
    const [opening, ...statements] = await statementsOfClaim()
    assert.equal(statements.length, 4)
    const client = new pg.Client(fixture.connection)
    await client.connect()
    after(() => client.end())
    for (const statement of statements) {
      const seen = scans(await explain(client, opening!, statement))
      const whole = seen.filter(({ kind }) => kind === 'Seq Scan')
      assert.deepEqual(whole, [], statement.sql)
      const rows = seen.reduce((sum, scan) => sum + scan.rows, 0)
      assert.ok(rows < 2000, `${rows} rows for ${statement.sql}`)
    }
  })

  /** The indexes that a plan uses for deliveries. */
  function indexes(plan: Plan): string[] {
    const own = plan['Relation Name'] === 'webhook_deliveries' ? (plan['Index Name'] ?? []) : []
    return [own, (plan.Plans ?? []).flatMap(indexes)].flat()
  }

  test('looks up each chosen row by key, even if the planner expects few ready rows', async () => {
    await fill(20_000)
    await runtime.db.transact(async (tx) => {
      await sql`update webhook_deliveries set stage = 'waiting' where stage = 'ready'`.execute(tx)
      await sql`analyze webhook_deliveries`.execute(tx)
      await sql`update webhook_deliveries set stage = 'ready' where attempt = 0`.execute(tx)
    })
    const [opening, ...statements] = await statementsOfClaim()
    const client = new pg.Client(fixture.connection)
    await client.connect()
    after(() => client.end())
    const plan = await explain(client, opening!, statements.at(-1)!)
    assert.deepEqual([...new Set(indexes(plan))], ['webhook_deliveries_pkey'])
  })
})
