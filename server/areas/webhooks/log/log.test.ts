/** Tests of the delivery log over HTTP: deliveries and their attempts. */
import assert from 'node:assert/strict'
import { createHash, randomUUID } from 'node:crypto'
import { suite, test } from 'node:test'
import { sql } from 'kysely'
import { rowsRead } from '../../../../test/fixtures/rows-read.ts'
import { openStage, type Scene } from '../../../../test/fixtures/webhooks/webhook-stage.ts'
import { createSeal } from '../../../kernel/secrets/crypto.ts'
import { newId } from '../../../kernel/values/ids.ts'
import { attemptAndRecord } from '../attempt/deliver.ts'
import { listDeliveries } from './log-store.ts'
import { recordAttempt } from '../outcome/record.ts'
import { eventually } from '../../../../test/fixtures/webhooks/webhook-receiver.ts'

const stage = await openStage()
const { runtime, clock, newScene } = stage
const unknown_id = '0190f1a2-0000-7000-8000-00000000ffff'

async function show(scene: Scene, id: string) {
  const answer = await scene.ask(`GET /webhooks/${scene.endpoint.id}/deliveries/${id}`)
  assert.equal(answer.status, 200, answer.text)
  return answer.body
}

suite('GET /webhooks/{id}/deliveries/{delivery_id}', () => {
  test('returns the delivery with every field and its attempt', async () => {
    const scene = await newScene()
    scene.receiver.answers((_request, response) => response.writeHead(202).end('{"queued":true}'))
    const before = clock.now()
    await scene.emit('call.completed')
    const { id } = await scene.attempted(1)
    const [{ body, event }] = (await scene.receiver.received(1)) as [any]
    const { attempts, finished_at, ...delivery } = await show(scene, id)
    assert.deepEqual(delivery, {
      id: scene.receiver.requests[0]!.headers['service-delivery'],
      endpoint_id: scene.endpoint.id,
      event_id: event.id,
      type: 'call.completed',
      created_at: event.created_at,
      status: 'delivered',
      attempt_count: 1,
      response_status: 202,
      error: null,
      next_attempt_at: null,
    })
    const [{ started_at, duration_ms, ...attempt }, ...others] = attempts
    assert.deepEqual(others, [])
    assert.deepEqual(attempt, {
      number: 1,
      manual: false,
      response_status: 202,
      error: null,
      response_text: '{"queued":true}',
      body_sha256: createHash('sha256').update(body).digest('hex'),
    })
    assert.ok(new Date(started_at) >= before && new Date(started_at) <= clock.now())
    assert.ok(duration_ms >= 0)
    assert.ok(finished_at >= started_at)
  })

  test('lists the attempts of all retries newest first, with the time of the next one', async () => {
    const scene = await newScene()
    scene.receiver.answers((_request, response) => response.writeHead(503).end('Back soon.'))
    await scene.emit('call.completed')
    const first = await scene.attempted(1)
    assert.equal(first.status, 'pending')
    scene.receiver.answers((_request, response) => response.destroy())
    stage.passes('1 minute')
    const second = await scene.attempted(2)
    assert.ok(second.next_attempt_at > first.next_attempt_at)
    const { attempts, attempt_count, finished_at } = await show(scene, second.id)
    assert.deepEqual(
      attempts.map((one: any) => [one.number, one.error, one.response_status, one.response_text]),
      [
        [2, 'connection_failed', null, null],
        [1, 'non_2xx_status', 503, 'Back soon.'],
      ],
    )
    assert.deepEqual([attempt_count, finished_at], [2, null])
    assert.ok(attempts[0].started_at > attempts[1].started_at)
  })

  test('keeps the first kilobyte of a response, with control characters replaced', async () => {
    const scene = await newScene()
    const long = `\u001B[2J\u0000${'é'.repeat(2000)}`
    scene.receiver.answers((_request, response) => response.end(long))
    await scene.emit('call.completed')
    const { attempts } = await show(scene, (await scene.attempted(1)).id)
    assert.equal(attempts[0].response_text, `␛[2J␀${'é'.repeat(509)}`)
  })

  test('records an attempt without request body and response if no request could be sent', async () => {
    const scene = await newScene()
    await stage.pause()
    await scene.emit('call.completed')
    const [claimed] = await scene.claim()
    const locked = { ...runtime, seal: createSeal('a master key that sealed nothing here') }
    await attemptAndRecord(locked, claimed!, undefined)
    stage.resume()
    const { attempts, status } = await show(scene, claimed!.id)
    assert.equal(status, 'pending')
    const [{ error, response_text, body_sha256 }] = attempts
    assert.deepEqual([error, response_text, body_sha256], ['secret_unreadable', null, null])
  })

  test('lists no attempts for a delivery dropped before its first attempt', async () => {
    const scene = await newScene()
    const call_id = randomUUID()
    stage.deleted.add(call_id)
    await scene.emit('call.completed', call_id)
    const [row] = await eventually(async () => {
      const rows = await scene.list('?status=dropped')
      return rows.length > 0 && rows
    })
    const { attempts, attempt_count, error } = await show(scene, row.id)
    assert.deepEqual([attempts, attempt_count, error], [[], 0, 'call_deleted'])
  })

  test('records no attempt after its lease was lost', async () => {
    const scene = await newScene()
    await stage.pause()
    await scene.emit('call.completed')
    const [claimed] = await scene.claim()
    const trace = { started_at: clock.now(), duration_ms: 1, response_text: '', body_sha256: null }
    const ended_at = clock.now()
    const outcome = { kind: 'delivered', response_status: 200 } as const
    const other = { ...claimed!, lease_token: randomUUID() }
    assert.equal(await recordAttempt(runtime, other, { outcome, ended_at, trace }), null)
    assert.deepEqual((await show(scene, claimed!.id)).attempts, [])
    stage.passes('31 seconds')
    stage.resume()
    await scene.attempted(1)
  })

  test('finds a delivery only at its own endpoint and in its own project', async () => {
    const scene = await newScene()
    const { body: second } = await scene.ask('POST /webhooks', {
      url: scene.receiver.url,
      events: ['email.sent'],
    })
    await scene.emit('call.completed')
    const { id } = await scene.attempted(1)
    const stranger = await newScene()
    const { id: own } = scene.endpoint
    for (const [asking, path] of [
      [scene, `${second.id}/deliveries/${id}`],
      [scene, `${own}/deliveries/${unknown_id}`],
      [scene, `${own}/deliveries/one`],
      [stranger, `${own}/deliveries/${id}`],
      [stranger, `${stranger.endpoint.id}/deliveries/${id}`],
      [stranger, `${own}/deliveries`],
    ] as const) {
      assert.equal((await asking.ask(`GET /webhooks/${path}`)).status, 404, path)
    }
    const capitals = `${own.toUpperCase()}/deliveries/${id.toUpperCase()}`
    assert.equal((await scene.ask(`GET /webhooks/${capitals}`)).status, 200)
  })

  test('deletes deliveries and attempts with their endpoint', async () => {
    const scene = await newScene()
    await scene.emit('call.completed')
    await scene.attempted(1)
    await scene.ask(`DELETE /webhooks/${scene.endpoint.id}`)
    const left = await runtime.db
      .selectFrom('webhook_attempts')
      .selectAll()
      .where('project_id', '=', scene.project_id)
      .execute()
    assert.deepEqual(left, [])
  })
})

test('an attempt and its log row are recorded in one statement after the lock', async () => {
  const scene = await newScene()
  await stage.pause()
  await scene.emit('call.completed')
  const [claimed] = await scene.claim()
  let statements = 0
  const counted = watched(() => (statements += 1))
  const trace = { started_at: clock.now(), duration_ms: 7, response_text: 'ok', body_sha256: null }
  const outcome = { kind: 'delivered', response_status: 200 } as const
  await recordAttempt(counted, claimed!, { outcome, ended_at: clock.now(), trace })
  stage.resume()
  assert.equal(statements, 2)
  assert.equal((await show(scene, claimed!.id)).attempts[0].duration_ms, 7)
})

/** Returns the same server, with a callback for each statement of its transactions. */
function watched(tell: () => void): typeof runtime {
  const db: typeof runtime.db = Object.create(runtime.db)
  db.transact = (work) =>
    runtime.db.transact((tx) =>
      work(
        tx.withPlugin({
          transformQuery: ({ node }) => node,
          async transformResult({ result }) {
            tell()
            return result
          },
        }),
      ),
    )
  return { ...runtime, db }
}

suite('GET /webhooks/{id}/deliveries', () => {
  test('lists deliveries by newest event first, page by page', async () => {
    const scene = await newScene()
    for (let n = 0; n < 5; n += 1) await scene.emit('call.completed')
    await scene.receiver.received(5)
    const whole = await scene.list()
    assert.equal(whole.length, 5)
    const ids = whole.map(({ event_id }) => event_id)
    assert.deepEqual(ids, ids.toSorted().toReversed())
    const pages: any[] = []
    for (let cursor: string | null = ''; cursor !== null;) {
      const query: string = `?limit=2${cursor && `&cursor=${cursor}`}`
      const { body }: any = await scene.ask(`GET /webhooks/${scene.endpoint.id}/deliveries${query}`)
      pages.push(body.data.map(({ id }: any) => id))
      cursor = body.next_cursor
    }
    assert.deepEqual(
      pages.map(({ length }) => length),
      [2, 2, 1],
    )
    assert.deepEqual(
      pages.flat(),
      whole.map(({ id }) => id),
    )
  })

  test('excludes attempts, and deliveries of other endpoints', async () => {
    const scene = await newScene()
    const elsewhere = { url: scene.receiver.url, events: ['email.sent'] }
    const { body: other } = await scene.ask('POST /webhooks', elsewhere)
    await scene.emit('call.completed')
    await scene.emit('email.sent')
    await scene.receiver.received(2)
    const [only, ...others] = await scene.list()
    assert.deepEqual(others, [])
    assert.deepEqual([only.type, 'attempts' in only], ['call.completed', false])
    const { body } = await scene.ask(`GET /webhooks/${other.id}/deliveries`)
    assert.deepEqual(
      body.data.map(({ type }: any) => type),
      ['email.sent'],
    )
    const cursors = await scene.ask(`GET /webhooks/${scene.endpoint.id}/deliveries?cursor=x.y`)
    assert.equal(cursors.status, 400)
  })

  test('filters by status, by type, and by both', async () => {
    const scene = await newScene()
    scene.receiver.answers(({ event }, response) => {
      response.writeHead(event.type === 'call.completed' ? 200 : 500).end()
    })
    const call_id = await scene.emit('call.completed')
    await scene.emit('call.summary.ready', call_id)
    const gone = randomUUID()
    stage.deleted.add(gone)
    await scene.emit('call.completed', gone)
    await eventually(async () => (await scene.list('?status=dropped')).length === 1)
    await eventually(async () => (await scene.list('?status=pending'))[0]?.attempt_count === 1)
    const counts = async (query: string) => (await scene.list(query)).length
    assert.equal(await counts('?status=delivered'), 1)
    assert.equal(await counts('?status=pending'), 1)
    assert.equal(await counts('?status=failed'), 0)
    assert.equal(await counts('?type=call.completed'), 2)
    assert.equal(await counts('?type=call.summary.ready&status=pending'), 1)
    assert.equal(await counts('?type=call.summary.ready&status=delivered'), 0)
    assert.equal(await counts('?type=email.sent'), 0)
  })

  test('answers 400 for an invalid filter', async () => {
    const scene = await newScene()
    for (const query of ['status=lost', 'type=call', 'status=', 'limit=0', 'state=failed']) {
      const answer = await scene.ask(`GET /webhooks/${scene.endpoint.id}/deliveries?${query}`)
      assert.equal(answer.status, 400, query)
    }
  })

  test('reads few rows by index for a page among 30,000 deliveries', async () => {
    const scene = await newScene()
    const { project_id, endpoint } = scene
    await runtime.db.transact(async (tx) => {
      await sql`insert into webhook_deliveries (project_id, id, endpoint_id, event_id, type,
          subject_key, state, stage, created_at, finished_at)
        select ${project_id}::uuid, gen_random_uuid(), ${endpoint.id}::uuid,
          'evt_' || lpad(to_hex(n), 32, '0'), 'call.completed', n::text,
          case when n % 1000 = 0 then 'failed' else 'delivered' end, null, now(), now()
        from generate_series(1, 30000) as n`.execute(tx)
      await sql`analyze webhook_deliveries`.execute(tx)
    })
    const after = `evt_${(15_000).toString(16).padStart(32, '0')}`
    const wanted = { project_id, endpoint_id: endpoint.id, type: undefined, count: 101 }
    for (const [state, from] of [
      [undefined, null],
      [undefined, after],
      ['failed', null],
      ['failed', after],
      ['delivered', after],
      ['pending', null],
    ] as const) {
      const page = { ...wanted, state, after: from }
      const [rows] = await rowsRead(stage, (tx) => listDeliveries(tx, page))
      assert.ok(rows !== undefined && rows < 400, `${rows} rows for ${state} after ${from}`)
    }
  })
})

test('the event log creates ids that increase with time, on which the list order depends', () => {
  const ids = Array.from({ length: 10_000 }, () => newId(clock))
  assert.deepEqual(ids, ids.toSorted())
})
