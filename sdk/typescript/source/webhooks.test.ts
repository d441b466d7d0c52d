/**
 * Tests of verifyWebhook: valid and invalid requests, also with the built package in the oldest
 * supported Node.js. The test computes signatures by the documented algorithm.
 */
import assert from 'node:assert/strict'
import { execFileSync, spawnSync } from 'node:child_process'
import { createHmac } from 'node:crypto'
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import fc from 'fast-check'
import { verifyWebhook, WebhookVerificationError, type WebhookRequest } from './homeport.ts'

const NOW_S = 1_790_000_000
const now = new Date(NOW_S * 1000)
const secret = 'whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oDZlGMR/VxPqM='
const other = 'whsec_AAAAsBQIhrscChlQIMV+b5sSYspob7oDZlGMR/VxPqM='
const sent = { id: 'evt_00', type: 'call.completed', created_at: '2026-09-21T14:13:20.000Z' }
const payload = `${JSON.stringify({ ...sent, data: { name: 'Zoë ☎' } }, null, 1)}\n`

function hex(key: string, t: number | string, body: string | Uint8Array = payload): string {
  return createHmac('sha256', key).update(`${t}.`).update(body).digest('hex')
}

function at(t: number | string): string {
  return `t=${t},v1=${hex(secret, t)}`
}

const good = { payload, header: at(NOW_S), secret, now }

async function refuses(change: Partial<WebhookRequest>, reason: string): Promise<void> {
  await assert.rejects(verifyWebhook({ ...good, ...change }), (error) => {
    assert.ok(error instanceof WebhookVerificationError, String(error))
    assert.equal(error.name, 'WebhookVerificationError')
    assert.equal(error.reason, reason)
    assert.match(error.message, /\.$/)
    assert.ok(!error.message.includes(secret) && !error.message.includes(hex(secret, NOW_S)))
    return true
  })
}

describe('a valid request', () => {
  test('returns its event', async () => {
    const event = await verifyWebhook<{ name: string }>(good)
    assert.deepEqual(event, { ...sent, data: { name: 'Zoë ☎' } })
  })
  test('is accepted with its body as text, bytes, a byte range or a buffer', async () => {
    const bytes = new TextEncoder().encode(payload)
    const part = new TextEncoder().encode(`##${payload}##`).subarray(2, -2)
    for (const form of [bytes, part, bytes.buffer, Buffer.from(payload)]) {
      assert.equal((await verifyWebhook({ ...good, payload: form })).id, 'evt_00')
    }
  })
  test('is accepted with repeated headers', async () => {
    assert.equal((await verifyWebhook({ ...good, header: [good.header] })).id, 'evt_00')
  })
  test('is accepted if one of several secrets matches, in any order', async () => {
    for (const secrets of [[secret], [other, secret], [secret, other]]) {
      const { secret: _, ...rest } = good
      assert.equal((await verifyWebhook({ ...rest, secrets })).id, 'evt_00')
    }
    assert.equal((await verifyWebhook({ ...good, secret: other, secrets: [secret] })).id, 'evt_00')
  })
  test('is accepted with either secret if it was signed with two', async () => {
    const two = `t=${NOW_S},v1=${hex(other, NOW_S)},v1=${hex(secret, NOW_S)}`
    for (const one of [secret, other]) {
      assert.equal((await verifyWebhook({ ...good, header: two, secret: one })).id, 'evt_00')
    }
  })
  test('may have unknown parts in its signature header', async () => {
    const header = `v0=old,${good.header},v2=later=x,new`
    assert.equal((await verifyWebhook({ ...good, header })).id, 'evt_00')
  })
  test('is accepted for five minutes in both directions, or for a configured time', async () => {
    for (const t of [NOW_S - 300, NOW_S + 300]) await verifyWebhook({ ...good, header: at(t) })
    await refuses({ header: at(NOW_S - 301) }, 'outside_tolerance')
    await refuses({ header: at(NOW_S + 301) }, 'outside_tolerance')
    await refuses({ header: at(NOW_S - 11), tolerance_s: 10 }, 'outside_tolerance')
    await verifyWebhook({ ...good, header: at(NOW_S - 3000), tolerance_s: 3000 })
  })
  test('is compared with the current time by default', async () => {
    const { now: _, ...rest } = good
    await assert.rejects(verifyWebhook(rest), { reason: 'outside_tolerance' })
    const t = Math.floor(Date.now() / 1000)
    assert.equal((await verifyWebhook({ ...rest, header: at(t) })).id, 'evt_00')
  })
})

describe('verifyWebhook refuses a request', () => {
  test('without the signature header', async () => {
    for (const header of ['', null, undefined, []]) await refuses({ header }, 'header_missing')
  })
  test('if the header has no time, two times, an invalid time or no signature', async () => {
    const v1 = `v1=${hex(secret, NOW_S)}`
    for (const header of [
      v1,
      `t=${NOW_S}`,
      `t=${NOW_S},t=${NOW_S},${v1}`,
      `t=,${v1}`,
      `t=1e9,${v1}`,
      `t=-1,${v1}`,
      `t= ${NOW_S},${v1}`,
      't',
    ]) {
      await refuses({ header }, 'header_malformed')
    }
  })
  test('if it was signed with another secret or a part of it', async () => {
    await refuses({ header: `t=${NOW_S},v1=${hex(other, NOW_S)}` }, 'signature_mismatch')
    await refuses({ secret: secret.slice('whsec_'.length) }, 'signature_mismatch')
  })
  test('if time, body or signature was altered', async () => {
    await refuses({ header: good.header.replace(`${NOW_S}`, `${NOW_S + 1}`) }, 'signature_mismatch')
    await refuses({ payload: payload.replace('call', 'Call') }, 'signature_mismatch')
    await refuses({ payload: JSON.stringify(JSON.parse(payload)) }, 'signature_mismatch')
    await refuses({ header: good.header.slice(0, -1) }, 'signature_mismatch')
    await refuses({ header: `${good.header}0` }, 'signature_mismatch')
    await refuses(
      { header: good.header.toUpperCase().replace('T=', 't=').replace('V1', 'v1') },
      'signature_mismatch',
    )
    await refuses({ header: `t=${NOW_S},v1=é${good.header.slice(-63)}` }, 'signature_mismatch')
  })
  test('if its body is not an event', async () => {
    for (const body of [
      '',
      'x',
      '[]',
      'null',
      '{"id":"evt_00"}',
      '{"id":1,"type":"a","created_at":"b","data":1}',
    ]) {
      await refuses(
        { payload: body, header: `t=${NOW_S},v1=${hex(secret, NOW_S, body)}` },
        'payload_malformed',
      )
    }
    const raw = Uint8Array.of(0x7b, 0xff, 0x7d)
    await refuses(
      { payload: raw, header: `t=${NOW_S},v1=${hex(secret, NOW_S, raw)}` },
      'payload_malformed',
    )
  })
  test('if the time or tolerance is not a number', async () => {
    await refuses({ tolerance_s: NaN }, 'outside_tolerance')
    await refuses({ now: new Date(NaN) }, 'outside_tolerance')
  })
  test('for any header, with no other error than WebhookVerificationError', async () => {
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: 'binary' }), fc.string(), async (header, body) => {
        await assert.rejects(
          verifyWebhook({ ...good, header, payload: body }),
          WebhookVerificationError,
        )
      }),
    )
  })
  test('if one bit was flipped', async () => {
    await fc.assert(
      fc.asyncProperty(fc.nat(Buffer.byteLength(payload) * 8 - 1), async (bit) => {
        const bytes = Buffer.from(payload)
        bytes[bit >> 3]! ^= 1 << (bit & 7)
        await refuses({ payload: bytes }, 'signature_mismatch')
      }),
    )
  })
})

describe('verifyWebhook throws a TypeError', () => {
  test('without a secret, or with an empty one', async () => {
    const { secret: _, ...rest } = good
    for (const given of [{}, { secret: '' }, { secrets: [] }, { secret, secrets: [''] }]) {
      await assert.rejects(verifyWebhook({ ...rest, ...given }), TypeError)
    }
  })
  test('for a payload that was parsed as JSON', async () => {
    const parsed: any = JSON.parse(payload)
    await assert.rejects(verifyWebhook({ ...good, payload: parsed }), /not what a JSON parser/)
  })
})

describe('the published package', () => {
  const folder = join(import.meta.dirname, '..')
  const built = mkdtempSync(join(tmpdir(), 'homeport-sdk-'))
  after(() => rmSync(built, { recursive: true, force: true }))
  const tsc = join(folder, '../../node_modules/.bin/tsc')
  execFileSync(process.execPath, [tsc, '-p', folder, '--outDir', built], { cwd: folder })

  test('contains JavaScript with types, and no tests', () => {
    const files = readdirSync(built).toSorted()
    assert.deepEqual(files, ['homeport.d.ts', 'homeport.js', 'webhooks.d.ts', 'webhooks.js'])
  })

  const program = `
    import { verifyWebhook } from './homeport.js'
    const { payload, header, secret, now } = JSON.parse(process.argv[2])
    const event = await verifyWebhook({ payload, header, secret, now: new Date(now) })
    const reason = await verifyWebhook({ payload: payload + ' ', header, secret, now: new Date(now) })
      .catch((error) => error.reason)
    console.log(event.id, reason)
  `
  const runtimes = [
    ['this Node.js', process.execPath],
    ["the machine's own Node.js", '/usr/bin/node'],
    ['Deno', 'deno'],
    ['Bun', 'bun'],
  ] as const
  for (const [name, command] of runtimes) {
    const missing = spawnSync(command, ['--version']).error !== undefined
    test(`verifies webhooks in ${name}`, { skip: missing && 'it is not on this machine' }, () => {
      const file = join(built, 'program.mjs')
      writeFileSync(file, program)
      const words = command === 'deno' ? ['run', file] : [file]
      const said = execFileSync(command, [...words, JSON.stringify(good)], { encoding: 'utf8' })
      assert.equal(said.trim(), 'evt_00 signature_mismatch')
    })
  }
})
