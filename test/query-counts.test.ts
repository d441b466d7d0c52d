/**
 * Counts the SQL statements and round trips of each operation on the wire, at its second and third
 * request, and compares them with query-counts.txt. `HOMEPORT_WRITE_COUNTS=1` rewrites that file.
 * The count of an operation on many rows must not depend on the number of rows. `npm test` counts
 * those operations, `npm run test:long` all.
 */
import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import { operations, peopleOperations } from '../server/app.ts'
import type { Operation } from '../server/contract/operation.ts'
import { mediaOf } from '../server/contract/operations/streams.ts'
import { longTest } from './fixtures/depth.ts'
import { openTestRuntime } from './fixtures/runtime.ts'
import { openMeter, type Counted, type StatementMeter } from './fixtures/statement-meter.ts'
import { scenarioOf } from './query-counts/scenario-of.ts'
import { newPlace, type Ask, type Scenario } from './query-counts/scenario.ts'

const WRITE = 'HOMEPORT_WRITE_COUNTS=1 node test/run.ts test/query-counts.test.ts'
const file = join(import.meta.dirname, 'query-counts.txt')
const isWriting = process.env['HOMEPORT_WRITE_COUNTS'] === '1'

let opened: StatementMeter | null = null
const runtime = await openTestRuntime({
  work: false,
  relay: async (database) => (opened = await openMeter(database)),
})
const meter: StatementMeter = opened!
const kept = new Map(
  readFileSync(file, 'utf8')
    .split('\n')
    .flatMap((line) => {
      const [, name, counts] = /^([\w.]+) +(\d+ statements?, \d+ round trips?)$/.exec(line) ?? []
      return name && counts ? [[name, counts] as const] : []
    }),
)
const found = new Map<string, string>()

const some = (count: number, word: string) => `${count} ${word}${count === 1 ? '' : 's'}`
const textOf = ({ statements, round_trips }: Counted) =>
  `${some(statements.length, 'statement')}, ${some(round_trips, 'round trip')}`

/** The first words of each statement, enough to identify it. */
function shown({ statements }: Counted): string {
  return statements.map((text) => `\n  ${text.replaceAll(/\s+/g, ' ').slice(0, 160)}`).join('')
}

async function countOnce(ask: Ask, turn: number): Promise<Counted> {
  const { route, session, ...options } = await ask(turn)
  return meter.count(async () => {
    const answer = session
      ? await session.call(route, { body: options.body })
      : await runtime.call(route, options)
    assert.ok(answer.status < 300, `${route}: ${answer.text}`)
  })
}

interface Wanted {
  scenario: Scenario
  rows: number
  /** A count that needs no second look. */
  expected: string | undefined
}

/** Counts the second request, because the first may fill caches. */
async function countWarm({ scenario, rows, expected }: Wanted): Promise<Counted> {
  const place = await newPlace(runtime)
  const { key } = place
  const ready = await scenario.ready(place, rows)
  const ask: Ask = async (turn) => ({ key, ...(await ready(turn)) })
  await countOnce(ask, 0)
  const first = await countOnce(ask, 1)
  if (textOf(first) === expected) return first
  const counts = [first, await countOnce(ask, 2)]
  // Work that a call leaves running may end during the next one.
  if (textOf(counts[0]!) !== textOf(counts[1]!)) counts.push(await countOnce(ask, 3))
  const [earlier, later] = counts.slice(-2) as [Counted, Counted]
  const said = `Two calls differ:${shown(earlier)}\nand${shown(later)}`
  assert.equal(textOf(later), textOf(earlier), said)
  return later
}

/** Operations that list a fixed number of entries. */
const fixedLists = new Set<string>(['numbers.available', 'go_live.list'])

function isList({ reply }: Operation): boolean {
  const properties: Record<string, any> = Object(reply)['properties'] ?? {}
  return properties['data']?.type === 'array'
}

const counted = [...operations, ...peopleOperations].filter(
  (operation) => !mediaOf(operation)?.endless,
)

describe('the statement counts in query-counts.txt', () => {
  for (const operation of counted) {
    const { name } = operation
    // `npm test` counts lists, whose counts could depend on their rows.
    const quick = isWriting || scenarioOf(operation).rows ? test : longTest
    quick(`are those of ${name}`, async () => {
      const scenario = scenarioOf(operation)
      const [few, many] = scenario.rows ?? [1, null]
      const here = await countWarm({ scenario, rows: few, expected: kept.get(name) })
      found.set(name, textOf(here))
      if (many !== null) {
        const there = await countWarm({ scenario, rows: many, expected: textOf(here) })
        const said = `${name} runs ${textOf(here)} with ${few} rows, and ${textOf(there)} \
with ${many}. Ask for all rows in one statement. With ${many}:${shown(there)}`
        assert.equal(textOf(there), textOf(here), said)
      }
      if (isWriting) return
      const said = `${name} runs ${textOf(here)}; test/query-counts.txt says \
${kept.get(name) ?? 'nothing of it'}. Find the statement that came in, or went; if it is meant, run \
\`${WRITE}\` and say why in the commit. It ran:${shown(here)}`
      assert.equal(textOf(here), kept.get(name), said)
    })

    if (isList(operation) && !fixedLists.has(name)) {
      test(`of ${name} are the same for few rows and for many`, () => {
        assert(scenarioOf(operation).rows, `${name} is a list: give its scenario \`rows\`.`)
      })
    }
  }

  test('list no removed operation', () => {
    if (isWriting) return
    const names = new Set(counted.map(({ name }) => name))
    const gone = [...kept.keys()].filter((name) => !names.has(name as Operation['name']))
    assert.deepEqual(gone, [], `Run \`${WRITE}\`.`)
  })
})

after(() => {
  if (!isWriting) return
  const all = [...found].toSorted(([one], [other]) => one.localeCompare(other))
  const lines = all.map(([name, counts]) => `${name.padEnd(28)} ${counts}\n`)
  writeFileSync(
    file,
    `# The statements of each operation, counted by query-counts.test.ts.\n${lines.join('')}`,
  )
})
