/** Reloads the documents of the shown collection as soon as one is created. */
import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { followChanges } from '../../api/change-feed.ts'
import type { Scope } from '../../api/client.ts'
import { collectionsKey, documentsKey } from './queries.ts'

export function useNewDocuments({ project_id, mode }: Scope, collection: string): void {
  const client = useQueryClient()
  useEffect(() => {
    const scope = { project_id, mode }
    const left = new AbortController()
    const onCreated = () => {
      void client.invalidateQueries({ queryKey: documentsKey(scope, collection) })
      void client.invalidateQueries({ queryKey: collectionsKey(scope) })
    }
    void followChanges({ scope, collection, signal: left.signal, onCreated })
    return () => left.abort()
  }, [client, project_id, mode, collection])
}
