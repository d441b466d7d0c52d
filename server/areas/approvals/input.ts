/**
 * Hashes and target of a proposal: `inputHash` proves what the person saw, `requestHash` detects a
 * repeated proposal, and the target is the site or collection that the operation changes.
 */
import type { Access } from '../../contract/caller.ts'
import type { Operation } from '../../contract/operation.ts'
import { sha256 } from '../../kernel/secrets/crypto.ts'

export interface OperationRequest {
  operation: Operation
  given: unknown
}

/** What the person is told beside the arguments. */
export interface Told {
  cost: string | null
  /** The name of the target, and what would be deleted. */
  subject: string | null
  loss: string | null
  depends_on: string | null
}

/** SHA-256 of operation, arguments and what the person is told. */
export function hashInput({ operation, given }: OperationRequest, told: Told): Buffer {
  const { cost, subject, loss, depends_on } = told
  return sha256(JSON.stringify([operation.name, inOrder(given), cost, subject, loss, depends_on]))
}

/** The hash of approvals that were approved before it covered more than operation, arguments and cost. */
export function hashInputBefore(
  { operation, given }: OperationRequest,
  cost: string | null,
): Buffer {
  return sha256(JSON.stringify([operation.name, inOrder(given), cost]))
}

/** SHA-256 without the Idempotency-Key, because models send a new key with each attempt. */
export function hashRequest({ operation, given }: OperationRequest): Buffer {
  const { idempotency_key: _, ...rest } = Object(given ?? {})
  return sha256(JSON.stringify([operation.name, inOrder(rest)]))
}

/** Sorts object keys, so that their order does not change the hash. */
function inOrder(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(inOrder)
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).toSorted(([one], [other]) => (one < other ? -1 : 1))
  return entries.map(([name, one]) => [name, inOrder(one)])
}

/**
 * The name of the argument that holds the target's id, by the first part of the operation's name.
 */
const targetArguments: ReadonlyMap<string, readonly [kind: string, argument: string]> = new Map([
  ['sites', ['site', 'id']],
  ['collections', ['collection', 'name']],
  ['documents', ['collection', 'name']],
])

/**
 * Returns null if the operation has no single site or collection as its target; limited members do
 * not see such approvals.
 */
export function findTarget({ operation, given }: OperationRequest): string | null {
  const [kind, argument] = targetArguments.get(operation.name.split('.')[0] ?? '') ?? []
  if (operation.reach === 'project' || kind === undefined || argument === undefined) return null
  const named: unknown = Object(given)[argument]
  return typeof named === 'string' ? `${kind}:${named.toLowerCase()}` : null
}

/** The targets of the sites and collections that `access` allows. */
export function listTargets({ sites, collections }: Access): string[] {
  const names = [...sites.map((id) => `site:${id}`), ...collections.map((id) => `collection:${id}`)]
  return names.map((name) => name.toLowerCase())
}
