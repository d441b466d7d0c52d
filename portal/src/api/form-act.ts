/** An act of a form: a refusal is shown at the form, as the fault of its first field or as a whole. */
import type { QueryKey } from '@tanstack/react-query'
import { useState } from 'react'
import { useAct } from './mutations.tsx'

export interface FormAct<Input, Result> {
  run(input: Input): Promise<Result>
  done?: string
  refresh?: readonly QueryKey[]
  onDone?(result: Result): void
}

export function useFormAct<Input = void, Result = unknown>(given: FormAct<Input, Result>) {
  const [fault, setFault] = useState<string>()
  const { run, ...rest } = given
  const act = useAct({
    ...rest,
    run(input: Input) {
      setFault(undefined)
      return run(input)
    },
    onFault(problem) {
      // The message with the link to larger plans is shown outside of the form.
      if (problem.plan_url !== null) return false
      setFault(problem.faults[0]?.message ?? problem.user_message)
      return true
    },
  })
  return { act, fault, setFault }
}
