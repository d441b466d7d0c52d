/** The faults and warnings of a plan, by the node and field that they belong to. */
import { pathOf } from '../model/json.ts'
import type { ProblemWords } from './problem-words.ts'
import type { PlanCheck } from '../queries.ts'

export interface PlanProblem {
  tone: 'bad' | 'warn'
  /** JSON pointer into the plan. */
  path: string
  message: string
  /** The node that it belongs to; null for the plan itself. */
  node: string | null
  /** JSON pointer below the node. */
  field: string
}

export interface Problems {
  all: readonly PlanProblem[]
  /** The error with which the server would refuse the plan, if it belongs to no part of it. */
  refusal: string | null
  /** Whether the shown result is that of the shown plan. */
  isCurrent: boolean
}

export function problemsOf(
  check: PlanCheck | undefined,
  isCurrent: boolean,
  words: ProblemWords,
): Problems {
  if (check === undefined) return { all: [], refusal: null, isCurrent }
  const { errors, warnings, refusal } = check
  return {
    all: [
      ...errors.map((one) => placed('bad', inWords(one, words))),
      ...warnings.map((one) => placed('warn', inWords(one, words))),
    ],
    refusal: errors.length === 0 ? refusal : null,
    isCurrent,
  }
}

interface Found {
  path: string
  message: string
}

function inWords({ path, message }: Found, words: ProblemWords): Found {
  return { path, message: words(message, path) }
}

function placed(tone: PlanProblem['tone'], { path, message }: Found): PlanProblem {
  const [first, node, ...field] = pathOf(path)
  if (first !== 'nodes' || node === undefined) {
    return { tone, path, message, node: null, field: path }
  }
  const below = field.map((part) => `/${part.replaceAll('~', '~0').replaceAll('/', '~1')}`)
  return { tone, path, message, node, field: below.join('') }
}

export function problemsAt({ all }: Problems, node: string): PlanProblem[] {
  return all.filter((problem) => problem.node === node)
}

/** The worst tone of some problems; null if there are none. */
export function worstOf(problems: readonly PlanProblem[]): PlanProblem['tone'] | null {
  if (problems.length === 0) return null
  return problems.some(({ tone }) => tone === 'bad') ? 'bad' : 'warn'
}
