/**
 * Questions that a person dismissed and can still bring back. They are deleted on the server after some
 * seconds, or when the person leaves the page.
 */
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { ApiProblem } from '../../api/client.ts'
import { useProjectScope } from '../../api/project-scope.tsx'
import { showError } from '../../ui/overlays/toast.tsx'
import { dismissQuestion, questionsKey } from './queries.ts'

const UNDO_MS = 10_000

export interface Dismissals {
  isDismissed(id: string): boolean
  dismiss(id: string): void
  undo(id: string): void
}

export function useDismissals(): Dismissals {
  const scope = useProjectScope()
  const client = useQueryClient()
  const [ids, setIds] = useState<readonly string[]>([])
  const timers = useRef(new Map<string, ReturnType<typeof setTimeout>>())
  const forget = (id: string) => {
    clearTimeout(timers.current.get(id))
    timers.current.delete(id)
  }
  const remove = async (id: string) => {
    forget(id)
    try {
      await dismissQuestion(scope, id)
    } catch (error) {
      // Another person may already have answered or dismissed it.
      const isGone = error instanceof ApiProblem && error.status === 404
      if (!isGone) showError(error instanceof Error ? error.message : String(error))
    }
    await client.invalidateQueries({ queryKey: questionsKey(scope) })
    setIds((all) => all.filter((one) => one !== id))
  }
  const latest = useRef(remove)
  useEffect(() => {
    latest.current = remove
  })
  useEffect(() => {
    const waiting = timers.current
    const removeAll = () => {
      for (const id of waiting.keys()) void latest.current(id)
    }
    addEventListener('pagehide', removeAll)
    return () => {
      removeEventListener('pagehide', removeAll)
      removeAll()
    }
  }, [])
  return {
    isDismissed: (id) => ids.includes(id),
    dismiss(id) {
      setIds((all) => [...all, id])
      timers.current.set(
        id,
        setTimeout(() => void remove(id), UNDO_MS),
      )
    },
    undo(id) {
      forget(id)
      setIds((all) => all.filter((one) => one !== id))
    },
  }
}
