/** The difference between two texts by lines, as a shortest edit script (Myers). */
export interface DiffLine {
  kind: 'same' | 'added' | 'removed'
  text: string
  /** Line number before and after the change; null where the line is absent. */
  before: number | null
  after: number | null
}

/** Texts that differ in more lines are shown as replaced, because a script would take too long. */
const EDITS_MAX = 600

export function diffLines(before: string, after: string): DiffLine[] {
  const old_lines = linesOf(before)
  const new_lines = linesOf(after)
  let start = 0
  const shorter = Math.min(old_lines.length, new_lines.length)
  while (start < shorter && old_lines[start] === new_lines[start]) start += 1
  let end = 0
  while (end < shorter - start && old_lines.at(-1 - end) === new_lines.at(-1 - end)) end += 1
  const steps = [
    ...same(start),
    ...editScript(
      old_lines.slice(start, old_lines.length - end),
      new_lines.slice(start, new_lines.length - end),
    ),
    ...same(end),
  ]
  return numbered(steps, old_lines, new_lines)
}

type Step = DiffLine['kind']

const same = (count: number): Step[] => Array.from({ length: count }, () => 'same')

function linesOf(text: string): string[] {
  const lines = text.split('\n')
  if (lines.at(-1) === '') lines.pop()
  return lines
}

function numbered(steps: Step[], old_lines: string[], new_lines: string[]): DiffLine[] {
  let before = 0
  let after = 0
  return steps.map((kind) => {
    if (kind !== 'added') before += 1
    if (kind !== 'removed') after += 1
    const text = kind === 'removed' ? old_lines[before - 1] : new_lines[after - 1]
    return {
      kind,
      text: text ?? '',
      before: kind === 'added' ? null : before,
      after: kind === 'removed' ? null : after,
    }
  })
}

function editScript(old_lines: readonly string[], new_lines: readonly string[]): Step[] {
  const replaced = [...old_lines.map((): Step => 'removed'), ...new_lines.map((): Step => 'added')]
  if (old_lines.length === 0 || new_lines.length === 0) return replaced
  const rounds = searchRounds(old_lines, new_lines)
  return rounds === null ? replaced : stepsBack(rounds, old_lines.length, new_lines.length)
}

type Reach = Map<number, number>

/**
 * For each number of edits, the furthest place on each diagonal before that round. Null if more than
 * EDITS_MAX edits are needed.
 */
function searchRounds(old_lines: readonly string[], new_lines: readonly string[]): Reach[] | null {
  const reach: Reach = new Map([[1, 0]])
  const rounds: Reach[] = []
  for (let edits = 0; edits <= EDITS_MAX; edits += 1) {
    rounds.push(new Map(reach))
    for (let diagonal = -edits; diagonal <= edits; diagonal += 2) {
      let x = stepsDown(reach, diagonal, edits)
        ? (reach.get(diagonal + 1) ?? 0)
        : (reach.get(diagonal - 1) ?? 0) + 1
      while (
        x < old_lines.length &&
        x - diagonal < new_lines.length &&
        old_lines[x] === new_lines[x - diagonal]
      ) {
        x += 1
      }
      reach.set(diagonal, x)
      if (x >= old_lines.length && x - diagonal >= new_lines.length) return rounds
    }
  }
  return null
}

/** Whether the best way to a diagonal is an added line. */
function stepsDown(reach: Reach, diagonal: number, edits: number): boolean {
  if (diagonal === -edits) return true
  return diagonal !== edits && (reach.get(diagonal - 1) ?? 0) < (reach.get(diagonal + 1) ?? 0)
}

function stepsBack(rounds: readonly Reach[], old_count: number, new_count: number): Step[] {
  const steps: Step[] = []
  let x = old_count
  let y = new_count
  for (let edits = rounds.length - 1; edits >= 0; edits -= 1) {
    const reach = rounds[edits] ?? new Map<number, number>()
    const diagonal = x - y
    const isAdded = stepsDown(reach, diagonal, edits)
    const from_x = reach.get(isAdded ? diagonal + 1 : diagonal - 1) ?? 0
    const from_y = from_x - (isAdded ? diagonal + 1 : diagonal - 1)
    const start_x = edits === 0 ? 0 : isAdded ? from_x : from_x + 1
    for (; x > start_x; x -= 1) steps.push('same')
    if (edits > 0) steps.push(isAdded ? 'added' : 'removed')
    x = from_x
    y = from_y
  }
  return steps.toReversed()
}
