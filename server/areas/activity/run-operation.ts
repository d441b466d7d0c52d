/** Runs an operation and records its change, from its declaration and its caller. */
import type { Caller } from '../../contract/caller.ts'
import type { AnyInput, Operation } from '../../contract/operation.ts'
import type { PersonCaller } from '../../contract/people.ts'
import { record, type Acting } from './record.ts'
import { isCounted, tally } from './tally.ts'

/** The project of acts that concern the installation. */
export const INSTALLATION = '00000000-0000-0000-0000-000000000000'

export interface OperationRun<Asker> {
  operation: Operation
  input: Partial<Pick<AnyInput, 'params' | 'body'>>
  asker: Asker
  run(asker: Asker): Promise<unknown>
}

export async function runOperation<Asker extends Caller | PersonCaller>({
  operation,
  input,
  asker,
  run,
}: OperationRun<Asker>): Promise<unknown> {
  if (operation.effect === 'read') return run(asker)
  const acting =
    operation.kind === 'people' && operation.access === 'operator'
      ? operatorActing(operation, input, asker)
      : actingOf(operation, input.params, asker)
  if (isCounted(operation)) {
    const reply = await run(asker)
    tally(asker.runtime, acting, reply)
    return reply
  }
  const is_idempotent = operation.headers?.idempotency_key === 'required'
  return record(asker.runtime, {
    acting,
    notes_effect: is_idempotent,
    work: (noteEffect) => {
      if (!is_idempotent || !('remember' in asker)) return run(asker)
      return run({
        ...asker,
        async remember(tx, reply, how) {
          await asker.remember(tx, reply, how)
          if (how?.replayed !== true) noteEffect(tx, reply)
        },
      })
    },
  })
}

function actingOf(
  { name, path }: Operation,
  params: unknown,
  asker: Caller | PersonCaller,
): Acting {
  const caller = 'project' in asker ? asker : null
  return {
    ...actorOf(asker),
    project_id: caller?.project.id ?? null,
    entry_point: caller ? (caller.entry_point ?? 'rest') : 'portal',
    mode: caller?.mode ?? null,
    operation: name,
    path_id: parameterOf({ name, path }, params),
    request_id: asker.request_id,
  }
}

/** An act of an operator is in the project that it changes; without one, it concerns the installation. */
function operatorActing(
  operation: Operation,
  { params, body }: OperationRun<unknown>['input'],
  asker: Caller | PersonCaller,
): Acting {
  const { reason, note = reason }: { reason?: unknown; note?: unknown } = Object(body)
  return {
    ...actingOf(operation, params, asker),
    ...(operation.params === undefined && { project_id: INSTALLATION }),
    actor_kind: 'operator',
    entry_point: 'operator',
    ...(typeof note === 'string' && { note: note.trim() }),
  }
}

function actorOf(asker: Caller | PersonCaller): Pick<Acting, 'actor_kind' | 'actor_id'> {
  if ('person' in asker) return { actor_kind: 'person', actor_id: String(Object(asker.person).id) }
  return { actor_kind: asker.is_connection ? 'connection' : 'api_key', actor_id: asker.key_id }
}

/** The parameter of the path that names the record; for changes of documents, the collection. */
function parameterOf(operation: Pick<Operation, 'name' | 'path'>, params: unknown): string | null {
  const names = [...operation.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name)
  const name = isCounted(operation) ? 'name' : names.at(-1)
  const value: unknown = name === undefined ? undefined : Object(params)[name]
  return typeof value === 'string' ? value : null
}
