/** Finds the known name that is most similar to a misspelt one. */

// Number of characters that are compared: names of fields may have 200 characters, and there may be
// thousands of names.
const COMPARED_CHARACTERS = 64

/**
 * Returns the name with the smallest edit distance, ignoring case; undefined if every distance
 * exceeds one edit per three letters. A name that begins with the typed text has distance 1.
 */
export function findNearestName(typed: string, names: readonly string[]): string | undefined {
  const wanted = comparable(typed)
  const edits_max = Math.max(1, Math.floor(typed.length / 3))
  const ranked = names
    .map((name) => ({ name, compared: comparable(name) }))
    .filter(({ compared }) => isAbout(compared, wanted, edits_max))
    .map(({ name, compared }) => ({ name, edits: editsTo(compared, wanted) }))
    .toSorted((one, other) => one.edits - other.edits)
  const [best] = ranked
  return best && best.edits <= edits_max ? best.name : undefined
}

function comparable(name: string): string {
  return name.slice(0, COMPARED_CHARACTERS).toLowerCase()
}

/** A cheap filter: the difference in length is a lower bound of the distance. */
function isAbout(name: string, typed: string, edits_max: number): boolean {
  return Math.abs(name.length - typed.length) <= edits_max || name.startsWith(typed)
}

function editsTo(name: string, typed: string): number {
  return name !== typed && name.startsWith(typed) ? 1 : editsBetween(typed, name)
}

/** Levenshtein distance with transpositions. */
function editsBetween(from: string, to: string): number {
  const width = to.length + 1
  let before = new Uint8Array(width)
  let above = Uint8Array.from({ length: width }, (_, column) => column)
  let current = new Uint8Array(width)
  for (let row = 1; row <= from.length; row++) {
    const letter = from.charCodeAt(row - 1)
    const last = from.charCodeAt(row - 2)
    current[0] = row
    for (let column = 1; column <= to.length; column++) {
      const other = to.charCodeAt(column - 1)
      let edits = above[column - 1]! + (letter === other ? 0 : 1)
      const is_swap = column > 1 && last === other && letter === to.charCodeAt(column - 2)
      if (is_swap) edits = Math.min(edits, before[column - 2]! + 1)
      current[column] = Math.min(edits, above[column]! + 1, current[column - 1]! + 1)
    }
    ;[before, above, current] = [above, current, before]
  }
  return above[to.length]!
}
