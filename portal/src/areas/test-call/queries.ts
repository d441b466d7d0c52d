/** Test numbers, and calls in which the person plays the caller. */
import { api, inProject, read, type Schemas, type Scope } from '../../api/client.ts'

export type PhoneNumber = Schemas['PhoneNumber']
export type Turn = Schemas['CallsSimulateBody']['turns'][number]

export interface TestCall {
  number_id: string
  turns: readonly Turn[]
}

/** Runs the whole call, and returns it when it has ended. */
export function runTestCall(scope: Scope, { number_id, turns }: TestCall) {
  const params = inProject(scope)
  const body = { number_id, turns: [...turns] }
  return read<Schemas['Call']>(api.POST('/projects/{project_id}/test/calls', { params, body }))
}

export function orderTestNumber(scope: Scope) {
  const { path, header } = inProject(scope)
  const params = { path, header: { ...header, 'Idempotency-Key': crypto.randomUUID() } }
  return read<PhoneNumber>(api.POST('/projects/{project_id}/numbers', { params, body: {} }))
}
