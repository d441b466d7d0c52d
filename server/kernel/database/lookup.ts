/**
 * Batched lookups: concurrent lookups by key share one statement, because a round trip costs more
 * than the query. Nothing is cached: each row is read after it was requested.
 */
import { isDatabaseUnavailable, isDatabaseBusy, type Database } from './database.ts'
import { batchCalls } from '../process/batch-calls.ts'
import { runStatement } from './driver/statement.ts'

/** Maximum number of keys in one statement. */
const KEYS_MAX = 100
/**
 * Maximum number of concurrent statements; above 1, so that one hanging connection does not block
 * all lookups.
 */
const AT_ONCE = 3

export interface LookupOptions<Key> {
  /**
   * A select over `unnest(…) with ordinality`. Each row has the ordinality of its key as `place`;
   * at most one row per key.
   */
  text: string
  /** One array per parameter, with one item per key. */
  parameters(keys: readonly Key[]): unknown[]
  /** Identifies a key: keys with the same name share a lookup. */
  nameOf(key: Key): string
}

type Lookup<Key, Row> = (db: Database, key: Key) => Promise<Row | undefined>

export function lookup<Key, Row>(options: LookupOptions<Key>): Lookup<Key, Row> {
  const gatherings = new WeakMap<Database, (key: Key) => Promise<() => Row | undefined>>()

  function gathering(db: Database) {
    return batchCalls((keys: readonly Key[]) => findAll<Key, Row>(db, options, keys), {
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

/** Returns a function for each key, which returns its row or throws its error. */
async function findAll<Key, Row>(
  db: Database,
  options: LookupOptions<Key>,
  keys: readonly Key[],
): Promise<(() => Row | undefined)[]> {
  try {
    const rows = await readRows<Key, Row>(db, options, keys)
    return rows.map((row) => () => row)
  } catch (error) {
    if (keys.length === 1 || isDatabaseUnavailable(error) || isDatabaseBusy(error)) throw error
    // One key caused the error, so the others are retried separately.
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
  // Rows keep the column `place`: removing it would copy each row.
  const found = new Map<number, Row>(rows.map((row) => [row.place, row]))
  return placeOf.map((place) => found.get(place + 1))
}
