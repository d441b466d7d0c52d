/** Tests of form encodings byte by byte: names, values, and aborted requests. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect } from 'node:net'
import { describe, test } from 'node:test'
import { openTestRuntime, type Answer } from '../../../test/fixtures/runtime.ts'
import { newAddress, openSite, ORIGIN, slugOf } from '../../../test/fixtures/sites/site.ts'
import { createLog } from '../../kernel/log.ts'

const runtime = await openTestRuntime({ work: false })
const site = await openSite(runtime)
const logged: { msg?: string }[] = []
runtime.runtime.log = createLog('debug', { write: (line) => void logged.push(JSON.parse(line)) })

const path = '/api/v1/public/collections/open/documents'
const schema = { type: 'object', additionalProperties: { type: 'string' } }
const made = await runtime.call('POST /collections', {
  body: { name: 'open', schema, public_write: true },
})
assert.equal(made.status, 201, made.text)

const types = {
  urlencoded: 'application/x-www-form-urlencoded',
  multipart: 'multipart/form-data; boundary=b',
}

/** Sends the characters of `body` as bytes. */
async function send(encoding: keyof typeof types, body: string): Promise<Answer> {
  const response = await fetch(runtime.url + path, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${site.token}`,
      origin: ORIGIN,
      'x-forwarded-for': newAddress(),
      'content-type': types[encoding],
    },
    body: Buffer.from(body, 'latin1'),
  })
  const text = await response.text()
  const { status, headers } = response
  return { status, headers, text, body: JSON.parse(text) }
}

/** Returns the newest stored document. */
async function newest(): Promise<unknown> {
  const { body } = await runtime.call('GET /collections/open/documents?limit=1')
  return body.data[0]?.data
}

const bytesOf = (text: string) => Buffer.from(text, 'utf8').toString('latin1')

function partOf(name: string, value: string, more = ''): string {
  return `--b\r\nContent-Disposition: form-data; name="${name}"${more}\r\n\r\n${value}\r\n`
}

describe('names of fields', () => {
  for (const name of ['constructor', 'toString', 'valueOf', 'hasOwnProperty', '__proto__']) {
    test(`may be ${name}, in every encoding`, async () => {
      const answers = [
        await send('urlencoded', `${name}=x`),
        await send('multipart', `${partOf(name, 'x')}--b--\r\n`),
      ]
      assert.deepEqual(
        answers.map(({ status }) => status),
        [201, 201],
        answers.map(({ text }) => text).join(),
      )
      assert.deepEqual(Object.entries(Object(await newest())), [[name, 'x']])
    })
  }

  test('replies 400 for a part without a name', async () => {
    const answer = await send(
      'multipart',
      '--b\r\nContent-Disposition: form-data\r\n\r\nx\r\n--b--',
    )
    assert.deepEqual([answer.status, slugOf(answer)], [400, 'bad_request'], answer.text)
  })
})

describe('text that is not UTF-8', () => {
  const damaged: [what: string, encoding: keyof typeof types, body: string][] = [
    ['a value', 'urlencoded', 'name=J%E9r%F4me'],
    ['a value that is not encoded at all', 'urlencoded', 'name=J\xe9r'],
    ['half a letter', 'urlencoded', 'name=%C3&b=%A9'],
    ['a name', 'urlencoded', 'n%E9=x'],
    ['a value', 'multipart', `${partOf('name', 'J\xe9r')}--b--`],
    [
      'a value that says so',
      'multipart',
      `${partOf('name', 'J\xe9r', '\r\nContent-Type: text/plain; charset=iso-8859-1')}--b--`,
    ],
    ['a name', 'multipart', `${partOf('n\xe9', 'x')}--b--`],
    ['a name before a file', 'multipart', `${partOf('n\xe9', 'x', '; filename="a.txt"')}--b--`],
  ]
  for (const [what, encoding, body] of damaged) {
    test(`gets 400 with the fix (${encoding}, ${what})`, async () => {
      const answer = await send(encoding, body)
      assert.deepEqual([answer.status, slugOf(answer)], [400, 'bad_request'], answer.text)
      assert.match(answer.body.detail, /must be sent as UTF-8/)
    })
  }

  test('accepts replacement characters and lone percent signs as valid text', async () => {
    const text = '\ufeffJ\ufffdr\u{1f600} 100% %zz'
    const encoded = `${encodeURIComponent('\ufeffJ\ufffdr\u{1f600} ')}100%+%zz`
    for (const [encoding, body] of [
      ['urlencoded', `a=${encoded}`],
      ['urlencoded', `a=${bytesOf(text)}`],
      ['multipart', `${partOf('a', bytesOf(text))}--b--`],
      ['multipart', `${partOf('a', bytesOf(text), '\r\nContent-Type: application/json')}--b--`],
    ] as const) {
      const answer = await send(encoding, body)
      assert.equal(answer.status, 201, answer.text)
      assert.deepEqual(await newest(), { a: text })
    }
  })
})

describe('an aborted submission', () => {
  for (const [encoding, type] of Object.entries(types)) {
    test(`is not stored and not reported as a database failure (${encoding})`, async () => {
      const asked = once(runtime.app.server, 'request')
      const socket = connect(Number(new URL(runtime.url).port), '127.0.0.1')
      socket.write(
        `POST ${path} HTTP/1.1\r\nHost: a\r\nOrigin: ${ORIGIN}\r\n` +
          `X-Forwarded-For: ${newAddress()}\r\nAuthorization: Bearer ${site.token}\r\n` +
          `Content-Type: ${type}\r\nContent-Length: 1000\r\n\r\n--b\r\n`,
      )
      const [, response] = await asked
      const closed = once(response, 'close')
      // Once this form is stored, the previous request is being parsed.
      await send('urlencoded', 'a=x')
      socket.destroy()
      await closed
      await send('urlencoded', 'a=x')
      assert.deepEqual(
        logged.filter(({ msg }) => msg?.includes('database')),
        [],
      )
    })
  }
})
