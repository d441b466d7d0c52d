/** Tests of warnings about call plans that are stored although part of them has no effect. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { openTestRuntime } from '../../../../test/fixtures/runtime.ts'
import { callMessage, post, valueOf } from '../../../../test/fixtures/mcp/mcp.ts'

const runtime = await openTestRuntime({ work: false })

const headers = { 'idempotency-key': 'a-number' }
const { id } = (await runtime.call('POST /numbers', { body: {}, headers })).body
const path = `/numbers/${id}/call-plan`

const ring = {
  id: 'ring',
  type: 'forward',
  strategy: 'sequential',
  targets: [{ kind: 'external', e164: '+31201234567' }],
}
const bye = { id: 'bye', type: 'hangup', text: 'Goodbye.' }
const misnamed = { entry: 'ring', nodes: { ring: { ...ring, next: 'bye' }, bye } }

async function warningsOf(plan: object): Promise<any[]> {
  const { status, body, text } = await runtime.call(`PUT ${path}`, { body: plan })
  assert.equal(status, 200, text)
  assert.ok(text.includes(JSON.stringify(plan)), 'the plan is stored as sent')
  return body.warnings
}

async function nearestTo(node: object, key: string): Promise<string | undefined> {
  const nodes = { bye, node: { id: 'node', ...node } }
  const warnings = await warningsOf({ entry: 'node', nodes })
  return warnings.find((one) => one.path === `/nodes/node/${key}`)?.nearest
}

describe('PUT of a plan with unknown keys', () => {
  it('stores the plan as sent and suggests the edge for "next"', async () => {
    const warnings = await warningsOf(misnamed)
    assert.deepEqual(warnings[0], {
      path: '/nodes/ring/next',
      message:
        '"next" is not a field of a node of type forward, so it has no effect. Did you mean "onNoAnswer"?',
      nearest: 'onNoAnswer',
    })
  })

  it('also warns about the unreachable node', async () => {
    const [, second] = await warningsOf(misnamed)
    assert.equal(second.path, '/nodes/bye')
    assert.match(second.message, /no call reaches it/)
  })

  const mistakes: [string, object][] = [
    ['onNoAnswer', { ...ring, onNoAnswr: 'bye' }],
    ['onNoAnswer', { ...ring, fallback: 'bye' }],
    ['onBusy', { ...ring, on_busy: 'bye' }],
    ['onNoAnswer', { ...ring, onTimeout: 'bye' }],
    ['ringSeconds', { ...ring, ring_seconds: 20 }],
    ['ringSeconds', { ...ring, timeout: 20 }],
    ['next', { type: 'readText', text: 'Hello.', onEnd: 'bye' }],
    ['bargeIn', { type: 'readText', text: 'Hello.', barge_in: true }],
    ['text', { type: 'hangup', message: 'Goodbye.' }],
    [
      'onNoInput',
      { type: 'menu', prompt: { text: 'Press 1.' }, options: { 1: 'bye' }, noInput: 'bye' },
    ],
  ]
  for (const [field, node] of mistakes) {
    const key = Object.keys(node).at(-1) ?? ''
    it(`suggests ${field} for "${key}"`, async () =>
      assert.equal(await nearestTo({ ...node, id: 'node' }, key), field))
  }

  it('finds keys at any depth and at the top of the plan', async () => {
    const target = { ...ring.targets[0], lable: 'Anna' }
    const plan = { entry: 'ring', start: 1, nodes: { ring: { ...ring, targets: [target] } } }
    const warnings = await warningsOf(plan)
    assert.deepEqual(
      warnings.map((one) => [one.path, one.nearest]),
      [
        ['/start', undefined],
        ['/nodes/ring/targets/0/lable', 'label'],
      ],
    )
  })

  it('lists the fields of the node if no name is similar', async () => {
    const [warning] = await warningsOf({ entry: 'bye', nodes: { bye: { ...bye, whisper: true } } })
    assert.equal(warning.nearest, undefined)
    assert.match(warning.message, /Its fields are: id, type, label, text, language, cause\.$/)
  })

  it('accepts keys that begin with x-, _ or $ as notes of the client', async () => {
    const noted = { ...bye, 'x-position': [1, 2], _note: 'ours', $comment: 'ours' }
    assert.equal(await warningsOf({ entry: 'bye', nodes: { bye: noted } }), undefined)
  })

  it('returns at most 100 warnings', async () => {
    const many = Object.fromEntries(Array.from({ length: 2_000 }, (_, at) => [`key${at}`, at]))
    const warnings = await warningsOf({ entry: 'bye', nodes: { bye: { ...bye, ...many } } })
    assert.equal(warnings.length, 100)
  })
})

describe('PUT of a plan with values that have no effect', () => {
  it('warns that a voicemail is always text, and that only mobile phones get text messages', async () => {
    const nodes = {
      sms: { id: 'sms', type: 'sendSms', text: 'Hello.', onlyMobile: false, next: 'mailbox' },
      mailbox: { id: 'mailbox', type: 'voicemail', transcribe: false, next: 'bye' },
      bye,
    }
    const warnings = await warningsOf({ entry: 'sms', nodes })
    assert.deepEqual(
      warnings.map((one) => one.path),
      ['/nodes/sms/onlyMobile', '/nodes/mailbox/transcribe'],
    )
  })
})

describe('the warnings', () => {
  it('are returned by GET too', async () => {
    const put = await runtime.call(`PUT ${path}`, { body: misnamed })
    const { body } = await runtime.call(`GET ${path}`)
    assert.deepEqual(body.warnings, put.body.warnings)
  })

  it('are omitted from the reply if there are none', async () => {
    const { body } = await runtime.call(`PUT ${path}`, {
      body: { entry: 'ring', nodes: { ring: { ...ring, onNoAnswer: 'bye' }, bye } },
    })
    assert.ok(!('warnings' in body))
  })

  it('are returned over MCP', async () => {
    const run = { operation: 'numbers.put_call_plan', arguments: { id, body: misnamed } }
    const { body } = await post(runtime, callMessage('run_write_operation', run))
    const { warnings } = valueOf(body.result)
    assert.equal(warnings[0].nearest, 'onNoAnswer')
  })
})
