/** Applies the changes of the collection to the lists of the page as the server reports them. */
import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { followChanges, type DocumentChange } from '../../api/change-feed.ts'
import type { Scope } from '../../api/client.ts'
import { applyChanges } from './document-cache.ts'
import { collectionsKey } from './queries.ts'

/** An import reports thousands of changes, which are applied together. */
const COLLECTED_MS = 300

export function useLiveDocuments({ project_id, mode }: Scope, collection: string): void {
  const client = useQueryClient()
  useEffect(() => {
    const scope = { project_id, mode }
    const left = new AbortController()
    let waiting: DocumentChange[] = []
    let timer: ReturnType<typeof setTimeout> | undefined
    const apply = () => {
      timer = undefined
      applyChanges(client, { scope, collection, changes: waiting })
      waiting = []
      void client.invalidateQueries({ queryKey: collectionsKey(scope) })
    }
    const onChange = (change: DocumentChange) => {
      waiting.push(change)
      timer ??= setTimeout(apply, COLLECTED_MS)
    }
    void followChanges({ scope, collection, signal: left.signal, onChange })
    return () => {
      left.abort()
      clearTimeout(timer)
    }
  }, [client, project_id, mode, collection])
}
