/**
 * Describes the target of an approval to the person who decides: arguments hold ids, so names and
 * the predicted loss are read at display time.
 */
import type { Caller } from '../../contract/caller.ts'
import { Problem } from '../../contract/errors.ts'
import type { Loss } from '../../contract/operation.ts'
import { NoSlot } from '../../kernel/limits/slots.ts'
import { joinFirstValues, toLine } from '../../kernel/values/first-values.ts'
import { findRunner } from './decision/runner.ts'
import { hashInput, type OperationRequest } from './input.ts'
import type { Approval } from './schema.ts'

type Asked = Pick<Approval, 'operation' | 'arguments'>

/**
 * Reads the target for display; null if no operation reads it, it does not exist, or it cannot be
 * read now.
 */
export async function readSubject(
  caller: Caller,
  asked: Asked,
): Promise<Record<string, unknown> | null> {
  try {
    return await readTarget(caller, asked)
  } catch (error) {
    if (isPassing(error)) return null
    throw error
  }
}

/** Reads the target as this caller sees it; null if no operation reads it or it does not exist. */
async function readTarget(
  caller: Caller,
  { operation, arguments: given }: Asked,
): Promise<Record<string, unknown> | null> {
  const text = await findRunner(caller.runtime).readSubject(operation, given, caller)
  return text === null || text === '' ? null : JSON.parse(text)
}

/**
 * Returns one line that names the target: fields that its reading operation returns, else its
 * declared name, else arguments that tell what is created or sent, else an empty text. Only for
 * people, because outsiders may have chosen the name.
 */
async function labelSubject(caller: Caller, asked: Asked): Promise<string> {
  return (await labelTarget(caller, asked)) || join(asked.arguments, telling)
}

/** The same without the arguments: an empty text if nothing names the target. */
export async function labelTarget(caller: Caller, asked: Asked): Promise<string> {
  const subject = await readTarget(caller, asked)
  const words = subject === null ? '' : joinNames(subject)
  return words === '' ? ((await findDeclaredSubject(caller, asked)) ?? '') : words
}

/** The target's declared name, which models may see; null if it has none or does not exist. */
export function findDeclaredSubject(caller: Caller, asked: Asked): Promise<string | null> {
  return orNull(() => prepared(caller, asked).findSubject(caller))
}

function prepared({ runtime }: Caller, { operation, arguments: given }: Asked) {
  return findRunner(runtime).prepare(operation, given)
}

/** Whether the same request can succeed later, so that this failure says nothing about the target. */
export function isPassing(error: unknown): boolean {
  if (error instanceof NoSlot) return true
  return error instanceof Problem && (error.status >= 500 || error.status === 429)
}

async function orNull<T>(read: () => Promise<T | null>): Promise<T | null> {
  try {
    return await read()
  } catch (error) {
    if (error instanceof Problem && !isPassing(error)) return null
    throw error
  }
}

/** Fields that identify a resource to people. */
const names = ['title', 'name', 'filename', 'slug', 'e164', 'url'] as const
/** Arguments that distinguish new resources and messages. */
const telling = ['to', 'subject', 'description', 'question', 'text'] as const

/**
 * Joins the identifying fields into one line, those of a document its first values; empty if there are
 * none.
 */
export function joinNames(subject: Record<string, unknown>): string {
  const { data } = subject
  return typeof data === 'object' && data !== null ? joinFirstValues(data) : join(subject, names)
}

function join(values: Record<string, unknown>, fields: readonly string[]): string {
  const known = fields.flatMap((name) => values[name]).filter((one) => typeof one === 'string')
  return toLine([...new Set(known)].filter((value) => value !== ''))
}

/**
 * Returns what these arguments would delete now, as far as this caller may read it. Returns null if
 * nothing, or if the operation no longer accepts the arguments.
 */
function findLoss(caller: Caller, asked: Asked): Promise<Loss | null> {
  return orNull(() => prepared(caller, asked).findLoss(caller))
}

/**
 * Returns what a person is told about a request now, as its requester may read it, and the hash of the
 * input. The texts are stored with the approval, for display after the target is deleted. Throws if
 * something cannot be read now.
 */
export async function readInput(caller: Caller, { operation, given }: OperationRequest) {
  const asked = { operation: operation.name, arguments: { ...Object(given) } }
  const cost = findRunner(caller.runtime).costOf({ operation, given }, caller)
  const subject = (await labelSubject(caller, asked)) || null
  const found = await findLoss(caller, asked)
  const loss = found?.about ?? null
  const told = { cost, subject, loss, depends_on: found?.depends_on ?? null }
  return { cost, subject, loss, input_hash: hashInput({ operation, given }, told) }
}
