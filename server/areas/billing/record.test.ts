/**
 * The invariants of the ledger on a real PostgreSQL, after random deeds in random order, some of
 * them repeated, across the ends of months, and from 32 writers at once.
 */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { sql } from 'kysely'
import { openBareGround } from '../../../test/ground/bare-house.ts'
import { Problem } from '../../contract/errors.ts'
import { movableClock } from '../../kernel/clock.ts'
import { openDatabase } from '../../kernel/database.ts'
import type { House } from '../../kernel/house.ts'
import { microFromEuro } from '../../kernel/money.ts'
import * as projects from '../projects/service.ts'
import { monthOf } from './ledger.ts'
import * as billing from './service.ts'

const ground = await openBareGround()
const start_ms = Date.parse('2026-12-30T22:30:00.000Z')
const clock = movableClock(0, { now_ms: () => start_ms, now: () => new Date(start_ms) })
const house = ground.openHouse(clock)

const REFERENCE_ID = '0193a5d0-0000-7000-8000-000000000001'
const euro = fc.integer({ min: 1, max: 9_000_000 }).map((micro) => BigInt(micro))
const reference = fc.integer({ min: 0, max: 7 }).map((number) => `deed:${number}`)
const deedArbitrary = fc.oneof(
  fc.record({ verb: fc.constant('topUp' as const), reference, amount_micro: euro }),
  fc.record({ verb: fc.constant('charge' as const), reference, amount_micro: euro }),
  fc.record({ verb: fc.constant('hold' as const), reference, amount_micro: euro }),
  fc.record({ verb: fc.constant('settle' as const), reference, amount_micro: euro }),
  fc.record({ verb: fc.constant('release' as const), reference, amount_micro: euro }),
)
type Deed = typeof deedArbitrary extends fc.Arbitrary<infer D> ? D : never

async function newProject(cap_micro: bigint | null): Promise<string> {
  const facts = { name: 'Bakery', shape: 'single', plan: 'reachable', owner_email: null } as const
  const made = await projects.create(house, facts)
  assert('project_id' in made)
  await projects.change(house.db, made.project_id, { spending_limit_micro: cap_micro })
  return made.project_id
}

/** Runs a deed in a transaction of its own. Returns why it was refused, or null. */
async function attempt(of: House, project_id: string, deed: Deed): Promise<string | null> {
  const { verb, ...order } = deed
  const what = { ...order, project_id, description: 'A deed', reference_id: REFERENCE_ID }
  try {
    await of.db.transact(async (tx) => {
      if (verb === 'topUp') return billing.topUp(tx, of, { ...what, source: 'payment' })
      if (verb === 'charge') return billing.charge(tx, of, { ...what, source: 'sms' })
      if (verb === 'hold') return void (await billing.hold(tx, of, { ...what, source: 'ai' }))
      const hold_id = await holdUnder(project_id, deed.reference)
      if (hold_id === null) return
      if (verb === 'settle') await billing.settle(tx, of, { ...order, project_id, hold_id })
      else await billing.release(tx, of, { project_id, hold_id })
    })
    return null
  } catch (error) {
    if (error instanceof Problem) return error.slug
    throw error
  }
}

async function holdUnder(project_id: string, name: string): Promise<string | null> {
  const found = await house.db
    .selectFrom('ledger_entries')
    .select('id')
    .where('project_id', '=', project_id)
    .where('kind', '=', 'hold')
    .where('reference', '=', name)
    .executeTakeFirst()
  return found?.id ?? null
}

/** The same rules once more, said in the plainest way there is. */
function createModel(cap: bigint | null) {
  let balance = 0n
  let charged = 0n
  let month = monthOf(clock.now())
  const done = new Set<string>()
  const held = new Map<string, bigint>()
  const inHolds = () => [...held.values()].reduce((sum, amount) => sum + amount, 0n)
  const refusal = (amount: bigint) => {
    if (amount > 0n && cap !== null && charged + inHolds() + amount > cap) return 'billing_blocked'
    return amount > balance ? 'insufficient_balance' : null
  }
  const spend = (name: string, amount: bigint, then: () => void) => {
    if (done.has(name)) return null
    const refused = refusal(amount)
    if (refused !== null) return refused
    done.add(name)
    balance -= amount
    then()
    return null
  }
  const verbs: Record<Deed['verb'], (name: string, amount: bigint) => string | null> = {
    topUp: (name, amount) => spend(`top-up ${name}`, -amount, () => {}),
    charge: (name, amount) => spend(`charge ${name}`, amount, () => (charged += amount)),
    hold: (name, amount) => spend(`hold ${name}`, amount, () => held.set(name, amount)),
    settle(name, amount) {
      const set_aside = held.get(name)
      if (set_aside === undefined) return null
      return spend(`end ${name}`, amount - set_aside, () => {
        held.delete(name)
        charged += amount
      })
    },
    release(name) {
      balance += held.get(name) ?? 0n
      held.delete(name)
      return null
    },
  }
  return {
    refusalOf(deed: Deed) {
      if (monthOf(clock.now()) > month) charged = 0n
      month = monthOf(clock.now())
      return verbs[deed.verb](deed.reference, deed.amount_micro)
    },
    now: () => ({
      balance_micro: balance,
      spent_micro: inHolds() + (monthOf(clock.now()) > month ? 0n : charged),
    }),
  }
}

/** Reads the whole ledger of a project and checks what must hold of it at any moment. */
async function audit(project_id: string): Promise<void> {
  const { rows: accounts } = await accountsAudit(project_id).execute(house.db)
  // A project to which everything was refused has no accounts yet.
  assert([0, 4].includes(accounts.length))
  for (const { kind, balance, replayed, month_total, month_replayed } of accounts) {
    assert.equal(balance, replayed, `${kind} is the sum of its postings`)
    assert.equal(month_total, month_replayed, `${kind} knows its month`)
    assert(kind === 'funding' || balance >= 0n, `${kind} is not below zero`)
  }
  const sum = accounts.reduce((total, { balance }) => total + balance, 0n)
  assert.equal(sum, 0n, 'the accounts are zero together')
  const { rows: entries } = await entriesAudit(project_id).execute(house.db)
  for (const { balance, replayed } of entries) assert.equal(balance, replayed)
  const names = entries.map(({ kind, reference: name }) => `${kind} ${name}`)
  assert.equal(new Set(names).size, names.length, 'no reference happened twice')
  const { rows: holds } = await holdsAudit(project_id).execute(house.db)
  const [{ open, ended_twice } = { open: null, ended_twice: null }] = holds
  const held = accounts.find(({ kind }) => kind === 'held')?.balance ?? 0n
  assert.equal(open, held, 'what is held is the sum of the open holds')
  assert.equal(ended_twice, 0n, 'no hold ended twice')
}

/** What postings add to an account, by plain arithmetic. */
const added = (account: string) =>
  sql.raw(`sum(case when p.to_account = ${account} then p.amount_micro
    when p.from_account = ${account} then -p.amount_micro else 0 end)`)

const accountsAudit = (project_id: string) => sql<{
  kind: string
  balance: bigint
  replayed: bigint
  month_total: bigint
  month_replayed: bigint
}>`
  select a.kind, a.balance_micro as balance, coalesce(r.replayed, 0)::bigint as replayed,
    a.month_micro as month_total, coalesce(r.month_replayed, 0)::bigint as month_replayed
  from ledger_accounts a, lateral (
    select ${added('a.kind')} as replayed, ${added('a.kind')} filter (where a.month =
      date_trunc('month', e.created_at at time zone 'Europe/Amsterdam')::date) as month_replayed
    from ledger_postings p
    join ledger_entries e on e.project_id = p.project_id and e.id = p.entry_id
    where p.project_id = a.project_id
  ) r where a.project_id = ${project_id}`

const entriesAudit = (project_id: string) => sql<{
  kind: string
  reference: string
  balance: bigint
  replayed: bigint
}>`
  select e.kind, e.reference, e.balance_after_micro as balance,
    (sum(coalesce(s.change, 0)) over (order by e.id))::bigint as replayed
  from ledger_entries e left join lateral (
    select ${added("'prepaid'")} as change from ledger_postings p
    where p.project_id = e.project_id and p.entry_id = e.id
  ) s on true where e.project_id = ${project_id}`

const holdsAudit = (project_id: string) => sql<{ open: bigint; ended_twice: bigint }>`
  select coalesce(sum(h.amount_micro) filter (where h.state = 'open'), 0)::bigint as open,
    count(*) filter (where 1 < (
      select count(*) from ledger_entries e join ledger_entries made using (project_id, reference)
      where project_id = h.project_id and made.id = h.id and e.kind in ('settle', 'release')
    )) as ended_twice
  from ledger_holds h where h.project_id = ${project_id}`

async function shown(project_id: string) {
  const balance = await billing.readBalance(house.db, house, { project_id, test: false })
  return {
    balance_micro: microFromEuro(balance.balance_eur),
    spent_micro: microFromEuro(balance.spent_this_month_eur),
  }
}

test('random deeds leave exactly what the plain rules say, and the books audit', async () => {
  const step = fc.record({ deed: deedArbitrary, hours: fc.constantFrom(0, 0, 0, 1, 30, 500) })
  const steps = fc.array(step, { minLength: 1, maxLength: 30 })
  const cap = fc.option(fc.bigInt({ min: 0n, max: 30_000_000n }))
  await fc.assert(
    fc.asyncProperty(steps, cap, async (run, cap_micro) => {
      const project_id = await newProject(cap_micro)
      const model = createModel(cap_micro)
      for (const { deed, hours } of run) {
        clock.advance(hours * 3600)
        assert.equal(await attempt(house, project_id, deed), model.refusalOf(deed), deed.verb)
      }
      assert.deepEqual(await shown(project_id), model.now())
      assert.equal(
        await billing.spentThisMonth(house.db, house, project_id),
        model.now().spent_micro,
      )
      await audit(project_id)
    }),
    { numRuns: 40 },
  )
})

async function withWriters<T>(work: (writers: House) => Promise<T>): Promise<T> {
  const onError = (error: Error) => assert.fail(error)
  const db = openDatabase({ connection: { ...ground.connection, max: 32 }, onError })
  try {
    return await work({ ...house, db })
  } finally {
    await db.close()
  }
}

test('32 writers at once with references that collide leave books that audit', async () => {
  const deeds = fc.array(deedArbitrary, { minLength: 4, maxLength: 8 })
  const plan = fc.array(deeds, { minLength: 32, maxLength: 32 })
  await withWriters((writers) =>
    fc.assert(
      fc.asyncProperty(plan, async (sequences) => {
        const project_id = await newProject(20_000_000n)
        const write = async (sequence: Deed[]) => {
          for (const deed of sequence) await attempt(writers, project_id, deed)
        }
        await Promise.all(sequences.map(write))
        await audit(project_id)
        const { spent_micro } = await shown(project_id)
        assert(spent_micro <= 20_000_000n)
      }),
      { numRuns: 3, endOnFailure: true },
    ),
  )
})

const each32 = (run: (number: number) => Promise<string | null>) =>
  Promise.all(Array.from({ length: 32 }, (_, number) => run(number)))

test('32 charges at once spend the balance and not a charge more', async () => {
  const project_id = await newProject(null)
  const amount_micro = 1_000_000n
  await attempt(house, project_id, { verb: 'topUp', reference: 'one', amount_micro: 5_500_000n })
  const outcomes = await withWriters((writers) =>
    each32((number) =>
      attempt(writers, project_id, { verb: 'charge', reference: `sms:${number}`, amount_micro }),
    ),
  )
  assert.equal(outcomes.filter((slug) => slug === null).length, 5)
  assert.equal(outcomes.filter((slug) => slug === 'insufficient_balance').length, 27)
  assert.deepEqual(await shown(project_id), { balance_micro: 500_000n, spent_micro: 5_000_000n })
  await audit(project_id)
})

test('32 charges and holds at once stop at the spending cap', async () => {
  const project_id = await newProject(10_000_000n)
  const amount_micro = 1_000_000n
  await attempt(house, project_id, { verb: 'topUp', reference: 'one', amount_micro: 99_000_000n })
  const outcomes = await withWriters((writers) =>
    each32((number) => {
      const verb = number % 2 === 0 ? 'charge' : 'hold'
      return attempt(writers, project_id, { verb, reference: `call:${number}`, amount_micro })
    }),
  )
  assert.equal(outcomes.filter((slug) => slug === null).length, 10)
  assert.equal(outcomes.filter((slug) => slug === 'billing_blocked').length, 22)
  await audit(project_id)
})

test('one reference from 32 writers at once happens once, also on empty books', async () => {
  const project_id = await newProject(null)
  const deed: Deed = { verb: 'topUp', reference: 'payment:1', amount_micro: 7_000_000n }
  const outcomes = await withWriters((writers) => each32(() => attempt(writers, project_id, deed)))
  assert.deepEqual(new Set(outcomes), new Set([null]))
  assert.deepEqual(await shown(project_id), { balance_micro: 7_000_000n, spent_micro: 0n })
  await audit(project_id)
})

test('a hold that 32 writers settle or release at once ends once', async () => {
  const project_id = await newProject(null)
  const [top, name] = ['payment:1', 'call:1']
  await attempt(house, project_id, { verb: 'topUp', reference: top, amount_micro: 9_000_000n })
  await attempt(house, project_id, { verb: 'hold', reference: name, amount_micro: 4_000_000n })
  await withWriters((writers) =>
    each32((number) => {
      const verb = number % 2 === 0 ? 'settle' : 'release'
      return attempt(writers, project_id, { verb, reference: name, amount_micro: 3_000_000n })
    }),
  )
  const { balance_micro, spent_micro } = await shown(project_id)
  assert.equal(balance_micro + spent_micro, 9_000_000n)
  assert([0n, 3_000_000n].includes(spent_micro))
  await audit(project_id)
})
