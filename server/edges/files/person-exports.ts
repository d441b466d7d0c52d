/** GET /personal-data/exports/{token}: the data about one person by a link that expires. */
import type { FastifyInstance } from 'fastify'
import { openPersonExport } from '../../areas/privacy/service.ts'
import { Problem } from '../../contract/errors.ts'
import type { Runtime } from '../../kernel/runtime.ts'
import { addStreams } from '../http/bodies/streams.ts'

export function addPersonExports(app: FastifyInstance, runtime: Runtime): void {
  const streams = addStreams(app, runtime)
  app.get<{ Params: { token: string } }>(
    '/personal-data/exports/:token',
    async (request, reply) => {
      const file = await openPersonExport(runtime, request.params.token)
      if (file) return streams.sendFile(reply, file)
      const user_message = 'This link has expired. Export the data again.'
      throw new Problem('not_found', user_message, { user_message })
    },
  )
}
