/**
 * Asks the person to confirm their identity in a dialog above the page, and then runs again what
 * needed it. The page, its dialogs and what is typed in them stay.
 */
import { lazy, Suspense, useSyncExternalStore } from 'react'
import { ApiProblem } from './client.ts'

const Dialog = lazy(async () => ({ default: (await import('./confirm-dialog.tsx')).ConfirmDialog }))

interface Question {
  answer: Promise<boolean>
  end(confirmed: boolean): void
}

let asked: Question | null = null
const listeners = new Set<() => void>()

function set(question: Question | null): void {
  asked = question
  for (const listener of listeners) listener()
}

/** Returns whether the person confirmed their identity. Requests at the same time share the dialog. */
function ask(): Promise<boolean> {
  if (asked !== null) return asked.answer
  const { promise, resolve } = Promise.withResolvers<boolean>()
  set({
    answer: promise,
    end(confirmed) {
      set(null)
      resolve(confirmed)
    },
  })
  return promise
}

/**
 * Sends a request. If the server needs a recent confirmation of the identity, asks for it and sends
 * the request again; throws the refusal if the person closes the dialog.
 */
export async function withConfirmation<Result>(run: () => Promise<Result>): Promise<Result> {
  try {
    return await run()
  } catch (error) {
    const needsIt = error instanceof ApiProblem && error.confirm_url !== null
    if (!needsIt || !(await ask())) throw error
    return run()
  }
}

export function ConfirmIdentity() {
  const question = useSyncExternalStore(
    (changed) => {
      listeners.add(changed)
      return () => void listeners.delete(changed)
    },
    () => asked,
  )
  if (question === null) return null
  return (
    <Suspense fallback={null}>
      <Dialog onEnd={question.end} />
    </Suspense>
  )
}
