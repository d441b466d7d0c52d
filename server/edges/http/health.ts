/** Health checks, and metrics for Prometheus. */
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { Problem } from '../../contract/errors.ts'
import { sameText } from '../../kernel/secrets/crypto.ts'
import { isReachable } from '../../kernel/database/database.ts'
import type { Runtime } from '../../kernel/runtime.ts'
import { isLoopbackHost } from './own-host.ts'

const loopback = /^(?:127\.|::1$|::ffff:127\.)/

export function addHealth(app: FastifyInstance, runtime: Runtime): void {
  app.get('/healthz', async () => ({ status: 'ok' }))
  app.get('/readyz', async () => {
    // A reply of the database suffices, because the server listens only after the migrations.
    if (await isReachable(runtime.db)) return { status: 'ready' }
    throw new Problem('service_unavailable', 'The database does not answer.', { retry_after_s: 2 })
  })
  app.get('/metrics', async (request, reply) => {
    requireMetricsAccess(runtime, request)
    const { registry } = runtime.metrics
    return reply.type(registry.contentType).send(await runtime.metrics.text())
  })
}

/**
 * Allows loopback requests that name a loopback host, and requests with the metrics token.
 * Forwarding headers indicate a proxy, and another Host may come from a page in a browser on this
 * machine (DNS rebinding).
 */
function requireMetricsAccess(runtime: Runtime, request: FastifyRequest): void {
  const { metrics_token } = runtime.config
  const forwarded =
    request.headers['x-forwarded-for'] !== undefined || request.headers.forwarded !== undefined
  const isLocal = loopback.test(request.ip) && isLoopbackHost(request.headers.host ?? '')
  if (isLocal && !forwarded) return
  if (metrics_token && sameText(request.headers.authorization ?? '', `Bearer ${metrics_token}`))
    return
  throw new Problem('not_found', 'There is nothing here.')
}
