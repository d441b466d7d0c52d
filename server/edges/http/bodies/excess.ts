/**
 * Removes the excess from a large body before it is validated. A validator that reports every error
 * would otherwise create hundreds of thousands of them, while a reply shows at most a hundred. The
 * pruned body breaks the same rules: it is valid exactly if the original is.
 */
import type { TSchema } from 'typebox'

/**
 * Maximum number of unknown members that stay in the whole body, besides the first unknown member
 * of each object.
 */
const UNKNOWN_KEPT_MAX = 200

interface Shape {
  items?: Shape
  maxItems?: number
  anyOf?: readonly Shape[]
  oneOf?: readonly Shape[]
  properties?: Readonly<Record<string, Shape>>
  additionalProperties?: unknown
}

export function pruneExcess(schema: TSchema, body: unknown): unknown {
  let unknown_left = UNKNOWN_KEPT_MAX

  function pruned(shape: Shape, value: unknown): unknown {
    if (Array.isArray(value)) return prunedList(shape, value)
    return typeof value === 'object' && value !== null ? prunedObject(shape, value) : value
  }

  /** Keeps one item above the maximum, so that the list is still too long. */
  function prunedList({ items, maxItems = Infinity }: Shape, list: readonly unknown[]): unknown[] {
    return list.slice(0, maxItems + 1).map((item) => (items ? pruned(items, item) : item))
  }

  function prunedObject(shape: Shape, object: object): object {
    const known = knownMembers(shape)
    if (!known) return object
    const kept: Record<string, unknown> = {}
    let unknown_kept = 0
    for (const name of Object.keys(object)) {
      const inner = known.get(name)
      if (inner) kept[name] = pruned(inner, Reflect.get(object, name))
      else if (unknown_kept === 0 || unknown_left > 0) {
        define(kept, name, Reflect.get(object, name))
        unknown_kept += 1
        unknown_left -= 1
      }
    }
    return kept
  }

  return pruned(schema, body)
}

/** Sets a member of any name, `__proto__` among them. */
function define(object: object, name: string, value: unknown): void {
  Object.defineProperty(object, name, {
    value,
    configurable: true,
    enumerable: true,
    writable: true,
  })
}

/**
 * Returns the members that an object may have, those of all branches of a union together; null if
 * it may have others as well. A member with different shapes in two branches is not pruned further.
 */
function knownMembers(shape: Shape): Map<string, Shape> | null {
  const { anyOf, oneOf, properties, additionalProperties } = shape
  const branches = anyOf ?? oneOf
  if (!branches) {
    if (additionalProperties !== false || 'patternProperties' in shape) return null
    return new Map(Object.entries(properties ?? {}))
  }
  if (properties) return null
  const known = new Map<string, Shape>()
  for (const branch of branches) {
    if (isNoObject(branch)) continue
    const members = knownMembers(branch)
    if (!members) return null
    for (const [name, inner] of members) known.set(name, known.has(name) ? {} : inner)
  }
  return known
}

function isNoObject(branch: Shape): boolean {
  return 'type' in branch && branch.type !== 'object'
}
