/**
 * Keeps the lists of a project current: the server streams which kinds of records changed, and their
 * queries are read again. Without the stream the queries poll.
 */
import { useQueryClient, type Query, type QueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import type { Scope } from './client.ts'
import { eventsOf, pause, StreamRefused } from './event-stream.ts'

/** Events can be lost, so lists are read this often even with the stream. */
const SAFETY_MS = 60_000
const RETRY_MS = 3_000
/** After a refusal because too many streams are open. */
const BUSY_MS = 30_000
const RATE_LIMITED = 429

/** The first part of query keys, by the kind of the records, if they differ. */
const roots: Readonly<Record<string, string | readonly string[]>> = {
  balance: 'billing',
  // The page of a site shows the token of its forms.
  chat_tokens: ['chat_tokens', 'sites'],
  // A token shows how many conversations were started with it today.
  conversations: ['conversations', 'chat_tokens'],
  deliveries: 'webhooks',
  go_live: 'rails',
  invitations: 'team',
  members: 'team',
  // Orders of visitors change the stock.
  orders: ['payments', 'products'],
}

let isStreaming = false

/** The interval of a query that the stream keeps current. */
export function pollEvery(time_ms: number): () => number {
  return () => (isStreaming ? SAFETY_MS : time_ms)
}

/** Follows the project while the page is visible. */
export function useLiveRecords({ project_id, mode }: Scope): void {
  const client = useQueryClient()
  useEffect(() => {
    const scope = { project_id, mode }
    let ending = new AbortController()
    let last_id: string | null = null
    const start = () => {
      ending.abort()
      if (document.visibilityState === 'hidden') return
      ending = new AbortController()
      const { signal } = ending
      void follow({ client, scope, signal, last: () => last_id, seen: (id) => (last_id = id) })
    }
    start()
    document.addEventListener('visibilitychange', start)
    return () => {
      document.removeEventListener('visibilitychange', start)
      ending.abort()
    }
  }, [client, project_id, mode])
}

interface Following {
  client: QueryClient
  scope: Scope
  signal: AbortSignal
  /** The last received event, which outlives a hidden page. */
  last(): string | null
  seen(id: string): void
}

async function follow(following: Following): Promise<void> {
  const { client, scope, signal } = following
  for (let wait_ms: number | null = 0; wait_ms !== null && !signal.aborted;) {
    wait_ms = await readOnce(following)
    if (isStreaming && !signal.aborted) {
      isStreaming = false
      // Their next interval is that of polling.
      refresh(client, scope, rootsIn(client))
    }
    if (wait_ms !== null) await pause(wait_ms, signal)
  }
  isStreaming = false
}

/** Reads until the connection ends. Returns the pause before the next one; null after a refusal. */
async function readOnce({ client, scope, signal, last, seen }: Following): Promise<number | null> {
  try {
    const streaming = { scope, path: '/activity/stream', last_id: last(), signal }
    for await (const { id, name, data } of eventsOf(streaming)) {
      if (id !== null) seen(id)
      if (name === 'end') return null
      if (name === 'ready') isStreaming = true
      if (name === 'changed') {
        await changesOfPage(client)
        refresh(client, scope, rootsOf(JSON.parse(data).kinds))
      }
    }
  } catch (error) {
    if (error instanceof StreamRefused)
      return error.status === RATE_LIMITED || error.status >= 500 ? BUSY_MS : null
  }
  return RETRY_MS
}

/**
 * Waits until the changes that this page requested are complete: a page leaves a deleted record then,
 * and does not read it again.
 */
function changesOfPage(client: QueryClient): Promise<void> {
  return new Promise((resolve) => {
    if (client.isMutating() === 0) return resolve()
    const unsubscribe = client.getMutationCache().subscribe(() => {
      if (client.isMutating() > 0) return
      unsubscribe()
      resolve()
    })
  })
}

function rootsOf(kinds: readonly string[]): string[] {
  return kinds.flatMap((kind) => roots[kind] ?? kind)
}

function rootsIn(client: QueryClient): string[] {
  return client
    .getQueryCache()
    .getAll()
    .map(({ queryKey }) => String(queryKey[0]))
}

function refresh(client: QueryClient, { project_id }: Scope, names: readonly string[]): void {
  const wanted = new Set(names)
  const predicate = (query: Query) => {
    const [root, owner] = query.queryKey
    const isMine = owner === project_id || root === 'projects'
    return isMine && wanted.has(String(root)) && isFollowed(query)
  }
  const first_reads = client
    .getQueryCache()
    .findAll({ predicate, fetchStatus: 'fetching' })
    .filter(({ state }) => state.data === undefined)
  void client.invalidateQueries({ predicate })
  // A first read that is under way is not started again, although it may have read before the change.
  for (const { promise, queryKey } of first_reads)
    void promise?.then(
      () => client.invalidateQueries({ queryKey, exact: true }),
      () => undefined,
    )
}

/** A paused list, and one of which older pages are shown, stay as they are. */
function isFollowed({ meta, state }: Query): boolean {
  const { pages } = Object(state.data)
  return meta?.['paused'] !== true && !(Array.isArray(pages) && pages.length > 1)
}
