/** The lines of two texts side by side, by their longest common subsequence. */

export interface ComparedLine {
  kind: 'kept' | 'added' | 'removed'
  text: string
}

/** Texts with more lines are shown as removed and added as a whole. */
const LINES_MAX = 3_000

export function compareLines(before: string, after: string): ComparedLine[] {
  const [old, now] = [before.split('\n'), after.split('\n')]
  const start = countEqual(old, now)
  const end = countEqual(old.slice(start).toReversed(), now.slice(start).toReversed())
  const kept = (lines: readonly string[]) => lines.map((text) => ({ kind: 'kept' as const, text }))
  return [
    ...kept(old.slice(0, start)),
    ...compareMiddle(old.slice(start, old.length - end), now.slice(start, now.length - end)),
    ...kept(old.slice(old.length - end)),
  ]
}

function countEqual(old: readonly string[], now: readonly string[]): number {
  let count = 0
  while (count < old.length && count < now.length && old[count] === now[count]) count += 1
  return count
}

function compareMiddle(old: readonly string[], now: readonly string[]): ComparedLine[] {
  const removed = (text: string): ComparedLine => ({ kind: 'removed', text })
  const added = (text: string): ComparedLine => ({ kind: 'added', text })
  if (old.length > LINES_MAX || now.length > LINES_MAX)
    return [...old.map(removed), ...now.map(added)]
  const lengths = commonLengths(old, now)
  const lines: ComparedLine[] = []
  let [left, right] = [0, 0]
  while (left < old.length && right < now.length) {
    if (old[left] === now[right]) {
      lines.push({ kind: 'kept', text: old[left]! })
      left += 1
      right += 1
    } else if (lengths[left + 1]![right]! >= lengths[left]![right + 1]!) {
      lines.push(removed(old[left]!))
      left += 1
    } else {
      lines.push(added(now[right]!))
      right += 1
    }
  }
  return [...lines, ...old.slice(left).map(removed), ...now.slice(right).map(added)]
}

/** The length of the longest common subsequence of the rests from each pair of lines. */
function commonLengths(old: readonly string[], now: readonly string[]): Uint16Array[] {
  const lengths = Array.from({ length: old.length + 1 }, () => new Uint16Array(now.length + 1))
  for (let left = old.length - 1; left >= 0; left -= 1) {
    for (let right = now.length - 1; right >= 0; right -= 1) {
      lengths[left]![right] =
        old[left] === now[right]
          ? lengths[left + 1]![right + 1]! + 1
          : Math.max(lengths[left + 1]![right]!, lengths[left]![right + 1]!)
    }
  }
  return lengths
}
