/** The report of a run, as a table for people and as JSON for comparisons. */
import type { TaskResult } from './run.ts'

export interface Report {
  /** `scripted`, or the provider and its model. */
  driver: string
  seed: number
  done: number
  of: number
  tool_calls: number
  tokens_estimated: number
  time_ms: number
  results: readonly TaskResult[]
}

export function createReport(driver: string, seed: number, results: readonly TaskResult[]): Report {
  const sum = (of: (result: TaskResult) => number) =>
    results.reduce((total, result) => total + of(result), 0)
  return {
    driver,
    seed,
    done: sum(({ success }) => Number(success)),
    of: results.length,
    tool_calls: sum(({ tool_calls }) => tool_calls),
    tokens_estimated: sum(({ tokens_estimated }) => tokens_estimated),
    time_ms: sum(({ time_ms }) => time_ms),
    results,
  }
}

const columns = ['task', 'result', 'calls', 'tokens, estimated', 'tokens, counted', 'seconds']

/** Returns one line for each task, the totals, and the failed checks. */
export function writeTable({ driver, seed, results, ...sums }: Report): string {
  const rows = results.map(rowOf)
  const last = [
    `${sums.done} of ${sums.of}`,
    '',
    String(sums.tool_calls),
    String(sums.tokens_estimated),
    '',
    seconds(sums.time_ms),
  ]
  const all = [columns, ...rows, last]
  const widths = columns.map((_, at) => Math.max(...all.map((row) => row[at]?.length ?? 0)))
  const lines = all.map((row) => row.map((cell, at) => pad(cell, widths[at] ?? 0, at)).join('  '))
  const rule = '-'.repeat(lines[0]?.length ?? 0)
  const wrong = results.flatMap(({ task, faults }) => faults.map((fault) => `${task}: ${fault}`))
  const [head = '', ...body] = lines
  const shown = [head, rule, ...body.slice(0, -1), rule, ...body.slice(-1), '', ...wrong]
  return [`${driver}, seed ${seed}`, '', ...shown].join('\n').trimEnd()
}

function rowOf({ task, success, ended, ...took }: TaskResult): string[] {
  const { tool_calls, tokens_estimated, tokens_counted, time_ms } = took
  return [
    task,
    success ? 'done' : ended === 'done' ? 'not done' : ended.replace('_', ' '),
    String(tool_calls),
    String(tokens_estimated),
    tokens_counted ? `${tokens_counted.input} + ${tokens_counted.output}` : '',
    seconds(time_ms),
  ]
}

const seconds = (time_ms: number) => (time_ms / 1000).toFixed(1)

/** Aligns text left and numbers right. */
function pad(cell: string, width: number, at: number): string {
  return at < 2 ? cell.padEnd(width) : cell.padStart(width)
}
