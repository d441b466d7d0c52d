/**
 * Edits of single cells: shown at once, sent in order, taken back if the server refuses them, and
 * undone one by one.
 */
import { useQueryClient } from '@tanstack/react-query'
import { useCallback, useRef, useState } from 'react'
import { ApiProblem } from '../../../api/client.ts'
import { useProjectScope } from '../../../api/project-scope.tsx'
import { showError } from '../../../ui/overlays/toast.tsx'
import { loadedDocument, showDocument } from '../document-cache.ts'
import { fetchDocument, replaceDocument, type Document, type DocumentData } from '../queries.ts'
import { withValue } from './cell-value.ts'
import { useGridTexts } from './texts.ts'

export interface CellEdit {
  document: Document
  name: string
  value: unknown
}

export type EditState = 'none' | 'saving' | 'saved' | 'undone'

interface Done {
  document: Document
  name: string
  before: unknown
}

const UNDO_MAX = 50

export function useEdits(onRefused: (edit: CellEdit, reason: string) => void) {
  const t = useGridTexts()
  const client = useQueryClient()
  const scope = useProjectScope()
  const undoable = useRef<Done[]>([])
  const queues = useRef(new Map<string, Promise<void>>())
  const [state, setState] = useState<EditState>('none')

  const send = useCallback(
    async ({ document, name, value }: CellEdit, isUndo: boolean) => {
      const known = loadedDocument(client, scope, document) ?? document
      const before = known.data[name]
      const data: DocumentData = withValue(known.data, name, value)
      showDocument(client, scope, { ...known, data })
      setState('saving')
      try {
        const saved = await replaceDocument(scope, known, data)
        showDocument(client, scope, saved)
        if (!isUndo) {
          undoable.current = [...undoable.current, { document, name, before }].slice(-UNDO_MAX)
        }
        setState(isUndo ? 'undone' : 'saved')
      } catch (error) {
        showDocument(client, scope, known)
        setState('none')
        if (!(error instanceof ApiProblem)) throw error
        const fault = error.faults.find(({ path }) => path.startsWith(`/${name}`))
        if (fault !== undefined) return onRefused({ document: known, name, value }, fault.message)
        showError(error.user_message, error.next_step)
        if (error.slug !== 'version_conflict') return
        showDocument(client, scope, await fetchDocument(scope, known))
      }
    },
    [client, scope, onRefused],
  )

  /** Edits of one document wait for each other, because each needs the version of the one before. */
  const enqueue = useCallback(
    (edit: CellEdit, isUndo: boolean) => {
      const { id } = edit.document
      const queued = (queues.current.get(id) ?? Promise.resolve())
        .then(() => send(edit, isUndo))
        .catch((error: unknown) => {
          showError(error instanceof Error ? error.message : t('not_saved'))
        })
      queues.current.set(id, queued)
    },
    [send, t],
  )

  return {
    state,
    mayUndo: undoable.current.length > 0,
    edit: (edit: CellEdit) => enqueue(edit, false),
    undo() {
      const last = undoable.current.at(-1)
      if (last === undefined) return
      undoable.current = undoable.current.slice(0, -1)
      enqueue({ document: last.document, name: last.name, value: last.before }, true)
    },
  }
}
