/**
 * GET /portal/api/v1/operator/verification-documents/{id}: a decrypted document as a download, for
 * operators who confirmed their identity recently. It is never displayed on this origin, and the audit
 * log says who opened it.
 */
import type { FastifyInstance, FastifyRequest } from 'fastify'
import * as activity from '../../areas/activity/service.ts'
import * as people from '../../areas/people/service.ts'
import { openDocument, type OpenedDocument } from '../../areas/verification/service.ts'
import { Problem } from '../../contract/errors.ts'
import type { Runtime } from '../../kernel/runtime.ts'
import { isUuid } from '../../kernel/values/ids.ts'
import { sendProblemIn } from '../http/problems.ts'
import { refuseUnknown } from '../http/routes.ts'
import { portalCookies } from '../portal/cookies.ts'
import { portalPhrasing } from './phrasing.ts'
import { PORTAL_API_ROOT } from './session-admission.ts'

export function addDocumentDownloads(app: FastifyInstance, runtime: Runtime): void {
  const cookies = portalCookies(runtime)
  app.get<{ Params: { id: string } }>(`${PORTAL_API_ROOT}/operator/verification-documents/:id`, {
    errorHandler: (error, _request, reply) =>
      sendProblemIn(portalPhrasing, { runtime, reply, error }),
    async handler(request, reply) {
      const session = cookies.read(request, 'session')
      const who = await people.authenticateSession(runtime, 'portal', session)
      // The same answer as for a path that does not exist.
      if (!who?.person.is_operator)
        refuseUnknown(request, { root: PORTAL_API_ROOT, operations: [] })
      if (!who?.fresh) throw unconfirmed(runtime)
      const { id } = request.params
      const found = isUuid(id) ? await openDocument(runtime, runtime.db, id) : null
      if (!found) throw deleted()
      await recordOpening(runtime, { who, found, request })
      return reply
        .headers({
          'Content-Type': 'application/octet-stream',
          'Content-Disposition': dispositionOf(found.filename, found.content_type),
          'Content-Security-Policy': "sandbox; default-src 'none'",
          'X-Content-Type-Options': 'nosniff',
          'Cross-Origin-Resource-Policy': 'same-origin',
          'Cache-Control': 'no-store',
        })
        .send(found.bytes)
    },
  })
}

interface Opening {
  who: people.SignedIn
  found: OpenedDocument
  request: FastifyRequest
}

/** A document is sent only after the audit log has the entry. */
async function recordOpening(
  runtime: Runtime,
  { who, found: { id, project_id, filename }, request }: Opening,
): Promise<void> {
  const acting = {
    project_id,
    entry_point: 'operator',
    mode: null,
    actor_kind: 'operator',
    actor_id: who.person.id,
    operation: 'verification.open_document',
    request_id: request.id,
    path_id: id,
    act: { address: request.ip, input: { id, filename } },
  } as const
  const work = () => runtime.db.transact(async () => ({ id, filename }))
  await activity.record(runtime, { acting, work })
}

const extensions: Readonly<Record<string, string>> = {
  'application/pdf': 'pdf',
  'image/jpeg': 'jpg',
  'image/png': 'png',
  'image/webp': 'webp',
}

/** The extension is that of the content, not that of the uploaded name. */
function dispositionOf(filename: string, content_type: string): string {
  const stem =
    filename
      .replace(/\.[^.]*$/, '')
      .replaceAll(/[^\w .-]/g, '_')
      .trim() || 'document'
  return `attachment; filename="${stem}.${extensions[content_type] ?? 'bin'}"`
}

function deleted(): Problem {
  const user_message = 'This document was deleted.'
  return new Problem('not_found', 'There is no such document, or it was deleted.', { user_message })
}

function unconfirmed({ config }: Runtime): Problem {
  const confirm_url = `${config.public_url}/portal/confirm`
  return new Problem(
    'forbidden',
    'Documents are for operators who have just proven who they are.',
    {
      user_message: 'Please confirm that it is you, then try again.',
      next_step: `Let the person open ${confirm_url}, then send the same request again.`,
      fields: { confirm_url },
    },
  )
}
