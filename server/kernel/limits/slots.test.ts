/** Fair scheduling of slots: shares of an owner, order and refusals. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { createSlots, NoSlot, rememberPerson, type SlotOptions } from './slots.ts'

const settings: SlotOptions = {
  name: 'tests run',
  units: 4,
  units_each: 2,
  waiting_max: 8,
  waiting_each_max: 4,
  retry_after_s: 3,
}

/** Runs the callbacks of settled promises. */
const settle = () => new Promise((resolve) => setImmediate(resolve))

/** Takes a slot and records the owner once it is granted. */
function taker(options: Partial<SlotOptions> = {}) {
  const slots = createSlots({ ...settings, ...options })
  const given: string[] = []
  const take = async (owner: string, units = 1, signal?: AbortSignal) => {
    const returnToCarrier = await slots.take(owner, { units, ...(signal && { signal }) })
    given.push(owner)
    return returnToCarrier
  }
  return { slots, given, take }
}

describe('slots', () => {
  test('gives an owner at most its share, and others theirs at once', async () => {
    const { given, take } = taker()
    const all = ['a', 'a', 'a', 'b', 'c'].map((owner) => take(owner))
    await settle()
    assert.deepEqual(given, ['a', 'a', 'b', 'c'])
    const returnToCarrier = await all[0]!
    returnToCarrier()
    returnToCarrier()
    await settle()
    assert.deepEqual(given, ['a', 'a', 'b', 'c', 'a'])
  })

  test('alternates between owners if there is one unit', async () => {
    const { slots } = taker({ units: 1, units_each: 1 })
    const order: string[] = []
    const run = (owner: string) => slots.run(owner, async () => void order.push(owner))
    await Promise.all(['a', 'a', 'a', 'b', 'b', 'c'].map(run))
    assert.deepEqual(order, ['a', 'b', 'c', 'a', 'b', 'a'])
  })

  test('refuses an owner with a full queue, and every owner if the whole queue is full', async () => {
    const { take } = taker({ units: 1, units_each: 1, waiting_max: 5 })
    const waiting = ['a', 'a', 'a', 'a', 'a', 'b'].map((owner) => take(owner))
    const isNoSlot = (is_own: boolean) => (error: unknown) =>
      error instanceof NoSlot && error.is_own === is_own && error.retry_after_s === 3
    await assert.rejects(take('a'), isNoSlot(true))
    await assert.rejects(take('b'), isNoSlot(false))
    await Promise.all(waiting.map(async (one) => (await one)()))
    ;(await take('c'))()
  })

  test('lets an owner with nothing into a full queue, in place of the newest of the busiest', async () => {
    const { given, take } = taker({ units: 1, units_each: 1, waiting_max: 3 })
    const [held, first, second] = ['a', 'a', 'b'].map((owner) => take(owner))
    const newest = take('a')
    const late = take('c')
    await assert.rejects(newest, (error) => error instanceof NoSlot && error.is_own)
    await assert.rejects(take('b'), NoSlot)
    for (const one of [held, second, late, first]) (await one!)()
    assert.deepEqual(given, ['a', 'b', 'c', 'a'])
    const [all, ...others] = ['a', 'b', 'c', 'd'].map((owner) => take(owner))
    await assert.rejects(take('e'), NoSlot)
    for (const one of [all, ...others]) (await one!)()
  })

  test('gives the projects of one person the share of one', async () => {
    for (const project of ['one', 'two', 'three']) rememberPerson(project, 'owner@example.com')
    const { given, take } = taker()
    const all = ['one', 'two', 'three', 'one', 'b'].map((owner) => take(owner))
    await settle()
    assert.deepEqual(given, ['one', 'two', 'b'])
    ;(await all[0]!)()
    await settle()
    assert.deepEqual(given, ['one', 'two', 'b', 'three'])
  })

  test('drops a request whose client disconnected and serves the next', async () => {
    const { given, take } = taker({ units: 1, units_each: 1 })
    const [held, gone] = [await take('a'), new AbortController()]
    const left = take('b', 1, gone.signal)
    const next = take('c')
    gone.abort()
    await assert.rejects(left, NoSlot)
    await assert.rejects(take('b', 1, gone.signal), NoSlot)
    held()
    await next
    assert.deepEqual(given, ['a', 'c'])
  })

  test('refuses a request after the maximum wait', async () => {
    const { take } = taker({ units: 1, units_each: 1, wait_ms_max: 1 })
    const held = await take('a')
    await assert.rejects(take('a'), (error) => error instanceof NoSlot && error.is_own)
    await assert.rejects(take('b'), (error) => error instanceof NoSlot && !error.is_own)
    held()
    ;(await take('b'))()
  })

  test('caps a request at the share of an owner', async () => {
    const { take } = taker()
    const returnToCarrier = await take('a', 100)
    returnToCarrier()
    await Promise.all([take('a', 2), take('b', 2)])
  })

  test('never exceeds the capacity and serves every request, for any sequence', async () => {
    const request = fc.record({ owner: fc.constantFrom('a', 'b', 'c'), units: fc.nat(3) })
    await fc.assert(
      fc.asyncProperty(fc.array(request, { maxLength: 40 }), async (requests) => {
        const slots = createSlots({ ...settings, waiting_max: 40, waiting_each_max: 40 })
        const used = new Map<string, number>()
        const add = (owner: string, units: number) => {
          used.set(owner, (used.get(owner) ?? 0) + units)
          assert.ok(used.get(owner)! <= 2, 'one owner has its share at most')
          assert.ok([...used.values()].reduce((sum, one) => sum + one, 0) <= 4)
        }
        await Promise.all(
          requests.map(async ({ owner, units }) => {
            const returnToCarrier = await slots.take(owner, { units })
            add(owner, Math.min(units, 2))
            await settle()
            add(owner, -Math.min(units, 2))
            returnToCarrier()
          }),
        )
      }),
      { numRuns: 100 },
    )
  })
})
