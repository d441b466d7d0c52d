/**
 * What an approval is about, for the person who decides: its arguments hold an id or a list, which
 * say nothing. So what they stand for is read, as it is now, and what would be lost is told.
 */
import type { Caller } from '../../contract/caller.ts'
import { Problem } from '../../contract/errors.ts'
import type { Loss } from '../../contract/operation.ts'
import { runnerOf } from './runner.ts'
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
export async function findLoss(
  caller: Caller,
  { operation: name, arguments: given }: Asked,
): Promise<Loss | null> {
  try {
    return await runnerOf(caller.runtime).prepare(name, given).findLoss(caller)
  } catch (error) {
    if (error instanceof Problem) return null
    throw error
  }
}
