/** Merges the tables of areas into one catalogue, with the exact type of each entry. */
import assert from 'node:assert/strict'

type Tables = Readonly<Record<string, Readonly<Record<string, unknown>>>>
type KeyOf<Table> = Table extends unknown ? keyof Table & string : never
type EntryOf<Table, Name> = Table extends unknown
  ? Name extends keyof Table
    ? Table[Name]
    : never
  : never

/** The names of the entries in all tables. */
export type NameIn<All extends Tables> = KeyOf<All[keyof All]>

export type Merged<All extends Tables> = {
  readonly [Name in NameIn<All>]: EntryOf<All[keyof All], Name>
}

/** Throws if two tables have an entry of the same name. */
export function mergeTables<const All extends Tables>(tables: All): Merged<All> {
  const entries = Object.values(tables).flatMap((table) => Object.entries(table))
  const merged = Object.fromEntries(entries)
  const twice = entries.find(([name, entry]) => merged[name] !== entry)
  assert(!twice, `Two tables have the entry ${twice?.[0]}.`)
  return merged as Merged<All>
}

/** Returns the same entries: first those named in `order`, in that order, then the others. */
export function sortByNames<Catalogue extends object>(
  catalogue: Catalogue,
  order: readonly string[],
): Catalogue {
  const rank = new Map(order.map((name, index) => [name, index]))
  const rankOf = ([name]: [string, unknown]) => rank.get(name) ?? order.length
  const sorted = Object.entries(catalogue).toSorted((one, other) => rankOf(one) - rankOf(other))
  return Object.fromEntries(sorted) as Catalogue
}
