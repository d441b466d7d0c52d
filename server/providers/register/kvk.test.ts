/** Tests of the adapter for KVK against a server of our own, and of its simulator. */
import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import { after, describe, test } from 'node:test'
import { withShortTimeout } from '../../../test/fixtures/external/impatience.ts'
import { listen } from '../../../test/fixtures/loopback.ts'
import { openTestRuntime } from '../../../test/fixtures/runtime.ts'
import { registerOf, type RegisterReply } from './register.ts'

interface Script {
  status?: number
  json: unknown
}

const asked: { method: string; url: string; apikey: unknown }[] = []
let script: Script = { json: null }
const server = createServer(
  { keepAliveTimeout: 60_000 },
  ({ method = '', url = '', headers }, response) => {
    asked.push({ method, url, apikey: headers['apikey'] })
    const type = { 'content-type': 'application/json' }
    response.writeHead(script.status ?? 200, type).end(JSON.stringify(script.json))
  },
)
const port = await listen({ after }, server)
const { runtime } = await openTestRuntime({
  work: false,
  settings: {
    HOMEPORT_REGISTER: 'kvk',
    HOMEPORT_REGISTER_KEY: 'the-key',
    HOMEPORT_REGISTER_URL: `http://127.0.0.1:${port}/api/v1/`,
  },
})

const number = '69599084'
async function read(given: Script): Promise<RegisterReply> {
  script = given
  const register = registerOf(runtime)
  assert.ok(register)
  return register.read(number)
}
const refusal = (code: string) => ({ fout: [{ code, omschrijving: 'Fout.' }] })

describe('the adapter for KVK', () => {
  test('asks for one company with the key in a header', async () => {
    await read({ json: { kvkNummer: number } })
    const path = `/api/v1/basisprofielen/${number}`
    assert.deepEqual(asked.at(-1), { method: 'GET', url: path, apikey: 'the-key' })
  })

  test('reads names and addresses of the main branch and the owner', async () => {
    const address = { straatnaam: 'Molenweg', huisnummer: 12, huisletter: 'a', plaats: 'Urk' }
    const reply = await read({
      json: {
        kvkNummer: number,
        naam: 'De Molen',
        statutaireNaam: 'De Molen B.V.',
        handelsnamen: [{ naam: 'De Molen', volgorde: 0 }, { naam: 'Molen Brood' }],
        materieleRegistratie: { datumAanvang: '20150101' },
        _embedded: {
          hoofdvestiging: { adressen: [{ ...address, postcode: '8321AB' }] },
          eigenaar: { rechtsvorm: 'BV', adressen: null },
        },
      },
    })
    assert.deepEqual(reply, {
      answer: 'found',
      company: {
        number,
        names: ['De Molen B.V.', 'De Molen', 'Molen Brood'],
        addresses: [
          { street: 'Molenweg', house_number: '12a', postal_code: '8321AB', city: 'Urk' },
        ],
        ended: false,
      },
    })
  })

  test('reports an end date', async () => {
    const json = { kvkNummer: number, materieleRegistratie: { datumEinde: '20240131' } }
    const reply = await read({ json })
    assert.ok(reply.answer === 'found' && reply.company.ended)
  })

  test('takes only the codes of KVK for an unknown company', async () => {
    const unknown = await read({ status: 404, json: refusal('IPD0005') })
    assert.equal(unknown.answer, 'not_found')
  })

  const unclear: [what: string, given: Script][] = [
    ['404 of a wrong path', { status: 404, json: { message: 'no Route matched' } }],
    ['404 with another code', { status: 404, json: refusal('IPD9999') }],
    ['401', { status: 401, json: {} }],
    ['429', { status: 429, json: {} }],
    ['500', { status: 500, json: refusal('IPD0005') }],
    ['another company', { json: { kvkNummer: '11111111' } }],
    ['something that is no object', { json: 'x' }],
    ['names of a wrong type', { json: { kvkNummer: number, naam: 5 } }],
  ]
  for (const [what, given] of unclear) {
    test(`has no answer for ${what}`, async () => {
      const reply = await read(given)
      assert.equal(reply.answer, 'no_answer')
      assert.ok('why' in reply && !reply.why.includes(number) && !reply.why.includes('the-key'))
    })
  }
})

test('the simulator leaves requests about numbers in 9999 without an answer', async () => {
  const fixture = await openTestRuntime({ work: false })
  const register = registerOf(fixture.runtime)
  assert.ok(register)
  const reply = await withShortTimeout(fixture.runtime, 'register', () => register.read('12349999'))
  assert.equal(reply.answer, 'no_answer')
})

test('there is no register if the operator chose none', async () => {
  const { config } = runtime
  const none = { ...config, register: { ...config.register, provider: 'none' as const } }
  assert.equal(registerOf({ ...runtime, config: none }), null)
})
