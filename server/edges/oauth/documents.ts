/**
 * Metadata documents of programs: instead of registering, a program names itself by an https address
 * under which it says who it is. Strangers choose that address, so it is fetched by the guarded
 * fetch alone: public addresses, no redirects, a few seconds, a few kilobytes.
 */
import { readClientMetadata } from '../../areas/connections/service.ts'
import { limits } from '../../contract/limits.ts'
import type { Runtime } from '../../kernel/runtime.ts'

const DEADLINE_MS = 5_000
/** Programs that name themselves this way keep no secrets; the library refuses those that say so. */
const secrets = ['client_secret', 'client_secret_expires_at']

/** A fetch for the library, which uses it for these documents and for nothing else. */
export function documentFetch(runtime: Runtime): typeof fetch {
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
    return new Response(JSON.stringify(inOurWords(document)), {
      headers: cached === undefined ? {} : { 'Cache-Control': cached },
    })
  }
}

/** The address it says it is of, which the library compares, and of the rest what we make use of. */
function inOurWords(document: unknown): object {
  const said = new Map(Object.entries(Object(document)))
  const method = said.get('token_endpoint_auth_method') ?? 'none'
  const metadata = readClientMetadata({ ...Object(document), token_endpoint_auth_method: method })
  const kept = secrets.filter((name) => said.has(name)).map((name) => [name, said.get(name)])
  return { client_id: said.get('client_id'), ...metadata, ...Object.fromEntries(kept) }
}
