/**
 * Acts of the person: says what was done, says what failed, and leads to the confirmation of the
 * person's identity where the server asks for it.
 */
import { useMutation, useQueryClient, type QueryKey } from '@tanstack/react-query'
import { say, sayFault } from '../ui/overlays/toast.tsx'
import { ApiProblem } from './client.ts'
import { confirmIdentity } from './confirm-identity.tsx'

export interface Act<Given, Result> {
  run(given: Given): Promise<Result>
  /** Said when it has worked. */
  done?: string
  /** Read again when it has worked. */
  refresh?: readonly QueryKey[]
  onDone?(result: Result, given: Given): void
  /** Shows the fault itself, if it returns true. */
  onFault?(problem: ApiProblem): boolean
}

export function useAct<Given, Result>(act: Act<Given, Result>) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: act.run,
    async onSuccess(result, given) {
      if (act.done !== undefined) say(act.done)
      act.onDone?.(result, given)
      await Promise.all(
        (act.refresh ?? []).map((queryKey) => client.invalidateQueries({ queryKey })),
      )
    },
    onError(error) {
      if (error instanceof ApiProblem) return showProblem(error, act)
      sayFault(error.message)
    },
  })
}

function showProblem<Given, Result>(problem: ApiProblem, act: Act<Given, Result>): void {
  if (problem.confirm_url !== null) return confirmIdentity.ask()
  if (act.onFault?.(problem) === true) return
  sayFault(problem.user_message, problem.next_step)
}
