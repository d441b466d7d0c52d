/** Health checks, and metrics for Prometheus. */
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { writeAlertMetrics } from '../../areas/alerts/service.ts'
import { Problem } from '../../contract/errors.ts'
import { sameText } from '../../kernel/secrets/crypto.ts'
import { isReachable } from '../../kernel/database/database.ts'
import type { Runtime } from '../../kernel/runtime.ts'
import { isLoopbackRequest } from './own-host.ts'

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
    const text = await runtime.metrics.text()
    const alerts = (await isReachable(runtime.db)) ? await writeAlertMetrics(runtime.db) : ''
    return reply.type(registry.contentType).send(`${text.trimEnd()}\n${alerts}`)
  })
}

/** Allows requests of this machine, and requests with the metrics token. */
function requireMetricsAccess(runtime: Runtime, request: FastifyRequest): void {
  const { metrics_token } = runtime.config
  if (isLoopbackRequest(request)) return
  if (metrics_token && sameText(request.headers.authorization ?? '', `Bearer ${metrics_token}`))
    return
  throw new Problem('not_found', 'There is nothing here.')
}
