/** Tests of the choice of the model, and of its outbound requests. */
import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { after, describe, test } from 'node:test'
import { generateText } from 'ai'
import { openBareFixture } from '../../../test/fixtures/bare-runtime.ts'
import { readConfig } from '../../kernel/config/config.ts'
import type { Config } from '../../kernel/config/config-types.ts'
import { builtinModel } from './builtin/builtin.ts'
import { createGuardedFetch } from './guarded-fetch.ts'
import { languageModel, modelName } from './model.ts'
import { eventually } from '../../../test/fixtures/eventually.ts'
import { listen } from '../../../test/fixtures/loopback.ts'

// Warnings of the SDK are irrelevant to these tests.
globalThis.AI_SDK_LOG_WARNINGS = false

const runtime = (await openBareFixture()).openRuntime()
const configOf = (settings: Record<string, string>): Config => readConfig(settings, tmpdir())
const runtimeWith = (settings: Record<string, string>) => ({
  ...runtime,
  config: configOf(settings),
})

/** Replies to every request and records it. */
const asked: { path: string; headers: Record<string, unknown>; body: string }[] = []
let reply = { status: 200, body: '{}' }
const server = createServer((request, response) => {
  const chunks: Buffer[] = []
  request.on('data', (chunk: Buffer) => chunks.push(chunk))
  request.on('end', () => {
    asked.push({
      path: request.url ?? '',
      headers: request.headers,
      body: Buffer.concat(chunks).toString(),
    })
    response.writeHead(reply.status, { 'content-type': 'application/json' }).end(reply.body)
  })
})
const port = await listen({ after }, server)
const base = `http://127.0.0.1:${port}/base/v1`

describe('the model', () => {
  test('is the built-in one by default', () => {
    assert.equal(languageModel(runtimeWith({})), builtinModel)
    assert.equal(modelName(configOf({}).model), 'builtin')
  })

  test('is created once per server', () => {
    const one = runtimeWith({
      HOMEPORT_MODEL: 'openai',
      HOMEPORT_MODEL_NAME: 'gpt-5-mini',
      HOMEPORT_MODEL_KEY: 'key',
    })
    assert.equal(languageModel(one), languageModel(one))
    assert.equal(modelName(one.config.model), 'openai:gpt-5-mini')
  })

  const providers = [
    {
      provider: 'openai',
      path: '/base/v1/responses',
      key: 'authorization',
      answer: {
        id: 'r',
        created_at: 1,
        model: 'm',
        output: [
          {
            type: 'message',
            role: 'assistant',
            id: 'm',
            content: [{ type: 'output_text', text: 'Hello.', annotations: [] }],
          },
        ],
        usage: { input_tokens: 1, output_tokens: 1 },
      },
    },
    {
      provider: 'anthropic',
      path: '/base/v1/messages',
      key: 'x-api-key',
      answer: {
        type: 'message',
        id: 'm',
        model: 'm',
        role: 'assistant',
        content: [{ type: 'text', text: 'Hello.' }],
        stop_reason: 'end_turn',
        usage: { input_tokens: 1, output_tokens: 1 },
      },
    },
    {
      provider: 'google',
      path: '/base/v1/models/small:generateContent',
      key: 'x-goog-api-key',
      answer: {
        candidates: [
          { content: { role: 'model', parts: [{ text: 'Hello.' }] }, finishReason: 'STOP' },
        ],
        usageMetadata: { promptTokenCount: 1, candidatesTokenCount: 1, totalTokenCount: 2 },
      },
    },
    {
      provider: 'openai_compatible',
      path: '/base/v1/chat/completions',
      key: 'authorization',
      answer: {
        choices: [
          { index: 0, message: { role: 'assistant', content: 'Hello.' }, finish_reason: 'stop' },
        ],
      },
    },
  ]
  for (const { provider, path, key, answer } of providers) {
    test(`of ${provider} is requested at the configured URL, with the configured key`, async () => {
      asked.length = 0
      reply = { status: 200, body: JSON.stringify(answer) }
      const settings = {
        HOMEPORT_MODEL: provider,
        HOMEPORT_MODEL_NAME: 'small',
        HOMEPORT_MODEL_KEY: 'sesame',
        HOMEPORT_MODEL_URL: `${base}/`,
      }
      const model = languageModel(runtimeWith(settings))
      assert.deepEqual([model.provider, model.modelId], [provider, 'small'])
      const providerOptions = { builtin: { task: 'answer' }, openai: { store: false } }
      const { text } = await generateText({ model, prompt: 'Hi', maxRetries: 0, providerOptions })
      assert.equal(text, 'Hello.')
      assert.equal(asked[0]?.path, path)
      assert.match(String(asked[0]?.headers[key]), /sesame$/)
      assert.doesNotMatch(asked[0]?.body ?? '', /builtin/)
    })
  }

  test('uses only the key of the settings, not one of the environment', async () => {
    asked.length = 0
    const settings = {
      HOMEPORT_MODEL: 'openai',
      HOMEPORT_MODEL_NAME: 'small',
      HOMEPORT_MODEL_URL: base,
    }
    await generateText({
      model: languageModel(runtimeWith(settings)),
      prompt: 'Hi',
      maxRetries: 0,
    }).catch(() => {})
    assert.equal(asked[0]?.headers['authorization'], 'Bearer')
  })
})

describe('the fetch of a provider', () => {
  const config = configOf({})

  test('connects to its own origin only', async () => {
    const go = createGuardedFetch(config, base, true)
    assert.equal((await go(`${base}/x`)).status, 200)
    await assert.rejects(go(`http://127.0.0.1:${port + 1}/`), /its own address only/)
    await assert.rejects(go('https://example.com/'), /its own address only/)
  })

  test('refuses private networks unless the operator configured the address', async () => {
    const go = createGuardedFetch(config, 'https://localhost/v1', false)
    await assert.rejects(go('https://localhost/v1/x'), { name: 'OutboundError' })
  })

  test('passes requests and responses unchanged', async () => {
    asked.length = 0
    reply = { status: 429, body: '{"error":"later"}' }
    const answer = await createGuardedFetch(
      config,
      base,
      true,
    )(`${base}/x?y=1`, { method: 'POST', body: '{"a":1}', headers: { 'x-a': 'b' } })
    assert.deepEqual([answer.status, await answer.text()], [429, '{"error":"later"}'])
    assert.deepEqual(
      [asked[0]?.path, asked[0]?.body, asked[0]?.headers['x-a']],
      ['/base/v1/x?y=1', '{"a":1}', 'b'],
    )
  })

  test('passes an event stream while it arrives, and closes it when the reader leaves', async () => {
    let closed = false
    const streaming = createServer((request, response) => {
      request.resume()
      response.writeHead(200, { 'content-type': 'text/event-stream' }).write('data: 1\n\n')
      response.once('close', () => (closed = true))
    })
    const origin = `http://127.0.0.1:${await listen({ after }, streaming)}`
    const answer = await createGuardedFetch(config, origin, true)(`${origin}/x`)
    const reader = answer.body?.getReader()
    const first = await reader?.read()
    assert.equal(Buffer.from(first?.value ?? []).toString(), 'data: 1\n\n')
    await reader?.cancel()
    await eventually(() => closed)
  })

  test('fails an event stream that exceeds the limit or breaks off', async () => {
    for (const [text, words] of [
      ['x'.repeat(1_048_577), /over 1048576 bytes/],
      ['data: 1', /closed the connection/],
    ] as const) {
      const streaming = createServer((request, response) => {
        request.resume()
        response.writeHead(200, { 'content-type': 'text/event-stream' })
        response.write(text, () => setImmediate(() => response.destroy()))
      })
      const origin = `http://127.0.0.1:${await listen({ after }, streaming)}`
      const answer = await createGuardedFetch(config, origin, true)(`${origin}/x`)
      await assert.rejects(answer.text(), words)
    }
  })

  test('refuses an oversized response', async () => {
    reply = { status: 200, body: 'x'.repeat(1_048_577) }
    await assert.rejects(createGuardedFetch(config, base, true)(`${base}/x`), /over 1048576 bytes/)
  })

  test('rejects at once when the caller aborts', async () => {
    const given_up = AbortSignal.abort(new Error('enough'))
    await assert.rejects(
      createGuardedFetch(config, base, true)(`${base}/x`, { signal: given_up }),
      /enough|abort/i,
    )
  })
})
