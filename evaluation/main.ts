/**
 * `npm run eval:agent`: runs every task and injection case, each with a new server, with the
 * scripted agent or the configured model. Words after `--` select cases by name; `--write` stores
 * the report in evaluation/results; `--seeds 3` uses three consecutive seeds.
 */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { clusterEnvironment, startCluster } from '../test/fixtures/cluster.ts'
import { cases } from './injection/cases.ts'
import { taskOf } from './injection/case-as-task.ts'
import { modelDriver } from './agent/model.ts'
import { createReport, writeTable, type Report } from './report.ts'
import { runTask, scriptedDriver, type TaskResult } from './run.ts'
import { readEvaluationSettings } from './settings.ts'
import { tasks } from './task-list.ts'
import type { EvaluationTask } from './task.ts'

const { values, positionals } = parseArgs({
  options: {
    write: { type: 'boolean', default: false },
    seeds: { type: 'string', default: '1' },
  },
  allowPositionals: true,
})
const { model, seed } = readEvaluationSettings(process.env)
const chosen = [...tasks, ...cases.map(taskOf)].filter(
  ({ name }) => positionals.length === 0 || positionals.some((words) => name.includes(words)),
)
if (chosen.length === 0) {
  console.error(`No task has "${positionals.join('" or "')}" in its name.`)
  process.exit(1)
}

const seeds = Number(values.seeds)
if (!Number.isInteger(seeds) || seeds < 1) {
  console.error('--seeds takes a whole number from 1 on.')
  process.exit(1)
}

const driver = model ? modelDriver(model) : scriptedDriver()
const cluster = await startCluster()
Object.assign(process.env, clusterEnvironment(cluster))
const name = model ? `${model.provider}:${model.name}` : 'scripted'
let all_done = true
for (const one of Array.from({ length: seeds }, (_, nth) => seed + nth)) {
  const results: TaskResult[] = []
  for (const task of chosen) {
    const result = await runAlone(task, one)
    console.error(`${result.success ? 'done    ' : 'not done'} ${task.name}`)
    results.push(result)
  }
  const report = createReport(name, one, results)
  console.log(`\n${writeTable(report)}`)
  if (values.write) keep(report)
  all_done &&= report.done === report.of
}
await cluster.stop()
process.exitCode = all_done ? 0 : 1

function keep(report: Report): void {
  const folder = join(import.meta.dirname, 'results')
  mkdirSync(folder, { recursive: true })
  const nth = seeds > 1 ? `-${report.seed}` : ''
  const file = join(folder, `${name.replaceAll(/[^\w.-]+/g, '-')}${nth}.json`)
  writeFileSync(file, `${JSON.stringify(report, null, 2)}\n`)
}

/** Runs a task and closes its resources. */
async function runAlone(task: EvaluationTask, one: number): Promise<TaskResult> {
  const open: (() => Promise<void>)[] = []
  try {
    return await runTask(task, { seed: one, driver }, (close) => void open.push(close))
  } finally {
    for (const close of open.toReversed()) await close()
  }
}
