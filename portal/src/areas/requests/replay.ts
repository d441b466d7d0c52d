/** Writes the curl command that repeats a logged request. The key is a shell variable. */
import type { LoggedRequest } from './queries.ts'

const withBody = new Set(['POST', 'PUT', 'PATCH'])
const KEY = '-H "Authorization: Bearer $HOMEPORT_KEY"'
const JSON_TYPE = "-H 'Content-Type: application/json'"

type Replayed = Pick<LoggedRequest, 'entry_point' | 'method' | 'path' | 'tool' | 'operation'>

export function curlOf(origin: string, request: Replayed): string {
  if (request.entry_point === 'mcp') return mcpCurl(origin, request)
  const { method } = request
  const [path = '', query = ''] = apiPath(request.path).split('?')
  const known = query.split('&').filter((part) => part.includes('='))
  const url = origin + path + (known.length === 0 ? '' : `?${known.join('&')}`)
  const parts = [`curl -X ${method} '${url}'`, KEY]
  if (withBody.has(method)) parts.push(JSON_TYPE, "-d '{}'")
  return parts.join(' \\\n  ')
}

/** Returns the path of the same operation in the API for keys. */
function apiPath(path: string): string {
  return path.replace(/^\/portal\/api\/v1\/projects\/[^/?]+/, '/api/v1')
}

function mcpCurl(origin: string, { tool, operation }: Replayed): string {
  const runs = tool?.startsWith('run_') && operation !== null
  const given = runs ? { operation, arguments: {} } : {}
  const call = { method: 'tools/call', params: { name: tool, arguments: given } }
  const message = { jsonrpc: '2.0', id: 1, ...(tool === null ? { method: 'tools/list' } : call) }
  return [
    `curl -X POST '${origin}/mcp'`,
    KEY,
    JSON_TYPE,
    "-H 'Accept: application/json, text/event-stream'",
    `-d '${JSON.stringify(message)}'`,
  ].join(' \\\n  ')
}
