/** One request of the log, and the command that repeats it. */
import { ExternalLink } from 'lucide-react'
import { useFormat } from '../../language/format.ts'
import { CopyButton } from '../../ui/actions/copy-button.tsx'
import { CodeBlock } from '../../ui/display/code-block.tsx'
import { Facts } from '../../ui/display/facts.tsx'
import { RecordDrawer } from '../../ui/overlays/drawer.tsx'
import type { LoggedRequest } from './queries.ts'
import { StatusBadge } from './status-badge.tsx'
import { useRequestTexts } from './texts.ts'

const withBody = new Set(['POST', 'PUT', 'PATCH'])

const KEY = '-H "Authorization: Bearer $HOMEPORT_KEY"'

const JSON_TYPE = "-H 'Content-Type: application/json'"

export interface RequestDrawerProps {
  request: LoggedRequest | null
  onClose(): void
}

export function RequestDrawer({ request, onClose }: RequestDrawerProps) {
  const t = useRequestTexts()
  return (
    <RecordDrawer
      record={request}
      onClose={onClose}
      title={({ operation, message }) => operation ?? message ?? t('request')}
    >
      {(request) => (
        <>
          <div className="flex items-start gap-3 rounded-lg border border-line bg-bg px-4 py-3">
            <StatusBadge status={request.status} />
            <code className="min-w-0 flex-1 font-mono text-sm break-all">
              <b className="font-semibold">{request.method}</b> {request.path}
            </code>
          </div>
          <RequestFacts request={request} />
          <section>
            <h3 className="font-semibold">{t('replay')}</h3>
            <p className="mt-0.5 mb-3 text-sm text-muted">{t('replay_about')}</p>
            <CodeBlock label={t('replay')} code={curlOf(location.origin, request)} />
          </section>
        </>
      )}
    </RecordDrawer>
  )
}

function RequestFacts({ request }: { request: LoggedRequest }) {
  const t = useRequestTexts()
  const format = useFormat()
  const { actor, error, tool, message, operation, source } = request
  const isKnown = (fact: readonly [string, unknown]) => fact[1] !== null
  return (
    <Facts
      facts={[
        [t('when'), format.moment(request.created_at)] as const,
        [t('by'), `${actor.name ?? t('gone')} · ${t(actor.kind)}`] as const,
        [t('error'), error && <ErrorLink slug={error} />] as const,
        [t('operation'), operation && <Mono text={operation} />] as const,
        [t('tool'), tool && <Mono text={tool} />] as const,
        [t('message'), message && <Mono text={message} />] as const,
        [t('duration'), t('took', { ms: format.number(request.duration_ms) })] as const,
        [t('request_id'), <Copied key="id" text={request.request_id} />] as const,
        [t('source'), source && <Mono text={source} />] as const,
      ].filter(isKnown)}
    />
  )
}

function ErrorLink({ slug }: { slug: string }) {
  const t = useRequestTexts()
  return (
    <a href={`/docs/errors/${slug}`} target="_blank" rel="noreferrer" title={t('error_docs')}>
      <code className="font-mono text-sm">{slug}</code>
      <ExternalLink className="ml-1 inline size-3.5" aria-hidden="true" />
    </a>
  )
}

function Mono({ text }: { text: string }) {
  return <code className="font-mono text-sm break-all">{text}</code>
}

function Copied({ text }: { text: string }) {
  return (
    <span className="-my-1 flex items-center gap-1">
      <Mono text={text} />
      <CopyButton text={text} />
    </span>
  )
}

type Replayed = Pick<LoggedRequest, 'entry_point' | 'method' | 'path' | 'tool' | 'operation'>

/** Writes the curl command that repeats a logged request. The key is a shell variable. */
function curlOf(origin: string, request: Replayed): string {
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
