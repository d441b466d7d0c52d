/** Tests of charts as text. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { drawChart } from './chart.ts'

describe('a chart', () => {
  test('has a line for each label, with a bar in proportion to its value', () => {
    const drawn = drawChart({ labels: ['Mon', 'Tue', 'Wed'], values: [0, 12, 24] })
    assert.equal(drawn, `Mon 0\nTue ${'█'.repeat(12)} 12\nWed ${'█'.repeat(24)} 24`)
  })

  test('is refused without labels, with invalid values, and with more rows than the maximum', () => {
    for (const chart of [
      null,
      {},
      { labels: ['a'], values: [] },
      { labels: ['a'], values: ['1'] },
      { labels: ['a'], values: [-1] },
      { labels: Array(100).fill('a'), values: Array(100).fill(1) },
    ])
      assert.throws(() => drawChart(chart), /needs labels/)
  })
})
