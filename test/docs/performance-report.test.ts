/** docs/performance.md contains only generated measurements. */
import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { areas } from '../../bench/areas.ts'
import { QUIET_MAX, results_folder, readResult } from '../../bench/support/result.ts'
import { reportFiles } from '../../bench/report/page.ts'
import { plotSvg } from '../../bench/report/plot.ts'

const docs = join(import.meta.dirname, '..', '..', 'docs')
const files = reportFiles()

describe('the benchmark report', () => {
  for (const [path, text] of Object.entries(files)) {
    test(`${path} equals the stored results`, () => {
      const said = `Run \`npm run bench -- report\`.`
      assert.equal(readFileSync(join(docs, path), 'utf8'), text, said)
    })
  }

  test('has exactly the generated plots', () => {
    const kept = readdirSync(join(docs, 'performance')).map((name) => `performance/${name}`)
    const made = Object.keys(files).filter((path) => path.endsWith('.svg'))
    assert.deepEqual(kept.toSorted(), made.toSorted())
  })

  test('has results of existing areas only, each with its machine', () => {
    const names = new Set(areas.map(({ name }) => name))
    for (const file of readdirSync(results_folder)) {
      const { area, machine, load_average, tables, generator } = readResult(
        join(results_folder, file),
      )
      assert.equal(file, `${area}.json`)
      assert.ok(names.has(area), area)
      assert.ok(machine.cores > 0 && generator !== '' && load_average.before >= 0, area)
      for (const { columns, rows } of tables)
        for (const row of rows) assert.equal(row.length, columns.length, area)
    }
  })

  test('states that a machine was busy', () => {
    for (const file of readdirSync(results_folder)) {
      const { busy, other_work } = readResult(join(results_folder, file))
      assert.equal(busy, other_work > QUIET_MAX, file)
      if (busy) assert.match(files['performance.md'] ?? '', /The machine had other work/)
    }
  })
})

describe('a plot', () => {
  const plot = {
    name: 'cost',
    title: 'Cost & <rows>',
    x: { title: 'rows', scale: 'log' },
    y: { title: 'µs', scale: 'linear' },
    series: [
      { name: 'one', points: [[1, 10] as const, [100, 20] as const] },
      { name: 'other', points: [[1, 10] as const, [100, 20] as const] },
    ],
  } as const
  const svg = plotSvg(plot)

  test('is readable on a dark page, and has a text alternative', () => {
    assert.match(svg, /prefers-color-scheme:dark/)
    assert.match(svg, /aria-label="Cost &amp; &lt;rows>"/)
  })

  test('keeps all marks in its frame and its labels apart', () => {
    const places = [...svg.matchAll(/ x="([\d.-]+)" y="([\d.-]+)"/g)].map(([, x, y]) => [x, y])
    for (const [x, y] of places.map((one) => one.map(Number))) {
      assert.ok(x! >= 0 && x! <= 760 && y! >= 0 && y! <= 400, `${x} ${y}`)
    }
    const names = [...svg.matchAll(/class="n\d" x="[\d.]+" y="([\d.]+)"/g)].map(([, y]) =>
      Number(y),
    )
    assert.equal(names.length, 2)
    assert.ok(Math.abs(names[0]! - names[1]!) >= 16)
  })
})
