/**
 * Client metadata documents: a client identifies itself by an https URL with its metadata. Anyone
 * can choose that URL, so only the guarded fetch requests it: public addresses, no redirects, a few
 * seconds, a few kilobytes.
 */
import { readClientMetadata } from '../../areas/connections/service.ts'
import { limits } from '../../contract/limits.ts'
import type { Runtime } from '../../kernel/runtime.ts'

const DEADLINE_MS = 5_000
/**
 * Members that a document may not have: such clients have no secret, and the library refuses
 * documents with one.
 */
const secrets = ['client_secret', 'client_secret_expires_at']

/** The fetch option of oidc-provider, which calls it only to load client metadata documents. */
export function createDocumentFetch(runtime: Runtime): typeof fetch {
  return async (address) => {
    const url = address instanceof Request ? address.url : String(address)
    const { status, headers, body } = await runtime.outbound.request({
      url,
      headers: { Accept: 'application/json' },
      deadline_ms: DEADLINE_MS,
      response_bytes_max: limits.oauth_document_bytes_max,
    })
    if (status !== 200) return new Response(null, { status: status < 200 ? 502 : status })
    const document: unknown = JSON.parse(Buffer.from(body).toString('utf8'))
    const cached = headers['cache-control']
    return new Response(JSON.stringify(normalizeDocument(document)), {
      headers: cached === undefined ? {} : { 'Cache-Control': cached },
    })
  }
}

/** Keeps the client_id, which the library compares with the URL, and the metadata that we use. */
function normalizeDocument(document: unknown): object {
  const said = new Map(Object.entries(Object(document)))
  const method = said.get('token_endpoint_auth_method') ?? 'none'
  const metadata = readClientMetadata({ ...Object(document), token_endpoint_auth_method: method })
  const kept = secrets.filter((name) => said.has(name)).map((name) => [name, said.get(name)])
  return { client_id: said.get('client_id'), ...metadata, ...Object.fromEntries(kept) }
}
