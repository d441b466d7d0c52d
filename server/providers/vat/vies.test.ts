/** Tests of the VIES adapter: only a clear verdict about the requested number counts. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { openTestRuntime } from '../../../test/fixtures/runtime.ts'
import { withShortTimeout, PATIENCE_MS } from '../../../test/fixtures/external/impatience.ts'
import { openViesServer, type ViesScript } from '../../../test/fixtures/external/vies-server.ts'
import { createLog } from '../../kernel/log.ts'
import { vatCheckerOf } from './vat.ts'

const vies = await openViesServer()
const { runtime } = await openTestRuntime({
  work: false,
  settings: { HOMEPORT_VAT: 'vies', HOMEPORT_VAT_URL: `${vies.url}/` },
})
const checker = vatCheckerOf(runtime)

async function answerTo(script: ViesScript, vat_number = 'NL123456782B90'): Promise<string> {
  vies.answers(script)
  return checker.check(vat_number)
}

const trouble = (error: string): ViesScript => ({
  raw: JSON.stringify({ actionSucceed: false, errorWrappers: [{ error }] }),
})
const whole = (fields: Record<string, unknown>): ViesScript => ({
  raw: JSON.stringify({ countryCode: 'NL', vatNumber: '123456782B90', ...fields }),
})

test('the VIES adapter sends country and number separately, as VIES requires', async () => {
  await answerTo({ verdict: true }, 'EL094259216')
  assert.equal(vies.asked.at(-1), 'EL094259216')
})

describe('the verdict of VIES', () => {
  test('is valid if the reply says valid', async () =>
    assert.equal(await answerTo({ verdict: true }), 'valid'))
  test('is invalid if the reply says not valid', async () =>
    assert.equal(await answerTo({ verdict: false }), 'invalid'))
  test('is accepted if the member userError repeats it', async () => {
    const valid = { verdict: true, with: { userError: 'VALID' } }
    assert.equal(await answerTo(valid), 'valid')
    const invalid = { verdict: false, with: { userError: 'INVALID' } }
    assert.equal(await answerTo(invalid), 'invalid')
  })
})

describe('the answer is no_answer', () => {
  for (const word of [
    'INVALID_INPUT',
    'INVALID_REQUESTER_INFO',
    'SERVICE_UNAVAILABLE',
    'MS_UNAVAILABLE',
    'TIMEOUT',
    'VAT_BLOCKED',
    'IP_BLOCKED',
    'GLOBAL_MAX_CONCURRENT_REQ',
    'GLOBAL_MAX_CONCURRENT_REQ_TIME',
    'MS_MAX_CONCURRENT_REQ',
    'MS_MAX_CONCURRENT_REQ_TIME',
    'SOMETHING_NEW',
  ]) {
    test(`for the reply ${word}, with and without a meaningless member valid`, async () => {
      assert.equal(await answerTo(trouble(word)), 'no_answer')
      for (const verdict of [true, false])
        assert.equal(await answerTo({ verdict, with: { userError: word } }), 'no_answer')
    })
  }
  const odd: [what: string, script: ViesScript][] = [
    ['status 400', { raw: '{"errorWrappers":[{"error":"INVALID_INPUT"}]}', status: 400 }],
    ['status 500', { raw: '{"valid":true}', status: 500 }],
    ['status 503 as a page', { raw: '<html>Unavailable</html>', status: 503 }],
    ['status 302', { raw: '', status: 302 }],
    ['status 429', { raw: '{}', status: 429 }],
    ['an empty reply', { raw: '' }],
    ['a page', { raw: '<html>Maintenance</html>' }],
    ['half a reply', { raw: '{"valid":tr' }],
    ['null', { raw: 'null' }],
    ['a list', { raw: '[{"valid":true}]' }],
    ['a text', { raw: '"valid"' }],
    ['an empty object', { raw: '{}' }],
    ['a verdict about no number', { raw: '{"valid":true}' }],
    ['a verdict about another number', whole({ vatNumber: '000000000B00', valid: false })],
    ['a verdict about another country', whole({ countryCode: 'DE', valid: true })],
    ['valid as a text', whole({ valid: 'true' })],
    ['valid as a number', whole({ valid: 1 })],
    ['valid null', whole({ valid: null })],
    ['no valid at all', whole({})],
    ['a verdict that userError denies', whole({ valid: true, userError: 'INVALID' })],
    ['a refusal that userError denies', whole({ valid: false, userError: 'VALID' })],
    ['a failed action with a verdict', whole({ valid: false, actionSucceed: false })],
    ['a list of errors with a verdict', whole({ valid: false, errorWrappers: [null] })],
    ['a userError that is no text', whole({ valid: true, userError: 301 })],
    ['far too much', { raw: `{"valid":true,"x":"${'x'.repeat(100_000)}"}` }],
    ['a connection that is hung up', 'drop'],
  ]
  for (const [what, script] of odd)
    test(what, async () => assert.equal(await answerTo(script), 'no_answer'))

  test('if no response arrives before the timeout', async () => {
    const why: unknown[] = []
    const log = createLog('info', { write: (line) => void why.push(JSON.parse(line).why) })
    const attentive = { ...runtime, log }
    vies.answers('hang')
    const answer = await withShortTimeout(attentive, 'vat', () => {
      return vatCheckerOf(attentive).check('NL123456782B90')
    })
    assert.equal(answer, 'no_answer')
    assert.deepEqual(why, [`127.0.0.1 did not answer within ${PATIENCE_MS / 1000} s.`])
  })
  test('for one request only: the next request gets its own answer', async () => {
    assert.equal(await answerTo('drop'), 'no_answer')
    assert.equal(await answerTo({ verdict: true }), 'valid')
  })
  test('if the connection is refused', async () => {
    runtime.config = {
      ...runtime.config,
      vat: { ...runtime.config.vat, url: 'http://127.0.0.1:9/rest-api' },
    }
    assert.equal(await checker.check('NL123456782B90'), 'no_answer')
  })
  test('if the address is invalid', async () => {
    runtime.config = { ...runtime.config, vat: { ...runtime.config.vat, url: 'nowhere' } }
    assert.equal(await checker.check('NL123456782B90'), 'no_answer')
  })
})
