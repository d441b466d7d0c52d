/** GET /project-exports/{token}: a whole project by a link that expires. */
import type { FastifyInstance } from 'fastify'
import { openLink } from '../../areas/project-exports/service.ts'
import { Problem } from '../../contract/errors.ts'
import type { ExportedTable } from '../../contract/manifest/exported-table.ts'
import type { Runtime } from '../../kernel/runtime.ts'
import { addStreams } from '../http/bodies/streams.ts'

export function addProjectExports(
  app: FastifyInstance,
  runtime: Runtime,
  exported: readonly ExportedTable[],
): void {
  const streams = addStreams(app, runtime)
  app.get<{ Params: { token: string } }>('/project-exports/:token', async (request, reply) => {
    const file = await openLink(runtime, request.params.token, exported)
    if (file) return streams.sendFile(reply, file)
    const user_message = 'This link has expired. Export the project again.'
    throw new Problem('not_found', user_message, { user_message })
  })
}
