/**
 * POST /hooks/{provider}: callbacks of the carrier and of payment providers. A callback is applied only with a valid signature
 * over the configured public URL. Any other gets 403, and its content is not read.
 */
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { startBySignedRequest } from '../../areas/agents/service.ts'
import * as calls from '../../areas/calls/service.ts'
import { takeAccountCallback, takeBuiltinCallback } from '../../areas/payments/service.ts'
import { applyCallback, readCallbackQuery } from '../../areas/messages/service.ts'
import { limits } from '../../contract/limits.ts'
import { Problem } from '../../contract/errors.ts'
import type { Runtime } from '../../kernel/runtime.ts'
import { isUuid } from '../../kernel/values/ids.ts'
import { callbackProvider, carrierOf, type Carrier } from '../../providers/carrier/carrier.ts'

const CALLBACK_BYTES_MAX = 65_536
/** Stripe sends the whole object. */
const ACCOUNT_CALLBACK_BYTES_MAX = 524_288

export function addHooks(app: FastifyInstance, runtime: Runtime): void {
  addPaymentHook(app, runtime)
  addCallHooks(app, runtime)
  addAgentHook(app, runtime)
  app.post<{ Params: { provider: string } }>(
    '/hooks/:provider',
    { bodyLimit: CALLBACK_BYTES_MAX },
    async (request, reply) => {
      await takeCallback(runtime, request.params.provider, request)
      // Carriers read a reply to a received message as instructions; this one says nothing.
      if (request.params.provider !== 'twilio') return reply.code(200).send({})
      return reply.type('text/xml; charset=utf-8').send('<Response/>')
    },
  )
}

/** Signed requests that start an agent. */
function addAgentHook(app: FastifyInstance, runtime: Runtime): void {
  app.post<{ Params: { project_id: string; id: string } }>(
    '/hooks/agents/:project_id/:id',
    { bodyLimit: limits.agent_url_bytes_max },
    async ({ params, headers, body }, reply) => {
      const run_id = await startBySignedRequest(runtime, {
        ...params,
        body: Buffer.isBuffer(body) ? body : Buffer.alloc(0),
        signature: String(headers['service-signature'] ?? ''),
      })
      return reply.code(202).send({ run_id })
    },
  )
}

/** Callbacks about calls. Twilio reads the reply as instructions; others are told by requests. */
function addCallHooks(app: FastifyInstance, runtime: Runtime): void {
  app.post<{ Params: { provider: string } }>(
    '/hooks/:provider/calls',
    { bodyLimit: CALLBACK_BYTES_MAX },
    async ({ url, headers, body, params }, reply) => {
      const { calls: carrier } = carrierFor(runtime, params.provider)
      const callback = refuseUnsigned(
        carrier.readCallback(callbackOf(runtime, { url, headers, body }), (text) =>
          calls.readCallReference(runtime, text),
        ),
      )
      const reaction = callback && (await calls.takeCallback(runtime, callback))
      if (carrier.reply === null) {
        if (reaction) await calls.tell(runtime, reaction)
        return reply.code(200).send({})
      }
      const text = reaction
        ? carrier.reply(reaction.instruction, reaction.addresses)
        : '<Response/>'
      return reply.type('text/xml; charset=utf-8').send(text)
    },
  )
}

/** Callbacks of payment providers: built-in ones by project, others by the account of a project. */
function addPaymentHook(app: FastifyInstance, runtime: Runtime): void {
  app.post<{ Params: { project_id: string } }>(
    '/hooks/builtin/:project_id',
    { bodyLimit: CALLBACK_BYTES_MAX },
    async ({ params: { project_id }, headers, body }, reply) => {
      if (!isUuid(project_id)) throw new Problem('not_found', 'There is no such address.')
      const signature = String(headers['x-signature'] ?? '')
      const text = Buffer.isBuffer(body) ? body.toString() : ''
      await takeBuiltinCallback(runtime, { project_id, body: text, signature })
      return reply.code(200).send({})
    },
  )
  for (const provider of ['mollie', 'stripe'] as const) {
    app.post<{ Params: { account_id: string } }>(
      `/hooks/${provider}/:account_id`,
      { bodyLimit: ACCOUNT_CALLBACK_BYTES_MAX },
      async ({ params: { account_id }, headers, body }, reply) => {
        const signature = String(headers['stripe-signature'] ?? '')
        const text = Buffer.isBuffer(body) ? body.toString() : ''
        await takeAccountCallback(runtime, { provider, account_id, body: text, signature })
        return reply.code(200).send({})
      },
    )
  }
}

function carrierFor(runtime: Runtime, provider: string): Carrier {
  const carrier = carrierOf(runtime)
  if (carrier && provider === callbackProvider(runtime.config)) return carrier
  throw new Problem('not_found', 'There is no such address.')
}

type Received = Pick<FastifyRequest, 'url' | 'headers' | 'body'>

function callbackOf({ config }: Runtime, { url, headers, body }: Received) {
  return {
    url: config.public_url + url,
    headers,
    body: Buffer.isBuffer(body) ? body : Buffer.alloc(0),
  }
}

/** Null for a callback that is about nothing of ours. */
function refuseUnsigned<Callback extends object>(
  callback: Callback | 'unsigned' | 'irrelevant',
): Callback | null {
  if (callback === 'unsigned') {
    throw new Problem('forbidden', 'The signature of this callback is missing, wrong or too old.')
  }
  return callback === 'irrelevant' ? null : callback
}

async function takeCallback(
  runtime: Runtime,
  provider: string,
  request: FastifyRequest,
): Promise<void> {
  const { messages } = carrierFor(runtime, provider)
  const callback = refuseUnsigned(messages.readCallback(callbackOf(runtime, request)))
  if (callback === null) return
  const { searchParams } = new URL(request.url, 'http://callback.invalid')
  await applyCallback(runtime, { about: readCallbackQuery(runtime, searchParams), callback })
}
