/**
 * Orders tables so that each comes after the tables that it references. Self-references need no
 * order, because PostgreSQL checks them at the end of the COPY statement; deferred ones at the end
 * of the transaction.
 */
export interface Reference {
  from_table: string
  to_table: string
}

/** Throws for a cycle of references, unless cycles are allowed. */
export function orderTables(
  names: readonly string[],
  references: readonly Reference[],
  { cycles = false } = {},
): string[] {
  const ordered = new Set<string>()
  const waiting = new Set(names.toSorted())
  while (waiting.size > 0) {
    const ready = [...waiting].filter((name) =>
      references.every(
        ({ from_table, to_table }) =>
          from_table !== name || to_table === name || !waiting.has(to_table),
      ),
    )
    if (ready.length === 0 && cycles) return [...ordered, ...waiting]
    if (ready.length === 0) {
      throw new Error(`The foreign keys of these tables form a cycle: ${[...waiting].join(', ')}.`)
    }
    for (const name of ready) {
      ordered.add(name)
      waiting.delete(name)
    }
  }
  return [...ordered]
}
