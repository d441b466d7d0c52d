/** Tests of the VIES simulator, over HTTP and through the adapter for VIES. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { openTestRuntime } from '../../../../test/fixtures/runtime.ts'
import { withShortTimeout } from '../../../../test/fixtures/external/impatience.ts'
import { vatCheckerOf } from '../../../providers/vat/vat.ts'

// The first import of the check-digit rules is slow on a busy machine.
await import('stdnum')
const { runtime, call } = await openTestRuntime({ work: false })
const check = (vat_number: string) => vatCheckerOf(runtime).check(vat_number)
const ask = (body: unknown, route = 'POST //dev/simulators/vies/check-vat-number') =>
  call(route, { body, key: null })

describe('the replies of the VIES simulator', () => {
  test('report a number with a valid check digit as valid', async () => {
    const answer = await ask({ countryCode: 'DE', vatNumber: '136695976' })
    assert.equal(answer.status, 200)
    const { countryCode, vatNumber, valid, requestDate, requestIdentifier, name } = answer.body
    assert.deepEqual([countryCode, vatNumber, valid], ['DE', '136695976', true])
    assert.match(requestDate, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
    assert.deepEqual([requestIdentifier, name], ['', 'Simulated trader'])
    assert.equal(answer.body.traderNameMatch, 'NOT_PROCESSED')
  })
  test('report an invalid number without a name', async () => {
    const { body } = await ask({ countryCode: 'DE', vatNumber: '136695970' })
    assert.deepEqual([body.valid, body.name, body.address], [false, '---', '---'])
  })
  test('report a number of the wrong length as invalid', async () => {
    assert.equal((await ask({ countryCode: 'DE', vatNumber: '1' })).body.valid, false)
  })
  test('have status 200 and the error INVALID_INPUT for a malformed request', async () => {
    for (const body of [
      {},
      [],
      null,
      'x',
      { countryCode: 'GB', vatNumber: '980780684' },
      { countryCode: 'NL', vatNumber: '' },
      { countryCode: 'NL' },
      { countryCode: 4, vatNumber: 5 },
    ]) {
      const answer = await ask(body)
      assert.equal(answer.status, 200)
      assert.deepEqual(answer.body, {
        actionSucceed: false,
        errorWrappers: [{ error: 'INVALID_INPUT' }],
      })
    }
  })
  test('have status 404 for other paths', async () => {
    assert.equal((await ask({}, 'POST //dev/simulators/vies/other')).status, 404)
    const get = await call('GET //dev/simulators/vies/check-vat-number', { key: null })
    assert.equal(get.status, 405)
  })
})

describe('the adapter for VIES gets the answer', () => {
  const valid = [
    'NL123456782B90',
    'NL000099998B57',
    'DE136695976',
    'EL094259216',
    'XI980780684',
    'ESB85905495',
    'IE6433435OA',
    'FR40303265045',
    'LT100001919017',
  ]
  for (const number of valid)
    test(`valid for ${number}`, async () => assert.equal(await check(number), 'valid'))
  for (const number of ['NL000000000B00', 'DE000000000', 'XI000000000'])
    test(`invalid for ${number}, which is all zeros`, async () =>
      assert.equal(await check(number), 'invalid'))
  for (const number of ['NL123456789B01', 'DE123456789', 'XI980780685', 'XIGD999'])
    test(`invalid for ${number}, which has a wrong check digit`, async () => {
      assert.equal(await check(number), 'invalid')
    })
  test('no answer for numbers that end in 9999 (for Dutch numbers before the B)', async () => {
    const silent = ['DE123459999', 'NL123459999B01', 'NL123456789999', 'EL000009999']
    const answers = await withShortTimeout(runtime, 'vat', () => Promise.all(silent.map(check)))
    assert.deepEqual(new Set(answers), new Set(['no_answer']))
  })
})
