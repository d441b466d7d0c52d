/** Two versions of a plan that were changed from the same one, joined step by step. */
import { isObject, isSame, type Json, type JsonObject } from './json.ts'
import type { Plan } from './plan.ts'

export type Side = 'yours' | 'theirs'

export interface Difference {
  /** The id of a node, or the name of another key of the plan. */
  key: string
  isNode: boolean
  /** Who changed it since the common version. */
  changed_by: Side | 'both'
  /** undefined where it does not exist. */
  yours: Json | undefined
  theirs: Json | undefined
}

export interface Versions {
  base: Plan
  yours: Plan
  theirs: Plan
}

/** What differs between yours and theirs: nodes, and other keys such as the entry. */
export function differencesOf({ base, yours, theirs }: Versions): Difference[] {
  const isNode = true
  return [
    ...compared(base, yours, theirs)
      .filter(({ key }) => key !== 'nodes')
      .map((one) => ({ ...one, isNode: false })),
    ...compared(nodesOf(base), nodesOf(yours), nodesOf(theirs)).map((one) => ({ ...one, isNode })),
  ]
}

function compared(base: JsonObject, yours: JsonObject, theirs: JsonObject) {
  const keys = new Set([...Object.keys(yours), ...Object.keys(theirs)])
  return [...keys]
    .filter((key) => !isSame(yours[key], theirs[key]))
    .map((key) => ({
      key,
      changed_by: changedBy(base[key], yours[key], theirs[key]),
      yours: yours[key],
      theirs: theirs[key],
    }))
}

function changedBy(
  base: Json | undefined,
  yours: Json | undefined,
  theirs: Json | undefined,
): Difference['changed_by'] {
  if (isSame(base, yours)) return 'theirs'
  return isSame(base, theirs) ? 'yours' : 'both'
}

/** The side that loses no change; yours if both changed it. */
export function defaultSide({ changed_by }: Difference): Side {
  return changed_by === 'theirs' ? 'theirs' : 'yours'
}

/** Yours, with each difference as it was chosen. */
export function joined(
  { yours }: Versions,
  differences: readonly Difference[],
  chosen: (difference: Difference) => Side,
): Plan {
  let plan: JsonObject = yours
  let nodes = nodesOf(yours)
  for (const difference of differences) {
    if (chosen(difference) === 'yours') continue
    const { key, isNode, theirs } = difference
    if (isNode) nodes = withKey(nodes, key, theirs)
    else plan = withKey(plan, key, theirs)
  }
  return { ...plan, nodes }
}

function nodesOf({ nodes }: Plan): JsonObject {
  return isObject(nodes) ? nodes : {}
}

function withKey(holder: JsonObject, key: string, value: Json | undefined): JsonObject {
  if (value !== undefined) return { ...holder, [key]: value }
  return Object.fromEntries(Object.entries(holder).filter(([one]) => one !== key))
}
