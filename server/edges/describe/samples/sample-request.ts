/** The request of the code samples of an operation, the same in every language. */
import type { Operation } from '../../../contract/operation.ts'
import { mediaOf } from '../../../contract/operations/streams.ts'
import { createExample } from './example.ts'
import { listRequestHeaders } from '../headers.ts'

export interface SampleRequest {
  method: string
  url: string
  /** Names and values; `$NAME` in a value is an environment variable. */
  headers: readonly (readonly [name: string, value: string])[]
  body?: unknown
  /** The name of a file whose bytes are the body. */
  file?: string
  reply: 'json' | 'text' | 'none'
}

export function createSampleRequest(operation: Operation, base_url: string): SampleRequest {
  const { method, body, reply } = operation
  const stream = mediaOf(operation)
  const [media_type] = stream?.takes?.types ?? []
  return {
    method,
    url: base_url + pathOf(operation) + queryOf(operation),
    headers: [
      ...credentialsOf(operation),
      ...(body ? ([['Content-Type', 'application/json']] as const) : []),
      ...(media_type === undefined ? [] : ([['Content-Type', media_type]] as const)),
      ...listRequestHeaders(operation)
        .filter(({ required }) => required)
        .map(({ name, example }) => [name, String(example)] as const),
    ],
    ...(body ? { body: createExample(body) } : {}),
    ...(media_type === undefined ? {} : { file: 'documents' }),
    reply: reply ? 'json' : stream?.gives ? 'text' : 'none',
  }
}

function credentialsOf(operation: Operation): (readonly [string, string])[] {
  if (operation.for_sessions) return [['Cookie', '$HOMEPORT_SESSION']]
  if (operation.scope !== null) return [['Authorization', 'Bearer $HOMEPORT_KEY']]
  return operation.kind === 'guest' ? [['Authorization', 'Bearer $HOMEPORT_PUBLIC_TOKEN']] : []
}

/** The path with example values for its parameters. */
function pathOf({ path, params }: Operation): string {
  return path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const field = params?.properties[name]
    return encodeURIComponent(String(field ? createExample(field, name) : name))
  })
}

/** The required query parameters. */
function queryOf({ query }: Operation): string {
  const required = (query?.required ?? []).filter(
    (name: string) => Object(query?.properties[name]).default === undefined,
  )
  const pairs = required.map((name: string) => [
    name,
    String(createExample(query?.properties[name] ?? {}, name)),
  ])
  return pairs.length === 0 ? '' : `?${new URLSearchParams(pairs)}`
}
