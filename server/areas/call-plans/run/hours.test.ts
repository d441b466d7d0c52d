/**
 * Tests of the hours that a node passes to the opening hours calculation, and of the edge that it
 * takes.
 */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { isCalendarDate, isTimezone, chooseOpeningEdge, type Hours, type IsOpen } from './hours.ts'
import type { OpeningHours } from '../nodes/node-schemas.ts'

const edges = { onOpen: 'open', onClosed: 'closed', onHoliday: 'holiday' }
const base = { id: 'hours', type: 'openingHours', ...edges } as const

const of_assistant: OpeningHours = { ...base, source: 'assistant' }
const custom: OpeningHours = {
  ...base,
  source: 'custom',
  schedule: {
    timezone: 'Europe/Amsterdam',
    week: { mon: [{ from: '09:00', to: '17:00' }], tue: [{ from: '18:00', to: '02:00' }] },
    exceptions: [
      { date: '2026-03-02', ranges: [{ from: '12:00', to: '13:00' }] },
      { date: '2026-03-10', closed: true, ranges: [{ from: '00:00', to: '24:00' }] },
    ],
  },
}
const assistant_hours: Hours = {
  timezone: 'America/New_York',
  opening_hours: [{ day: 'mon', from: '09:00', to: '17:00' }],
  closures: [{ date: '2026-12-25', reason: 'Christmas' }],
}

/** Returns the edge at a moment if the calculation returns `open`, and the hours passed to it. */
function ask(node: OpeningHours, at: string, open: boolean) {
  const given: { hours: Hours; at: string }[] = []
  const isOpen: IsOpen = (hours, when) => {
    given.push({ hours, at: when })
    return open
  }
  const edge = chooseOpeningEdge(node, { assistant_hours, at, isOpen })
  return { edge, hours: given[0]?.hours, at: given[0]?.at }
}

const weekOf = (hours: Hours | undefined) =>
  hours?.opening_hours.map(({ day, from, to }) => `${day} ${from}-${to}`)

describe('opening hours of the assistant', () => {
  it('are passed unchanged, with the start of the call', () => {
    const asked = ask(of_assistant, '2026-03-02T15:00:00.000Z', true)
    assert.deepEqual(asked, {
      edge: 'open',
      hours: assistant_hours,
      at: '2026-03-02T15:00:00.000Z',
    })
  })

  it('lead to onClosed while closed', () => {
    assert.equal(ask(of_assistant, '2026-03-02T03:00:00Z', false).edge, 'closed')
  })

  it('lead to onHoliday on the date of a closure, in their own time zone', () => {
    assert.equal(ask(of_assistant, '2026-12-25T05:00:00Z', false).edge, 'holiday')
    assert.equal(ask(of_assistant, '2026-12-26T04:59:00Z', false).edge, 'holiday')
    assert.equal(ask(of_assistant, '2026-12-25T04:59:00Z', false).edge, 'closed')
    assert.equal(ask(of_assistant, '2026-12-26T05:00:00Z', false).edge, 'closed')
  })

  it('lead to onClosed on a holiday without an onHoliday edge', () => {
    const { onHoliday: _, ...node } = of_assistant
    assert.equal(ask(node, '2026-12-25T12:00:00Z', false).edge, 'closed')
  })

  it('count as always open if the assistant has none', () => {
    const isOpen = () => assert.fail('There is nothing to ask about.')
    const opening = { assistant_hours: null, at: '2026-03-02T03:00:00Z', isOpen }
    assert.equal(chooseOpeningEdge(of_assistant, opening), 'open')
  })
})

describe('opening hours of a node', () => {
  it('are passed with their own time zone', () => {
    const { hours } = ask(custom, '2026-03-16T12:00:00Z', true)
    assert.deepEqual(hours, {
      timezone: 'Europe/Amsterdam',
      opening_hours: [
        { day: 'mon', from: '09:00', to: '17:00' },
        { day: 'tue', from: '18:00', to: '02:00' },
      ],
      closures: [],
    })
  })

  it('are replaced on the date of an exception with ranges', () => {
    const { hours } = ask(custom, '2026-03-02T12:00:00Z', true)
    assert.deepEqual(weekOf(hours), ['mon 12:00-13:00', 'tue 18:00-02:00'])
  })

  it('are empty on a closed date, whatever its ranges', () => {
    const { hours } = ask(custom, '2026-03-10T19:00:00Z', false)
    assert.deepEqual(weekOf(hours), ['mon 09:00-17:00'])
  })

  it('do not continue past midnight from a closed day', () => {
    const { hours } = ask(custom, '2026-03-11T00:30:00Z', false)
    assert.deepEqual(weekOf(hours), ['mon 09:00-17:00'])
  })

  it('apply the date of an exception in their own time zone', () => {
    const { hours } = ask(custom, '2026-03-01T23:30:00Z', true)
    assert.deepEqual(weekOf(hours), ['mon 12:00-13:00', 'tue 18:00-02:00'])
  })

  it('lead to onHoliday while closed on the date of an exception, and to onOpen while open', () => {
    assert.equal(ask(custom, '2026-03-10T19:00:00Z', false).edge, 'holiday')
    assert.equal(ask(custom, '2026-03-02T18:00:00Z', false).edge, 'holiday')
    assert.equal(ask(custom, '2026-03-02T11:30:00Z', true).edge, 'open')
    assert.equal(ask(custom, '2026-03-11T12:00:00Z', false).edge, 'closed')
  })
})

describe('the checks of names and dates', () => {
  it('distinguish time zones from offsets and other texts', () => {
    for (const name of ['Europe/Amsterdam', 'America/New_York', 'UTC']) assert.ok(isTimezone(name))
    for (const name of ['+01:00', 'Mars/Olympus', '', 'Europe/', '2020-01-01[UTC]']) {
      assert.equal(isTimezone(name), false, name)
    }
  })

  it('distinguish existing dates from others', () => {
    for (const date of ['2026-12-25', '2028-02-29']) assert.ok(isCalendarDate(date))
    for (const date of ['2026-02-29', '2026-13-01', '2026-1-1', '20261225', 'Easter', '']) {
      assert.equal(isCalendarDate(date), false, date)
    }
  })
})
