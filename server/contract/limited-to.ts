/**
 * The kinds of things to which a key, connection or member can be limited: sites, apps and
 * collections. A row that is older than a kind has no
 * list of it, which means an empty list.
 */
import { Type, type TArray, type TObject, type TString } from 'typebox'

interface LimitedToEntry {
  readonly about: string
  /** The values in the documentation of a request, such as ids of sites. */
  readonly values: string
  /** Whether people choose the values. Otherwise they are derived from the chosen ones. */
  readonly chosen: boolean
}

const table = {
  sites: { about: 'Ids of the sites.', values: 'Ids of sites of the project.', chosen: true },
  apps: { about: 'Ids of the apps.', values: 'Ids of apps of the project.', chosen: true },
  collections: {
    about: 'Names of the collections that come along.',
    values: 'Names of collections of the project.',
    chosen: false,
  },
} as const satisfies Record<string, LimitedToEntry>
type Table = typeof table

export type LimitedTo = keyof Table
type Chosen = {
  [Name in LimitedTo]: Table[Name]['chosen'] extends true ? Name : never
}[LimitedTo]

/** The ids or names that a limited caller may use, by kind. */
export type Allowed = Record<LimitedTo, string[]>

/** The values that people choose when they limit a key, connection or member. */
export type Selection = Pick<Allowed, Chosen>

const names = Object.keys(table).filter(isLimitedTo)
const chosenNames = names.filter(isChosen)

/** Returns every list; missing ones become empty. */
export function fillAllowed(given: Partial<Allowed>): Allowed {
  return byName(names, (name) => given[name] ?? [])
}

/** Returns the lists that people choose; missing ones become empty. */
export function fillSelection(given: Partial<Allowed>): Selection {
  return byName(chosenNames, (name) => given[name] ?? [])
}

export function intersectAllowed(one: Allowed, other: Allowed): Allowed {
  return byName(names, (name) => {
    const known = new Set(other[name])
    return one[name].filter((value) => known.has(value))
  })
}

/** Returns the lists with lowercase ids and without duplicates. */
export function toLowerCaseIds<Given extends Partial<Allowed>>(
  given: Given,
): Pick<Given, LimitedTo> {
  const named = names.filter((name) => given[name] !== undefined)
  return byName(named, (name) => [...new Set(given[name]?.map((id) => id.toLowerCase()))])
}

/** The schemas of the lists in a reply. */
export const allowedShape = byName(names, (name) =>
  Type.Array(Type.String(), { description: table[name].about }),
)

/** The schemas of the lists in a request. */
export function selectionShape(
  shapeOf: (description: string, name: Chosen) => TArray<TString>,
): TObject<Record<Chosen, TArray<TString>>> {
  const lists = byName(chosenNames, (name) => shapeOf(table[name].values, name))
  return Type.Object(lists, { additionalProperties: false })
}

function byName<Name extends LimitedTo, Value>(
  of: readonly Name[],
  valueOf: (name: Name) => Value,
): Record<Name, Value> {
  return Object.fromEntries(of.map((name) => [name, valueOf(name)])) as Record<Name, Value>
}

function isLimitedTo(word: string): word is LimitedTo {
  return Object.hasOwn(table, word)
}

function isChosen(name: LimitedTo): name is Chosen {
  return table[name].chosen
}
