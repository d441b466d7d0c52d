/**
 * What exactly is proposed: its hash, by which who decides says what they saw; the hash by which the
 * same proposal is known again; and the site or collection that it is about.
 */
import type { Access } from '../../contract/caller.ts'
import type { Operation } from '../../contract/operation.ts'
import { sha256 } from '../../kernel/secrets/crypto.ts'

export interface Asked {
  operation: Operation
  given: unknown
}

/** Of operation, arguments and cost: a change of any of them is something else to agree to. */
export function inputHash({ operation, given }: Asked, cost: string | null): Buffer {
  return sha256(JSON.stringify([operation.name, inOrder(given), cost]))
}

/** Models make a new Idempotency-Key for each try, so that does not make a proposal another one. */
export function askedHash({ operation, given }: Asked): Buffer {
  const { idempotency_key: _, ...rest } = Object(given ?? {})
  return sha256(JSON.stringify([operation.name, inOrder(rest)]))
}

/** The same whichever order the names of an object stand in. */
function inOrder(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(inOrder)
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).toSorted(([one], [other]) => (one < other ? -1 : 1))
  return entries.map(([name, one]) => [name, inOrder(one)])
}

/** By the first part of an operation's name: the argument that names what it is about. */
const targetArguments: ReadonlyMap<string, readonly [kind: string, argument: string]> = new Map([
  ['sites', ['site', 'id']],
  ['collections', ['collection', 'name']],
  ['documents', ['collection', 'name']],
])

/** Null: it is of the whole project, as far as somebody who is limited can tell. */
export function targetOf({ operation, given }: Asked): string | null {
  const [kind, argument] = targetArguments.get(operation.name.split('.')[0] ?? '') ?? []
  if (operation.reach === 'project' || kind === undefined || argument === undefined) return null
  const named: unknown = Object(given)[argument]
  return typeof named === 'string' ? `${kind}:${named.toLowerCase()}` : null
}

/** The targets that a limit leaves. */
export function targetsOf({ sites, collections }: Access): string[] {
  const names = [...sites.map((id) => `site:${id}`), ...collections.map((id) => `collection:${id}`)]
  return names.map((name) => name.toLowerCase())
}
