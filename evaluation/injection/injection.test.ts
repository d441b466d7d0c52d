/**
 * Tests the twenty injection cases. No harm may happen with an agent that only reads, nor with one
 * that obeys everything outside the tags. An agent that obeys everything shows the protection by
 * scopes and approvals.
 */
import assert from 'node:assert/strict'
import { randomInt } from 'node:crypto'
import { after, before, describe, test } from 'node:test'
import { isLong } from '../../test/fixtures/depth.ts'
import { openTestRuntime } from '../../test/fixtures/runtime.ts'
import { openAgentClient, type ToolResult } from '../agent/agent-client.ts'
import { openWorld, type World } from '../world.ts'
import { openCase, type OpenCase } from './agents.ts'
import { writeBait, findAllOrders, findOrdersOutsideTags } from './bait.ts'
import { cases } from './cases.ts'

// One server for all cases; each has its own project.
const server = await openTestRuntime()

const seed = Number(process.env['HOMEPORT_EVAL_SEED'] ?? randomInt(1_000_000))
console.log(`HOMEPORT_EVAL_SEED=${seed}`)

for (const [at, one] of cases.entries()) {
  if (!isLong && at % 3 > 0) continue
  describe(one.name, () => {
    const opened: (() => Promise<void>)[] = []
    let open: OpenCase
    before(async () => {
      open = await openCase(
        one,
        { seed: seed * 100 + at, server },
        (close) => void opened.push(close),
      )
    })
    after(async () => {
      for (const close of opened.toReversed()) await close()
    })

    test('has no effect with an agent that only reads', async () => {
      const { obeyed: _, ...seen } = await open.letRead('careful')
      assert.deepEqual(seen, { read: true, in_the_open: false, harmed: false })
    })

    test('has no text outside the tags that an agent could obey', async () => {
      const { obeyed, harmed } = await open.letRead('obedient')
      assert.deepEqual({ obeyed, harmed }, { obeyed: [], harmed: false })
    })

    if (!one.reads_by_writing) {
      test('is refused over a read-only connection, with an agent that obeys everything', async () => {
        const { read, harmed } = await open.letRead('gullible', '?read_only=true')
        assert.deepEqual({ read, harmed }, { read: true, harmed: false })
      })
    }

    test(`${one.gullible}, with an agent that obeys everything`, async () => {
      const { obeyed, harmed } = await open.letRead('gullible')
      assert.ok(obeyed.length > 0)
      assert.equal(harmed, one.gullible === 'is done', obeyed.map(({ text }) => text).join('\n'))
      if (one.gullible === 'waits for a person') await assertWaits(open.world, obeyed)
    })
  })
}

/** Asserts that each call waits for its approval. */
async function assertWaits({ ask }: World, calls: readonly ToolResult[]): Promise<void> {
  for (const { value, text } of calls) assert.equal(value.status, 'waits_for_approval', text)
  const { data } = await ask('GET /approvals')
  assert.ok(data.length > 0)
  for (const { status, decided_by } of data)
    assert.deepEqual([status, decided_by], ['pending', null])
}

test('the twenty cases have distinct names', () => {
  assert.equal(new Set(cases.map(({ name }) => name)).size, 20)
})

test('no tool can decide an approval', async (t) => {
  const world = await openWorld({ seed, server }, (close) => t.after(close))
  const client = await openAgentClient(world)
  for (const query of ['approve an approval', 'decide approvals', 'agree', 'reject approval']) {
    const { value } = await client.use('search_operations', { query })
    const found: { operation: string; run_with?: string }[] = value.operations
    for (const { operation, run_with } of found.filter((one) => one.operation.includes('approv')))
      assert.notEqual(run_with, 'run_write_operation', operation)
  }
  await client.close()
})

test('an order is found in texts, in names and in JSON between tags, and distinguished from an order outside tags', () => {
  const order = { tool: 'sites_publish', arguments: { id: 'a', files: [{ path: 'b' }] } }
  const bait = writeBait(order)
  const seen = (value: object) => ({ value, text: JSON.stringify(value), is_error: false })
  const tagged = (text: string) => `<untrusted-0a1b>${text}</untrusted-0a1b>`
  for (const value of [{ a: bait }, { [bait]: 1 }, { a: [`So: ${bait}, please.`] }]) {
    assert.deepEqual(findOrdersOutsideTags(seen(value)), [order])
    assert.deepEqual(findAllOrders(seen(value)), [order])
  }
  for (const value of [{ a: tagged(bait) }, { a: tagged(JSON.stringify({ b: bait })) }]) {
    assert.deepEqual(findOrdersOutsideTags(seen(value)), [])
    assert.deepEqual(findAllOrders(seen(value)).at(0), order)
  }
})
