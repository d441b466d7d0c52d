/**
 * `npm run eval:assistant`: asks the questions of a half of the set, by the built-in or the configured
 * model, and prints the figures. `--half unopened` prints figures only, because its questions are not
 * read while the model is changed. `--each` also prints every reply that is not right.
 */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { clusterEnvironment, startCluster } from '../../test/fixtures/cluster.ts'
import { movableClock } from '../../server/kernel/clock.ts'
import { openTestRuntime } from '../../test/fixtures/runtime.ts'
import { readEvaluationSettings } from '../settings.ts'
import { askAll, type Result } from './answer.ts'
import { drawPlot } from './plot.ts'
import { halves, readQuestions } from './read-set.ts'
import { allFigures, timeAt, writeTable } from './report.ts'

const { values } = parseArgs({
  options: {
    half: { type: 'string', default: 'open' },
    each: { type: 'boolean', default: false },
    write: { type: 'boolean', default: false },
  },
})
const half = halves.find((one) => one === values.half)
if (half === undefined) {
  console.error(`--half is one of ${halves.join(', ')}.`)
  process.exit(1)
}
const { model } = readEvaluationSettings(process.env)
const settings = model && {
  HOMEPORT_MODEL: model.provider,
  HOMEPORT_MODEL_NAME: model.name,
  HOMEPORT_MODEL_KEY: model.key,
  HOMEPORT_MODEL_URL: model.url ?? '',
}
const cluster = await startCluster()
Object.assign(process.env, clusterEnvironment(cluster))
const closing: (() => Promise<void>)[] = []
const server = await openTestRuntime({
  work: false,
  settings: settings ?? {},
  // A Wednesday morning.
  clock: movableClock(Date.UTC(2026, 10, 25, 10, 30) - Date.now()),
  atEnd: (close) => void closing.push(close),
})
const results = await askAll(server, readQuestions(half))
for (const close of closing) await close()
await cluster.stop()

const name = model ? `${model.provider}:${model.name}` : 'builtin'
if (values.each && half !== 'unopened') printMisses(results)
const figures = allFigures(results)
console.log(`${name}, ${half} half, ${results.length} questions\n\n${writeTable(figures)}`)
const ms = (share: number) => timeAt(results, share).toFixed(1)
console.log(`\nReply time in ms: p50 ${ms(0.5)}, p99 ${ms(0.99)}`)
if (values.write) keep()

function printMisses(all: readonly Result[]): void {
  for (const { question, replies, outcome, order_read, invented } of all) {
    const marks = [outcome, ...(order_read ? ['ORDER'] : []), ...(invented ? ['INVENTED'] : [])]
    if (marks.length === 1 && (outcome === 'right' || outcome === 'refused')) continue
    const { business, kind, language, text } = question
    console.log(`${marks.join(' ')} | ${business.id} ${kind} ${language} | ${text}`)
    for (const reply of replies) console.log(`    ${reply.text}`)
  }
}

function keep(): void {
  const folder = join(import.meta.dirname, 'results')
  mkdirSync(folder, { recursive: true })
  const file = join(folder, `${name.replaceAll(/[^\w.-]+/g, '-')}-${half}`)
  writeFileSync(`${file}.json`, `${JSON.stringify({ name, half, figures }, null, 2)}\n`)
  writeFileSync(`${file}.svg`, drawPlot(`${name}, ${half} half`, figures))
}
