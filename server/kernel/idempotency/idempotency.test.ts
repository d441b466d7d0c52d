/**
 * Tests of Idempotency-Keys on a real PostgreSQL: by example, with concurrent requests, and by
 * comparing random sequences with a model.
 */
import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import fc from 'fast-check'
import { sql } from 'kysely'
import { depth } from '../../../test/fixtures/depth.ts'
import { openBareFixture } from '../../../test/fixtures/bare-runtime.ts'
import { sha256 } from '../secrets/crypto.ts'
import type { Transaction } from '../database/database.ts'
import {
  releaseKey,
  unlockKey,
  claimKey,
  readIdempotencyKey,
  storeKeyedReply,
  sweepIdempotencyKeys,
  KeyLost,
  type KeyClaim,
  type ClaimedKey,
} from './idempotency.ts'
import { newId } from '../values/ids.ts'

const fixture = await openBareFixture()
const runtime = fixture.openRuntime()
const { clock, db } = runtime

await db.transact((tx) => sql`create table effects (token uuid not null)`.execute(tx))

/** A request with a key in a project of its own. */
function newApproach({ project_id = newId(clock), key = 'order-1', body = '{}' } = {}) {
  return { project_id, key, request_hash: sha256(`POST /numbers\n${body}`) }
}

type Approach = ReturnType<typeof newApproach>

function tokenOf(gate: KeyClaim): string {
  assert('fresh' in gate, JSON.stringify(gate))
  return gate.fresh
}

async function enter(approach: Approach): Promise<ClaimedKey> {
  const token = tokenOf(await claimKey(runtime, approach))
  return { project_id: approach.project_id, key: approach.key, token }
}

/** Does an effect and stores the reply, as a request does. */
function finish(ticket: ClaimedKey, reply = '{"id":1}', status = 201): Promise<void> {
  return db.transact(async (tx) => {
    await leaveEffect(tx, ticket)
    await storeKeyedReply(tx, runtime, { ...ticket, status, reply })
  })
}

async function leaveEffect(tx: Transaction, { token }: ClaimedKey): Promise<void> {
  await sql`insert into effects (token) values (${token})`.execute(tx)
}

async function hasEffect({ token }: ClaimedKey): Promise<boolean> {
  const { rows } = await sql`select from effects where token = ${token}`.execute(db)
  return rows.length > 0
}

function crowd(size: number, approach: Approach): Promise<KeyClaim[]> {
  return Promise.all(Array.from({ length: size }, () => claimKey(runtime, approach)))
}

const isFresh = (gate: KeyClaim) => 'fresh' in gate

suite('the header', () => {
  test('is missing if it is absent', () => {
    assert.deepEqual(readIdempotencyKey(undefined), { fault: 'missing' })
  })

  test('accepts any 1 to 255 visible ASCII characters, including quotes', () => {
    for (const key of ['!', '~', '"quoted"', 'a'.repeat(255), '018f-7e', ',']) {
      assert.deepEqual(readIdempotencyKey(key), { key })
      assert.deepEqual(readIdempotencyKey([key]), { key })
    }
  })

  test('is invalid if it is empty, too long, or has spaces, controls or non-ASCII letters', () => {
    const odd = ['a b', ' a', 'a\t', 'a\n', 'a\0', 'a\x7f', 'é', '👍']
    for (const key of ['', 'a'.repeat(256), ...odd]) {
      assert.deepEqual(readIdempotencyKey(key), { fault: 'invalid' }, JSON.stringify(key))
    }
  })

  test('is invalid if it is sent twice, as an array or as one joined text', () => {
    assert.deepEqual(readIdempotencyKey(['a', 'b']), { fault: 'invalid' })
    assert.deepEqual(readIdempotencyKey('a, b'), { fault: 'invalid' })
  })

  test('is validated by its characters only', () => {
    const law = fc.property(fc.string({ unit: 'binary', maxLength: 300 }), (text) => {
      const codes = [...text].map((letter) => letter.codePointAt(0)!)
      const valid = codes.length > 0 && codes.length <= 255 && codes.every((c) => c > 32 && c < 127)
      assert.deepEqual(readIdempotencyKey(text), valid ? { key: text } : { fault: 'invalid' })
    })
    fc.assert(law, { numRuns: 500 })
  })
})

suite('a retry', () => {
  test('gets the status and the exact text of the first reply', async () => {
    const approach = newApproach()
    const reply = '{"name":"Café 👍","plan":{"b":1,"a":2}}'
    await finish(await enter(approach), reply)
    assert.deepEqual(await claimKey(runtime, approach), { replay: { status: 201, reply } })
    assert.deepEqual(await claimKey(runtime, approach), { replay: { status: 201, reply } })
  })

  test('is refused if its request differs, also after the first ended or died', async () => {
    const approach = newApproach()
    const other = { ...approach, request_hash: sha256('another body') }
    const ticket = await enter(approach)
    assert.deepEqual(await claimKey(runtime, other), { refused: 'reused' })
    clock.advance(90)
    assert.deepEqual(await claimKey(runtime, other), { refused: 'reused' })
    await finish(ticket)
    assert.deepEqual(await claimKey(runtime, other), { refused: 'reused' })
  })

  test('is refused with the remaining time of the lock, rounded up to at least a second', async () => {
    const approach = newApproach()
    await enter(approach)
    const waits: number[] = []
    for (const seconds of [0, 0.4, 0.6, 88, 0.999]) {
      clock.advance(seconds)
      const gate = await claimKey(runtime, approach)
      assert('refused' in gate && gate.refused === 'in_progress')
      waits.push(gate.retry_after_s)
    }
    assert.deepEqual(waits, [90, 90, 89, 1, 1])
  })

  test('does not wait for the commit of the first request', async () => {
    const approach = newApproach()
    const ticket = await enter(approach)
    await db.transact(async (tx) => {
      await storeKeyedReply(tx, runtime, { ...ticket, status: 201, reply: '{}' })
      const gate = await claimKey(runtime, approach)
      assert.deepEqual(gate, { refused: 'in_progress', retry_after_s: 90 })
    })
    assert.deepEqual(await claimKey(runtime, approach), { replay: { status: 201, reply: '{}' } })
  })

  test('counts as a new request in another project', async () => {
    const approach = newApproach()
    await enter(approach)
    assert(isFresh(await claimKey(runtime, newApproach())))
  })
})

suite('a refused request', () => {
  test('is forgotten, so that it can be corrected and sent again with the same key', async () => {
    const approach = newApproach()
    const ticket = await enter(approach)
    await releaseKey(runtime, ticket)
    assert(isFresh(await claimKey(runtime, { ...approach, request_hash: sha256('mended') })))
  })

  test('does not delete a stored reply', async () => {
    const approach = newApproach()
    const ticket = await enter(approach)
    await finish(ticket)
    await releaseKey(runtime, ticket)
    assert('replay' in (await claimKey(runtime, approach)))
  })

  test('stores nothing if its transaction is rolled back', async () => {
    const approach = newApproach()
    const ticket = await enter(approach)
    const failing = db.transact(async (tx) => {
      await storeKeyedReply(tx, runtime, { ...ticket, status: 201, reply: '{}' })
      throw new Error('no balance')
    })
    await assert.rejects(failing, /no balance/)
    await releaseKey(runtime, ticket)
    assert(isFresh(await claimKey(runtime, approach)))
  })
})

suite('a request with an unknown outcome', () => {
  test('permits a retry of the same request at once, and no other request', async () => {
    const approach = newApproach()
    const first = await enter(approach)
    await unlockKey(runtime, first)
    const other = await claimKey(runtime, { ...approach, request_hash: sha256('another body') })
    assert.deepEqual(other, { refused: 'reused' })
    const second = await enter(approach)
    assert.notEqual(second.token, first.token)
    assert('refused' in (await claimKey(runtime, approach)), 'and then one at a time')
    await finish(second)
    assert('replay' in (await claimKey(runtime, approach)))
  })

  test('cannot be released by a request that lost the key', async () => {
    const approach = newApproach()
    const first = await enter(approach)
    clock.advance(90)
    await enter(approach)
    await unlockKey(runtime, first)
    assert('refused' in (await claimKey(runtime, approach)))
  })

  test('keeps a stored reply', async () => {
    const approach = newApproach()
    const ticket = await enter(approach)
    await finish(ticket)
    await unlockKey(runtime, ticket)
    assert('replay' in (await claimKey(runtime, approach)))
  })
})

suite('a request that died', () => {
  test('holds its key for 90 seconds, then one retry takes it over', async () => {
    const approach = newApproach()
    const first = await enter(approach)
    clock.advance(89.999)
    assert('refused' in (await claimKey(runtime, approach)))
    clock.advance(0.001)
    const second = await enter(approach)
    assert.notEqual(second.token, first.token)
    await finish(second)
    assert('replay' in (await claimKey(runtime, approach)))
  })

  test('is fenced with all its effects if it was only slow and a retry took over', async () => {
    const approach = newApproach()
    const first = await enter(approach)
    clock.advance(90)
    const second = await enter(approach)
    await assert.rejects(finish(first, '{"of":"first"}'), KeyLost)
    assert.equal(await hasEffect(first), false)
    await finish(second, '{"of":"second"}')
    await assert.rejects(finish(first, '{"of":"first"}'), KeyLost)
    const gate = await claimKey(runtime, approach)
    assert.deepEqual(gate, { replay: { status: 201, reply: '{"of":"second"}' } })
  })

  test('may still finish if no retry took over', async () => {
    const approach = newApproach()
    const ticket = await enter(approach)
    clock.advance(3600)
    await finish(ticket)
    assert('replay' in (await claimKey(runtime, approach)))
  })

  test('keeps its key if it commits during a takeover: the retry gets its reply', async () => {
    const approach = newApproach()
    const ticket = await enter(approach)
    clock.advance(90)
    const held = Promise.withResolvers<void>()
    const letGo = Promise.withResolvers<void>()
    const finishing = db.transact(async (tx) => {
      await storeKeyedReply(tx, runtime, { ...ticket, status: 201, reply: '{}' })
      held.resolve()
      await letGo.promise
    })
    await held.promise
    const retry = claimKey(runtime, approach)
    await until(someoneWaitsForALock)
    letGo.resolve()
    await finishing
    assert.deepEqual(await retry, { replay: { status: 201, reply: '{}' } })
  })

  test('cannot delete the key of its successor', async () => {
    const approach = newApproach()
    const first = await enter(approach)
    clock.advance(90)
    await enter(approach)
    await releaseKey(runtime, first)
    assert('refused' in (await claimKey(runtime, approach)))
  })
})

async function someoneWaitsForALock(): Promise<boolean> {
  const { rows } = await sql`
    select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'
  `.execute(db)
  return rows.length > 0
}

async function until(condition: () => Promise<boolean>): Promise<void> {
  const deadline_ms = performance.now() + 20_000
  while (!(await condition())) assert(performance.now() < deadline_ms, 'it never came true')
}

suite('a key', () => {
  test('is stored for 24 hours after its reply, and then is new again', async () => {
    const approach = newApproach()
    const ticket = await enter(approach)
    clock.advance(60)
    await finish(ticket)
    clock.advance(24 * 3600 - 0.001)
    assert('replay' in (await claimKey(runtime, approach)))
    clock.advance(0.001)
    const again = await enter({ ...approach, request_hash: sha256('another body') })
    await finish(again, '{"of":"the next day"}')
    assert.equal(await hasEffect(again), true)
  })

  test('is lost by a request that still runs when the key expires', async () => {
    const approach = newApproach()
    const first = await enter(approach)
    clock.advance(24 * 3600)
    await enter({ ...approach, request_hash: sha256('another body') })
    await assert.rejects(finish(first), KeyLost)
  })

  test('is deleted after it expires, and not before', async () => {
    await db.transact((tx) => sql`truncate idempotency_keys`.execute(tx))
    const project_id = newId(clock)
    const now = clock.now()
    await db.transact((tx) =>
      sql`
        insert into idempotency_keys
          (project_id, key, request_hash, token, locked_until, expires_at)
        select ${project_id}::uuid, 'old-' || n, '', gen_random_uuid(), ${now}, ${now}
        from generate_series(1, 2500) as n
      `.execute(tx),
    )
    const done = newApproach({ key: 'done' })
    await finish(await enter(done))
    const running = await enter(newApproach({ key: 'running' }))
    await sweepIdempotencyKeys.run(runtime)
    const rows = await db.selectFrom('idempotency_keys').select('key').orderBy('key').execute()
    assert.deepEqual(rows, [{ key: 'done' }, { key: 'running' }])
    await finish(running)
    assert('replay' in (await claimKey(runtime, done)))
  })
})

suite('among 32 concurrent requests with one key', () => {
  test('exactly one is fresh and the others must wait', async () => {
    const gates = await crowd(32, newApproach())
    assert.equal(gates.filter(isFresh).length, 1)
    const others = gates.filter((gate) => !isFresh(gate))
    for (const gate of others) assert.deepEqual(gate, { refused: 'in_progress', retry_after_s: 90 })
  })

  test('exactly one takes over from a dead request', async () => {
    const approach = newApproach()
    await enter(approach)
    clock.advance(90)
    assert.equal((await crowd(32, approach)).filter(isFresh).length, 1)
  })

  test('exactly one starts again after the key expired', async () => {
    const approach = newApproach()
    await finish(await enter(approach))
    clock.advance(24 * 3600)
    assert.equal((await crowd(32, approach)).filter(isFresh).length, 1)
  })

  test('exactly one has an effect, although fresh requests are refused or fail in between', async () => {
    const approach = newApproach()
    const tickets: ClaimedKey[] = []
    const attempt = async (n: number) => {
      const gate = await claimKey(runtime, approach)
      if (!('fresh' in gate)) return
      const ticket = { ...approach, token: gate.fresh }
      if (n % 4 < 2) return releaseKey(runtime, ticket)
      tickets.push(ticket)
      await finish(ticket)
    }
    for (let round = 0; round < 4; round++) {
      await Promise.all(Array.from({ length: 32 }, (_, n) => attempt(n + round)))
    }
    assert('replay' in (await claimKey(runtime, approach)))
    assert.equal(tickets.length, 1)
    assert.equal(await hasEffect(tickets[0]!), true)
  })
})

suite('any sequence of operations on keys', () => {
  interface Entry {
    body: string
    token: string
    locked_until_ms: number
    expires_at_ms: number
    reply: string | null
  }

  /** The expected contents of the store, and every ticket that was issued. */
  interface Model {
    entries: Map<string, Entry>
    tickets: ClaimedKey[]
  }

  interface Real {
    project_id: string
  }

  type Command = fc.AsyncCommand<Model, Real>

  const LOCK_MS = 90_000
  const DAY_MS = 24 * 3600 * 1000

  class Open implements Command {
    readonly key: string
    readonly body: string
    constructor(key: string, body: string) {
      this.key = key
      this.body = body
    }
    check = () => true
    toString = () => `open(${this.key}, ${this.body})`
    async run({ entries, tickets }: Model, { project_id }: Real) {
      const gate = await claimKey(
        runtime,
        newApproach({ project_id, key: this.key, body: this.body }),
      )
      const entry = entries.get(this.key)
      const now_ms = clock.now_ms()
      const wait_ms = (entry?.locked_until_ms ?? 0) - now_ms
      const expectFresh = () => {
        const ticket = { project_id, key: this.key, token: tokenOf(gate) }
        assert(tickets.every(({ token }) => token !== ticket.token))
        tickets.push(ticket)
        entries.set(this.key, {
          body: this.body,
          token: ticket.token,
          locked_until_ms: now_ms + LOCK_MS,
          expires_at_ms: now_ms + DAY_MS,
          reply: null,
        })
      }
      if (!entry || entry.expires_at_ms <= now_ms) expectFresh()
      else if (entry.body !== this.body) assert.deepEqual(gate, { refused: 'reused' })
      else if (entry.reply !== null) {
        assert.deepEqual(gate, { replay: { status: 201, reply: entry.reply } })
      } else if (wait_ms <= 0) expectFresh()
      else {
        assert.deepEqual(gate, { refused: 'in_progress', retry_after_s: Math.ceil(wait_ms / 1000) })
      }
    }
  }

  /** An operation with a ticket, which may be the current or an old one. */
  abstract class OfTicket implements Command {
    readonly back: number
    constructor(back: number) {
      this.back = back
    }
    check = ({ tickets }: Readonly<Model>) => tickets.length > this.back
    toString = () => `${this.constructor.name}(${this.back} back)`
    run(model: Model) {
      const ticket = model.tickets.at(-1 - this.back)!
      const entry = model.entries.get(ticket.key)
      const holds = entry !== undefined && entry.token === ticket.token && entry.reply === null
      return this.act(ticket, holds ? entry : null, model)
    }
    abstract act(ticket: ClaimedKey, entry: Entry | null, model: Model): Promise<void>
  }

  class Remember extends OfTicket {
    async act(ticket: ClaimedKey, entry: Entry | null) {
      const reply = JSON.stringify({ token: ticket.token })
      if (!entry) {
        const before = await hasEffect(ticket)
        await assert.rejects(finish(ticket, reply), KeyLost)
        assert.equal(await hasEffect(ticket), before)
        return
      }
      await finish(ticket, reply)
      entry.reply = reply
      entry.expires_at_ms = clock.now_ms() + DAY_MS
    }
  }

  class RollBack extends OfTicket {
    async act(ticket: ClaimedKey) {
      const failing = db.transact(async (tx) => {
        await leaveEffect(tx, ticket)
        await storeKeyedReply(tx, runtime, { ...ticket, status: 201, reply: '{"of":"nothing"}' })
        throw new KeyLost('A crash before the commit.')
      })
      await assert.rejects(failing, KeyLost)
    }
  }

  class Forget extends OfTicket {
    async act(ticket: ClaimedKey, entry: Entry | null, { entries }: Model) {
      await releaseKey(runtime, ticket)
      if (entry) entries.delete(ticket.key)
    }
  }

  class TimePasses implements Command {
    readonly seconds: number
    constructor(seconds: number) {
      this.seconds = seconds
    }
    check = () => true
    toString = () => `passes(${this.seconds} s)`
    async run() {
      clock.advance(this.seconds)
    }
  }

  class Sweep implements Command {
    check = () => true
    toString = () => 'sweep'
    async run({ entries }: Model) {
      await sweepIdempotencyKeys.run(runtime)
      const now_ms = clock.now_ms()
      for (const [key, entry] of entries) if (entry.expires_at_ms <= now_ms) entries.delete(key)
    }
  }

  test('agrees with the model', async () => {
    const back = fc.nat({ max: 2 })
    const seconds = fc.constantFrom(0.25, 1, 45, 89.5, 90, 3600, 86_309, 86_399.75, 86_400)
    const commands = fc.commands(
      [
        fc
          .tuple(fc.constantFrom('a', 'b'), fc.constantFrom('1', '1', '1', '2'))
          .map(([key, body]) => new Open(key, body)),
        back.map((n) => new Remember(n)),
        back.map((n) => new RollBack(n)),
        back.map((n) => new Forget(n)),
        seconds.map((n) => new TimePasses(n)),
        fc.constant(new Sweep()),
      ],
      { maxCommands: 40, size: 'max' },
    )
    const law = fc.asyncProperty(commands, async (course) => {
      const project_id = newId(clock)
      const setUp = () => ({ model: { entries: new Map(), tickets: [] }, real: { project_id } })
      await fc.asyncModelRun(setUp, course)
      const { rows } = await sql`select from effects group by token having count(*) > 1`.execute(db)
      assert.equal(rows.length, 0)
    })
    await fc.assert(law, { numRuns: depth(50, 250) })
  })
})
