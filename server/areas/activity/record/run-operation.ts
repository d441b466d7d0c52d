/** Runs an operation and records its change, from its declaration and its caller. */
import type { Caller } from '../../../contract/caller.ts'
import { committedPartOf } from '../../../contract/committed-part.ts'
import type { AnyInput, Operation } from '../../../contract/operation.ts'
import type { PersonCaller } from '../../../contract/people.ts'
import { withPlanPage } from '../../../contract/problems/plan-page.ts'
import { inputOf } from './act-input.ts'
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

export async function runOperation<Asker extends Caller | PersonCaller>(
  asked: OperationRun<Asker>,
): Promise<unknown> {
  try {
    return await runRecorded(asked)
  } catch (error) {
    throw 'project' in asked.asker ? withPlanPage(error, asked.asker) : error
  }
}

async function runRecorded<Asker extends Caller | PersonCaller>({
  operation,
  input,
  asker,
  run,
}: OperationRun<Asker>): Promise<unknown> {
  if (operation.effect === 'read' || isPrivate(operation)) return run(asker)
  const acting =
    operation.kind === 'people' && operation.access === 'operator'
      ? operatorActing(operation, input, asker)
      : actingOf(operation, input.params, asker)
  if (isCounted(operation)) return runCounted(acting, asker, run)
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

async function runCounted<Asker extends Caller | PersonCaller>(
  acting: Acting,
  asker: Asker,
  run: (asker: Asker) => Promise<unknown>,
): Promise<unknown> {
  try {
    const reply = await run(asker)
    tally(asker.runtime, acting, reply)
    return reply
  } catch (error) {
    const part = committedPartOf(error)
    if (part !== undefined) tally(asker.runtime, acting, part)
    throw error
  }
}

/**
 * Conversations with the portal assistant belong to one person. The operations that they run are
 * recorded themselves.
 */
function isPrivate({ name }: Pick<Operation, 'name'>): boolean {
  return name.startsWith('portal_')
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

/** An act of an operator is in the project that its result names; else it concerns the installation. */
function operatorActing(
  operation: Operation,
  { params, body }: OperationRun<unknown>['input'],
  asker: Caller | PersonCaller,
): Acting {
  const { reason, note = reason }: { reason?: unknown; note?: unknown } = Object(body)
  return {
    ...actingOf(operation, params, asker),
    ...(operation.params === undefined && { project_id: INSTALLATION }),
    ...projectOf(operation, params),
    otherwise: INSTALLATION,
    actor_kind: 'operator',
    entry_point: 'operator',
    act: {
      address: 'address' in asker ? (asker.address ?? null) : null,
      input: inputOf(params, body),
    },
    ...(typeof note === 'string' && { note: note.trim() }),
  }
}

/** The project of an act on a project, whose result may not name it. */
function projectOf({ name }: Operation, params: unknown): { project_id?: string } {
  const { id }: { id?: unknown } = Object(params)
  return name.startsWith('projects.') && typeof id === 'string' ? { project_id: id } : {}
}

function actorOf(asker: Caller | PersonCaller): Pick<Acting, 'actor_kind' | 'actor_id'> {
  if ('person' in asker) return { actor_kind: 'person', actor_id: String(Object(asker.person).id) }
  if (asker.agent) return { actor_kind: 'agent', actor_id: asker.agent.id }
  return { actor_kind: asker.is_connection ? 'connection' : 'api_key', actor_id: asker.key_id }
}

/** The parameter of the path that names the record; for changes of documents, the collection. */
function parameterOf(operation: Pick<Operation, 'name' | 'path'>, params: unknown): string | null {
  const names = [...operation.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name)
  const name = isCounted(operation) ? 'name' : names.at(-1)
  const value: unknown = name === undefined ? undefined : Object(params)[name]
  return typeof value === 'string' ? value : null
}
