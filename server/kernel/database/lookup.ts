/**
 * Lookups that many ask for at the same time, as one statement: a round trip to the database costs
 * more than what it brings. Nothing is kept: whatever is found was read after it was asked for.
 */
import { isDatabaseAway, type Database } from './database.ts'
import { gather } from './driver/gather.ts'
import { runStatement } from './driver/statement.ts'

/** In one statement. */
const KEYS_MAX = 100
/** So that a connection that hangs does not hold up whatever is asked for after it. */
const AT_ONCE = 3

export interface LookupOptions<Key> {
  /**
   * A select over `unnest(…) with ordinality`, which gives each row as `place` which of the keys
   * it was found by; at most one for each.
   */
  text: string
  /** An array for each parameter, with what it is for each key. */
  parameters(keys: readonly Key[]): unknown[]
  /** The same for keys that mean the same row. */
  nameOf(key: Key): string
}

type Lookup<Key, Row> = (db: Database, key: Key) => Promise<Row | undefined>

export function lookup<Key, Row>(options: LookupOptions<Key>): Lookup<Key, Row> {
  const gatherings = new WeakMap<Database, (key: Key) => Promise<() => Row | undefined>>()

  function gathering(db: Database) {
    return gather((keys: readonly Key[]) => findAll<Key, Row>(db, options, keys), {
      items_max: KEYS_MAX,
      at_once: AT_ONCE,
    })
  }

  return async (db, key) => {
    const find = gatherings.get(db) ?? gathering(db)
    gatherings.set(db, find)
    const found = await find(key)
    return found()
  }
}

/** For each key what gives its row, or throws what went wrong with it. */
async function findAll<Key, Row>(
  db: Database,
  options: LookupOptions<Key>,
  keys: readonly Key[],
): Promise<(() => Row | undefined)[]> {
  try {
    const rows = await readRows<Key, Row>(db, options, keys)
    return rows.map((row) => () => row)
  } catch (error) {
    if (keys.length === 1 || isDatabaseAway(error)) throw error
    // Something is wrong with one of them, and the others have nothing to do with it.
    const alone = await Promise.allSettled(
      keys.map((key) => readRows<Key, Row>(db, options, [key])),
    )
    return alone.map((one) => () => {
      if (one.status === 'rejected') throw one.reason
      return one.value[0]
    })
  }
}

async function readRows<Key, Row>(
  db: Database,
  { text, parameters, nameOf }: LookupOptions<Key>,
  keys: readonly Key[],
): Promise<(Row | undefined)[]> {
  const places = new Map<string, number>()
  const wanted: Key[] = []
  const placeOf = keys.map((key) => {
    const name = nameOf(key)
    const known = places.get(name)
    if (known !== undefined) return known
    places.set(name, wanted.length)
    return wanted.push(key) - 1
  })
  const { rows } = await runStatement<Row & { place: number }>(db, text, parameters(wanted))
  // Each keeps its place: to copy a row without it costs as much as to read it.
  const found = new Map<number, Row>(rows.map((row) => [row.place, row]))
  return placeOf.map((place) => found.get(place + 1))
}
