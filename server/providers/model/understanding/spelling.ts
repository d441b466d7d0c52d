/** The edit distance of words, with swapped neighbours counted once (optimal string alignment). */

/** The number of letters that differ; above `most` the result is only known to be above it. */
export function lettersApart(left: string, right: string, most: number): number {
  if (Math.abs(left.length - right.length) > most) return most + 1
  let rows: [before: number[], last: number[]] = [
    [],
    Array.from({ length: right.length + 1 }, (_, at) => at),
  ]
  for (let row = 1; row <= left.length; row += 1) {
    const next = nextRow(rows, { left, right, row })
    if (Math.min(...next) > most) return most + 1
    rows = [rows[1], next]
  }
  return rows[1][right.length] ?? 0
}

interface Compared {
  left: string
  right: string
  row: number
}

function nextRow([before, last]: readonly number[][], { left, right, row }: Compared): number[] {
  const next = [row]
  const letter = left[row - 1]
  for (let at = 1; at <= right.length; at += 1) {
    const replaced = (last?.[at - 1] ?? 0) + (letter === right[at - 1] ? 0 : 1)
    const is_swap = at > 1 && letter === right[at - 2] && left[row - 2] === right[at - 1]
    const swapped = is_swap ? (before?.[at - 2] ?? Infinity) + 1 : Infinity
    next.push(Math.min((last?.[at] ?? 0) + 1, (next[at - 1] ?? 0) + 1, replaced, swapped))
  }
  return next
}
