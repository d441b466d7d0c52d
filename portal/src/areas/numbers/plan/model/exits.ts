/** The ways out of a node, read from its schema: fields, keys of a menu, and rules. */
import { isList, isObject, type JsonObject, type Path } from './json.ts'
import { isRequired, propertiesOf, valuesOf, type Schema } from './node-schema.ts'

export interface Exit {
  /** Path below the node, such as `onNoAnswer`, `options/1` or `rules/0/next`. */
  path: Path
  /** The field of the node that has it. */
  field: string
  /** The key of a menu, or the position of a rule from 1. null for a field of its own. */
  part: string | null
  /** The id of the next node; null if there is none yet. */
  to: string | null
  /** Whether the call may end here. */
  isOptional: boolean
}

export function exitsOf(schema: Schema | undefined, node: JsonObject): Exit[] {
  return propertiesOf(schema).flatMap(([field, one]): Exit[] => {
    const value = node[field]
    if (one['x-edge'] === true) {
      const isOptional = !isRequired(schema, field)
      return [{ path: [field], field, part: null, to: idOf(value), isOptional }]
    }
    if (valuesOf(one)?.['x-edge'] === true && isObject(value)) {
      return Object.entries(value).map(([key, to]) => ({
        path: [field, key],
        field,
        part: key,
        to: idOf(to),
        isOptional: false,
      }))
    }
    const edge = propertiesOf(one.items).find(([, inner]) => inner['x-edge'] === true)
    if (edge === undefined || !isList(value)) return []
    return value.map((item, index) => ({
      path: [field, index, edge[0]],
      field,
      part: String(index + 1),
      to: isObject(item) ? idOf(item[edge[0]]) : null,
      isOptional: false,
    }))
  })
}

function idOf(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value : null
}

export interface ShownExits {
  exits: readonly Exit[]
  /** The exits at which the call ends, if they are summed up in one row. */
  endings: number
  /** Rows below the head of the step. */
  rows: number
}

/**
 * The exits as the graph and the outline show them: those that lead on or must, and one row for all
 * others.
 */
export function shownExits(schema: Schema | undefined, node: JsonObject): ShownExits {
  const all = exitsOf(schema, node)
  const exits = all.filter(({ to, isOptional }) => to !== null || !isOptional)
  // A goto node with a plan does not end the call.
  const endings = node['plan'] === undefined ? all.length - exits.length : 0
  return { exits, endings, rows: exits.length + (endings > 0 ? 1 : 0) }
}

/** The field whose keys are ways out, such as `options` of a menu; null if the type has none. */
export function keyedField(schema: Schema | undefined): string | null {
  const found = propertiesOf(schema).find(([, one]) => valuesOf(one)?.['x-edge'] === true)
  return found?.[0] ?? null
}

const phoneKeys = [...'1234567890*#']

/** The keys of the phone that a map does not have yet. */
export function freeKeys(schema: Schema | undefined, value: unknown): string[] {
  const pattern = schema?.propertyNames?.pattern
  const allowed = pattern === undefined ? null : new RegExp(pattern)
  const taken = isObject(value) ? value : {}
  return phoneKeys.filter((key) => !Object.hasOwn(taken, key) && allowed?.test(key) !== false)
}
