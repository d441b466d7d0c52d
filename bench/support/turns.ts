/**
 * Measures several targets in turn: all in every round, in alternating order, so that other load on
 * the machine affects all. The first round is the warm-up, and passes with refusals are discarded.
 */
import type { Pass } from './load.ts'
import { ratios, spread, type Spread } from './spread.ts'

/** The passes of each target by round; null for a pass with refusals. */
export type Turns = ReadonlyMap<string, readonly (Pass | null)[]>

export async function takeTurns(
  names: readonly string[],
  rounds: number,
  pass: (name: string, round: number) => Promise<Pass>,
): Promise<Turns> {
  const turns = new Map(names.map((name) => [name, [] as (Pass | null)[]]))
  for (let round = -1; round < rounds; round += 1) {
    for (const name of round % 2 === 0 ? names : names.toReversed()) {
      const found = await pass(name, round)
      if (found.refused > 0) console.error(`${name}: a pass was refused: ${found.how}.`)
      if (round >= 0) turns.get(name)?.push(found.refused > 0 ? null : found)
    }
  }
  return turns
}

export type Figure = Exclude<keyof Pass, 'refused' | 'how'>

function valuesOf(turns: Turns, name: string, figure: Figure): (number | null)[] {
  return (turns.get(name) ?? []).map((pass) => pass?.[figure] ?? null)
}

/** Returns the spread of a figure; null if no pass is valid. */
export function figureOf(turns: Turns, name: string, figure: Figure): Spread | null {
  const values = valuesOf(turns, name, figure).filter((value) => value !== null)
  return values.length > 0 ? spread(values) : null
}

/** Returns the ratio of the rates in the same round. */
export function ratioOf(turns: Turns, name: string, other: string): Spread | null {
  const theirs = valuesOf(turns, other, 'per_second')
  const both = valuesOf(turns, name, 'per_second').flatMap((ours, round) => {
    const found = theirs[round]
    return ours !== null && found ? [[ours, found] as const] : []
  })
  return ratios(
    both.map(([ours]) => ours),
    both.map(([, found]) => found),
  )
}

/** Returns the processor time of one request, of service and PostgreSQL together, in µs. */
export function costOf(turns: Turns, name: string): Spread | null {
  const costs = costsOf(turns, name).filter((cost) => cost !== null)
  return costs.length > 0 ? spread(costs) : null
}

/** Returns our cost divided by theirs in the same round. */
export function costRatioOf(turns: Turns, name: string, other: string): Spread | null {
  const theirs = costsOf(turns, other)
  const both = costsOf(turns, name).flatMap((ours, round) => {
    const found = theirs[round]
    return ours !== null && found ? [[ours, found] as const] : []
  })
  return ratios(
    both.map(([ours]) => ours),
    both.map(([, found]) => found),
  )
}

function costsOf(turns: Turns, name: string): (number | null)[] {
  return (turns.get(name) ?? []).map((pass) => pass && pass.service_us + pass.postgres_us)
}
