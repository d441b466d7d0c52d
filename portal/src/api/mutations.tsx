/**
 * Hooks for requests that change something: they report success or failure, and ask the person to
 * confirm their identity if the server requires it.
 */
import { useMutation, useQueryClient, type QueryKey } from '@tanstack/react-query'
import { say, showError } from '../ui/overlays/toast.tsx'
import { ApiProblem } from './client.ts'
import { withConfirmation } from './confirm-identity.tsx'

export interface Act<Given, Result> {
  run(given: Given): Promise<Result>
  /** The message shown after success. */
  done?: string
  /** The queries to read again after success. */
  refresh?: readonly QueryKey[]
  onDone?(result: Result, given: Given): void
  /** Returns true if it shows the error itself. */
  onFault?(problem: ApiProblem, given: Given): boolean
}

export function useAct<Given, Result>(act: Act<Given, Result>) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (given: Given) => withConfirmation(() => act.run(given)),
    async onSuccess(result, given) {
      if (act.done !== undefined) say(act.done)
      act.onDone?.(result, given)
      await Promise.all(
        (act.refresh ?? []).map((queryKey) => client.invalidateQueries({ queryKey })),
      )
    },
    onError(error, given) {
      if (!(error instanceof ApiProblem)) return showError(error.message)
      // The person closed the dialog that asks to confirm their identity.
      if (error.confirm_url !== null || act.onFault?.(error, given) === true) return
      showError(error.user_message, error.next_step, error.plan_url)
    },
  })
}
