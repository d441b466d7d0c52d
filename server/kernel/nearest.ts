/** Finds the known name that a misspelt one was probably meant to be. */

// Bounds the work: names of fields may be 200 characters long, and there may be thousands.
const COMPARED_CHARACTERS = 64

/**
 * The name with the fewest edits from what was typed, ignoring case; undefined when every name is
 * further away than one edit in three letters. A name that begins with what was typed counts as
 * one edit.
 */
export function nearest(typed: string, names: readonly string[]): string | undefined {
  const wanted = comparable(typed)
  const edits_max = Math.max(1, Math.floor(typed.length / 3))
  const ranked = names
    .map((name) => ({ name, edits: editsTo(comparable(name), wanted) }))
    .toSorted((one, other) => one.edits - other.edits)
  const [best] = ranked
  return best && best.edits <= edits_max ? best.name : undefined
}

function comparable(name: string): string {
  return name.slice(0, COMPARED_CHARACTERS).toLowerCase()
}

function editsTo(name: string, typed: string): number {
  return name !== typed && name.startsWith(typed) ? 1 : editsBetween(typed, name)
}

/** The Levenshtein distance, where swapping two neighbouring letters is one edit as well. */
function editsBetween(from: string, to: string): number {
  let before: number[] = []
  let above = Array.from({ length: to.length + 1 }, (_, column) => column)
  for (let row = 1; row <= from.length; row++) {
    const current = [row]
    for (let column = 1; column <= to.length; column++) {
      const change = above[column - 1]! + (from[row - 1] === to[column - 1] ? 0 : 1)
      const is_swap = from[row - 1] === to[column - 2] && from[row - 2] === to[column - 1]
      const swap = row > 1 && column > 1 && is_swap ? before[column - 2]! + 1 : change
      current.push(Math.min(change, swap, above[column]! + 1, current[column - 1]! + 1))
    }
    before = above
    above = current
  }
  return above[to.length]!
}
