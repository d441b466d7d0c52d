/**
 * What an approval is about, for the person who decides: its arguments hold an id or a list, which
 * say nothing. So what they stand for is read, as it is now, and what would be lost is told.
 */
import type { Caller } from '../../contract/caller.ts'
import { Problem } from '../../contract/errors.ts'
import type { Loss } from '../../contract/operation.ts'
import { runnerOf } from './decision/runner.ts'
import type { Approval } from './schema.ts'

type Asked = Pick<Approval, 'operation' | 'arguments'>

/** As this caller may read it; null where nothing reads it, or it is not there. */
export async function readSubject(
  caller: Caller,
  { operation, arguments: given }: Asked,
): Promise<Record<string, unknown> | null> {
  const text = await runnerOf(caller.runtime).readSubject(operation, given, caller)
  return text === null || text === '' ? null : JSON.parse(text)
}

/**
 * What the thing is called, in one line: its names as an operation shows them, else its declared
 * name; empty where it has none. Only for people: who made the thing may be an outsider.
 */
export async function nameSubject(caller: Caller, asked: Asked): Promise<string> {
  const subject = await readSubject(caller, asked)
  const words = subject === null ? '' : wordsOf(subject)
  return words === '' ? ((await findDeclaredSubject(caller, asked)) ?? '') : words
}

/** Its declared name, which a model may see; null: it has none or is not there. */
export function findDeclaredSubject(caller: Caller, asked: Asked): Promise<string | null> {
  return orNull(() => prepared(caller, asked).findSubject(caller))
}

function prepared({ runtime }: Caller, { operation, arguments: given }: Asked) {
  return runnerOf(runtime).prepare(operation, given)
}

async function orNull<T>(read: () => Promise<T | null>): Promise<T | null> {
  try {
    return await read()
  } catch (error) {
    if (error instanceof Problem) return null
    throw error
  }
}

/** By these a person knows a thing again. */
const names = ['title', 'name', 'filename', 'slug', 'e164', 'url'] as const
const CHARACTERS_MAX = 120

/** What a thing is called, in one line; empty where it has no name. */
export function wordsOf(subject: Record<string, unknown>): string {
  const known = names.map((name) => subject[name]).filter((value) => typeof value === 'string')
  const words = [...new Set(known)].filter((value) => value !== '').join(', ')
  const line = words.replaceAll(/\s+/g, ' ').trim()
  return line.length > CHARACTERS_MAX ? `${line.slice(0, CHARACTERS_MAX)}…` : line
}

/**
 * What these arguments would delete now, as this caller may read it. null: nothing, or the arguments
 * are none any more since the operation has changed.
 */
export function findLoss(caller: Caller, asked: Asked): Promise<Loss | null> {
  return orNull(() => prepared(caller, asked).findLoss(caller))
}

/** What a row keeps of both, for when the thing is gone. */
export async function keptWords(
  caller: Caller,
  asked: Asked,
): Promise<{ subject: string | null; loss: string | null }> {
  const subject = await nameSubject(caller, asked)
  const loss = await findLoss(caller, asked)
  return { subject: subject === '' ? null : subject, loss: loss?.about ?? null }
}
