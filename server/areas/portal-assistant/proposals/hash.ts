/** The hash that a person confirms: of the operation, its exact arguments and its cost. */
import { sha256 } from '../../../kernel/secrets/crypto.ts'

export function hashProposal(asked: {
  operation: string
  given: unknown
  cost: string | null
}): Buffer {
  return sha256(JSON.stringify([asked.operation, inOrder(asked.given), asked.cost]))
}

/** Sorts object keys, so that their order does not change the hash. */
function inOrder(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(inOrder)
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).toSorted(([one], [other]) => (one < other ? -1 : 1))
  return entries.map(([name, one]) => [name, inOrder(one)])
}
