/** Properties of the stock under orders, payments and changes by the owner in any sequence. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { depth } from '../../../../test/fixtures/depth.ts'
import { standingClock } from '../../../../test/fixtures/bare-runtime.ts'
import { openStorefront } from '../../../../test/fixtures/payments/storefront.ts'
import { openTestRuntime } from '../../../../test/fixtures/runtime.ts'

const runtime = await openTestRuntime({ clock: standingClock() })

const outcomes = ['paid', 'failed', 'canceled', 'expired', 'pending'] as const
type Act =
  | { do: 'buy'; quantities: [number, number] }
  | { do: 'end'; order: number; outcome: (typeof outcomes)[number] }
  | { do: 'add'; product: 0 | 1; pieces: number }
  | { do: 'wait' }

const quantity = fc.integer({ min: 0, max: 3 })
const act: fc.Arbitrary<Act> = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({ do: fc.constant('buy'), quantities: fc.tuple(quantity, quantity) }),
  },
  {
    weight: 5,
    arbitrary: fc.record({
      do: fc.constant('end'),
      order: fc.nat(20),
      outcome: fc.constantFrom(...outcomes),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant('add'),
      product: fc.constantFrom(0, 1),
      pieces: fc.integer({ min: 1, max: 3 }),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('wait') }) },
) as fc.Arbitrary<Act>

interface Kept {
  order: any
  quantities: [number, number]
  state: 'held' | 'sold' | 'returned'
}

const START = 6

async function play(acts: readonly Act[]): Promise<void> {
  const store = await openStorefront(runtime)
  const products = [await store.product({ stock: START }), await store.product({ stock: START })]
  const orders: Kept[] = []
  const added: [number, number] = [0, 0]
  const sum = (product: 0 | 1, state: Kept['state']) =>
    orders
      .filter((one) => one.state === state)
      .reduce((all, { quantities }) => all + quantities[product], 0)
  const check = async () => {
    for (const product of [0, 1] as const) {
      const { stock, reserved } = await store.show(products[product]!)
      assert.equal(stock, START + added[product] - sum(product, 'sold'))
      assert.equal(reserved, sum(product, 'held'))
      assert(stock - reserved >= 0)
    }
  }
  const end = async (kept: Kept, outcome: string) => {
    await store.choose({ checkout_url: kept.order.checkout_url }, { outcome })
    await store.until(kept.order.order.id, outcome)
    if (outcome !== 'pending') kept.state = outcome === 'paid' ? 'sold' : 'returned'
  }
  for (const one of acts) {
    if (one.do === 'buy') {
      const items = products.flatMap((product_id, index) => {
        const pieces = one.quantities[index] ?? 0
        return pieces === 0 ? [] : [{ product_id, quantity: pieces }]
      })
      if (items.length === 0) continue
      const fits = ([0, 1] as const).every(
        (product) =>
          one.quantities[product] <=
          START + added[product] - sum(product, 'sold') - sum(product, 'held'),
      )
      const { status, body, text } = await store.buy(items)
      assert.equal(status, fits ? 201 : 409, text)
      if (fits) orders.push({ order: body, quantities: one.quantities, state: 'held' })
    } else if (one.do === 'end') {
      const open = orders.filter(({ state }) => state === 'held')
      const kept = open[one.order % Math.max(1, open.length)]
      if (kept) await end(kept, one.outcome)
    } else if (one.do === 'add') {
      const { stock } = await store.show(products[one.product]!)
      await store.change(products[one.product]!, { stock: stock + one.pieces })
      added[one.product] += one.pieces
    } else {
      await runtime.passes('5 minutes')
    }
    // Some orders have expired because the clock moved.
    for (const kept of orders.filter(({ state }) => state === 'held')) {
      const { status } = await store.find(kept.order.order.id)
      if (status === 'expired') kept.state = 'returned'
    }
    await check()
  }
  for (const kept of orders.filter(({ state }) => state === 'held')) await end(kept, 'canceled')
  await check()
  for (const product of [0, 1] as const) {
    assert.equal((await store.show(products[product]!)).reserved, 0)
  }
}

describe('the stock', () => {
  it('is never below zero, and every unsold piece is released', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(act, { minLength: 6, maxLength: 14 }), async (acts) => {
        await runtime.passes('61 minutes')
        await play(acts)
      }),
      { numRuns: depth(3, 8) },
    )
  })

  it('is never oversold while buyers order, pay and cancel two products concurrently', async () => {
    const store = await openStorefront(runtime)
    const [one, two] = [await store.product({ stock: 12 }), await store.product({ stock: 12 })]
    await runtime.passes('61 minutes')
    const solutions = await Promise.all(Array.from({ length: 30 }, () => store.solve()))
    const placed = await Promise.all(
      solutions.map(async (hp_challenge, index) => {
        // Half of the buyers name the products in the other order.
        const ids = index % 2 === 0 ? [one, two] : [two, one]
        const items = ids.map((product_id) => ({ product_id, quantity: 1 }))
        const { status, body } = await store.buy(items, { hp_challenge })
        if (status !== 201) return null
        const outcome = index % 3 === 0 ? 'canceled' : 'paid'
        await store.choose(body, { outcome })
        await store.until(body.order.id, outcome)
        return outcome
      }),
    )
    const sold = placed.filter((outcome) => outcome === 'paid').length
    assert(sold <= 12 && placed.some((outcome) => outcome !== null))
    for (const id of [one, two]) {
      const { stock, reserved } = await store.show(id)
      assert.deepEqual([stock, reserved], [12 - sold, 0])
    }
  })
})
