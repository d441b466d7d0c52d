/**
 * POST /hooks/{provider}: callbacks of the carrier and of payment providers. A callback is applied only with a valid signature
 * over the configured public URL. Any other gets 403, and its content is not read.
 */
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { takeBuiltinCallback } from '../../areas/payments/service.ts'
import { applyCallback, readCallbackQuery } from '../../areas/messages/service.ts'
import { Problem } from '../../contract/errors.ts'
import type { Runtime } from '../../kernel/runtime.ts'
import { isUuid } from '../../kernel/values/ids.ts'
import { callbackProvider, carrierOf } from '../../providers/carrier/carrier.ts'

const CALLBACK_BYTES_MAX = 65_536

export function addHooks(app: FastifyInstance, runtime: Runtime): void {
  addPaymentHook(app, runtime)
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

/** Callbacks of the built-in payment provider name a payment of the project in the path. */
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
}

async function takeCallback(
  runtime: Runtime,
  provider: string,
  { url, headers, body }: FastifyRequest,
): Promise<void> {
  const carrier = carrierOf(runtime)
  if (!carrier || provider !== callbackProvider(runtime.config)) {
    throw new Problem('not_found', 'There is no such address.')
  }
  const callback = carrier.messages.readCallback({
    url: runtime.config.public_url + url,
    headers,
    body: Buffer.isBuffer(body) ? body : Buffer.alloc(0),
  })
  if (callback === 'unsigned') {
    throw new Problem('forbidden', 'The signature of this callback is missing, wrong or too old.')
  }
  if (callback === 'irrelevant') return
  const { searchParams } = new URL(url, 'http://callback.invalid')
  await applyCallback(runtime, { about: readCallbackQuery(runtime, searchParams), callback })
}
