/** The guide for owners states the figures of the evaluation. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'

const read = (path: string) => readFileSync(join(import.meta.dirname, path), 'utf8')

/** The last column of the results: the businesses that were measured once. */
function freshFigures(): string[] {
  const rows = read('README.md').split('## Results')[1]?.split('\n') ?? []
  return rows.flatMap((row) => /\| (\d+ %) \|$/.exec(row)?.[1] ?? [])
}

test('the guide has the share of each row of the results, in their order', () => {
  const figures = freshFigures()
  assert.equal(figures.length, 6)
  const rows = read('../../docs/guides/answers.md').split('\n')
  assert.deepEqual(
    rows.flatMap((row) => /\| (\d+ %) \|$/.exec(row)?.[1] ?? []),
    figures,
  )
})
