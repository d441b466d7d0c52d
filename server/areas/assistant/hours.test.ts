/** Tests of opening hours: examples for boundaries, and properties of random schedules. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import {
  findNextClosing,
  toLocalDate,
  days,
  findHoursOn,
  isOpen,
  toLocalTime,
  findNextOpening,
  type BusinessHours,
} from './hours.ts'

const weekdays = ['mon', 'tue', 'wed', 'thu', 'fri'] as const
const shop: BusinessHours = {
  timezone: 'Europe/Amsterdam',
  opening_hours: [
    ...weekdays.map((day) => ({ day, from: '09:00', to: '17:30' })),
    { day: 'sat', from: '10:00', to: '13:00' },
    { day: 'sat', from: '14:00', to: '16:00' },
  ],
  closures: [{ date: '2026-12-25', reason: 'Kerst' }],
}
const bar: BusinessHours = {
  timezone: 'Europe/Amsterdam',
  opening_hours: [{ day: 'fri', from: '20:00', to: '03:00' }],
  closures: [],
}
const always: BusinessHours = {
  timezone: 'Europe/Amsterdam',
  opening_hours: days.map((day) => ({ day, from: '00:00', to: '24:00' })),
  closures: [],
}

const at = (text: string) => new Date(text)
const local = (hours: BusinessHours, moment: Date | null) => {
  if (moment === null) return null
  const { date, time } = toLocalTime(hours, moment)
  return `${date} ${time}`
}

describe('isOpen', () => {
  test('includes the start of a range and excludes its end', () => {
    assert.equal(isOpen(shop, at('2026-11-23T08:59:59+01:00')), false)
    assert.equal(isOpen(shop, at('2026-11-23T09:00:00+01:00')), true)
    assert.equal(isOpen(shop, at('2026-11-23T17:29:59+01:00')), true)
    assert.equal(isOpen(shop, at('2026-11-23T17:30:00+01:00')), false)
  })

  test('uses the time zone of the business', () => {
    assert.equal(isOpen(shop, at('2026-11-23T08:30:00Z')), true)
    assert.equal(isOpen({ ...shop, timezone: 'Asia/Tokyo' }, at('2026-11-23T08:30:00Z')), false)
  })

  test('is closed between two ranges', () => {
    assert.equal(isOpen(shop, at('2026-11-21T13:30:00+01:00')), false)
    assert.equal(isOpen(shop, at('2026-11-21T14:30:00+01:00')), true)
  })

  test('is closed on a date with a closure', () => {
    assert.equal(isOpen(shop, at('2026-12-24T10:00:00+01:00')), true)
    assert.equal(isOpen(shop, at('2026-12-25T10:00:00+01:00')), false)
  })

  test('continues a range past midnight into the next day', () => {
    assert.equal(isOpen(bar, at('2026-11-20T23:00:00+01:00')), true)
    assert.equal(isOpen(bar, at('2026-11-21T02:59:00+01:00')), true)
    assert.equal(isOpen(bar, at('2026-11-21T03:00:00+01:00')), false)
    assert.equal(isOpen(bar, at('2026-11-20T02:00:00+01:00')), false)
  })

  test('cancels a night that begins on a closed date, but not one that ends on it', () => {
    const closed = (date: string) => ({ ...bar, closures: [{ date }] })
    assert.equal(isOpen(closed('2026-11-20'), at('2026-11-21T01:00:00+01:00')), false)
    assert.equal(isOpen(closed('2026-11-21'), at('2026-11-21T01:00:00+01:00')), true)
  })

  test('is never open without hours', () => {
    const none = { ...shop, opening_hours: [] }
    assert.equal(isOpen(none, at('2026-11-23T10:00:00+01:00')), false)
    assert.equal(findNextOpening(none, at('2026-11-23T10:00:00+01:00')), null)
  })
})

describe('the next change of state', () => {
  test('is the end of the current range when open', () => {
    assert.equal(
      local(shop, findNextClosing(shop, at('2026-11-23T10:00:00+01:00'))),
      '2026-11-23 17:30',
    )
    assert.equal(findNextClosing(shop, at('2026-11-23T20:00:00+01:00')), null)
  })

  test('is after adjacent ranges, which are merged, also over midnight', () => {
    const night: BusinessHours = {
      ...bar,
      opening_hours: [
        { day: 'fri', from: '20:00', to: '24:00' },
        { day: 'sat', from: '00:00', to: '02:00' },
      ],
    }
    assert.equal(
      local(night, findNextClosing(night, at('2026-11-20T21:00:00+01:00'))),
      '2026-11-21 02:00',
    )
  })

  test('is null for a business that is always open, except before a closure', () => {
    assert.equal(findNextClosing(always, at('2026-11-23T10:00:00+01:00')), null)
    const closed = { ...always, closures: [{ date: '2026-11-25' }] }
    assert.equal(
      local(closed, findNextClosing(closed, at('2026-11-23T10:00:00+01:00'))),
      '2026-11-25 00:00',
    )
    assert.equal(
      local(closed, findNextOpening(closed, at('2026-11-23T10:00:00+01:00'))),
      '2026-11-26 00:00',
    )
  })

  test('is the start of the next range when closed, also after weekends and closures', () => {
    assert.equal(
      local(shop, findNextOpening(shop, at('2026-11-23T07:00:00+01:00'))),
      '2026-11-23 09:00',
    )
    assert.equal(
      local(shop, findNextOpening(shop, at('2026-11-21T13:15:00+01:00'))),
      '2026-11-21 14:00',
    )
    assert.equal(
      local(shop, findNextOpening(shop, at('2026-11-21T18:00:00+01:00'))),
      '2026-11-23 09:00',
    )
    assert.equal(
      local(shop, findNextOpening(shop, at('2026-12-24T18:00:00+01:00'))),
      '2026-12-26 10:00',
    )
  })

  test('is the start of the range after the current one, for opensNext when open', () => {
    assert.equal(
      local(shop, findNextOpening(shop, at('2026-11-23T10:00:00+01:00'))),
      '2026-11-24 09:00',
    )
  })

  test('is found beyond a year of closures', () => {
    const first = Temporal.PlainDate.from('2026-11-23')
    const closures = Array.from({ length: 366 }, (_, day) => ({
      date: first.add({ days: day }).toString(),
    }))
    const shut = { ...shop, closures }
    assert.equal(
      local(shut, findNextOpening(shut, at('2026-11-23T07:00:00+01:00'))),
      '2027-11-24 09:00',
    )
  })
})

describe('a night at a change to or from summer time', () => {
  const early: BusinessHours = {
    timezone: 'Europe/Amsterdam',
    opening_hours: [{ day: 'sun', from: '01:00', to: '04:00' }],
    closures: [],
  }
  const openMinutes = (date: string) => {
    const start =
      Temporal.PlainDate.from(date).toZonedDateTime('Europe/Amsterdam').epochMilliseconds
    const moments = Array.from({ length: 6 * 60 }, (_, minute) => new Date(start + minute * 60_000))
    return moments.filter((moment) => isOpen(early, moment)).length
  }

  test('is an hour shorter in spring and an hour longer in autumn', () => {
    assert.equal(openMinutes('2026-03-22'), 180)
    assert.equal(openMinutes('2026-03-29'), 120)
    assert.equal(openMinutes('2026-10-25'), 240)
  })

  test('has no range within the hour that does not exist', () => {
    const inside = {
      ...early,
      opening_hours: [{ day: 'sun', from: '02:15', to: '02:45' } as const],
    }
    const opened = findNextOpening(inside, at('2026-03-28T12:00:00+01:00'))
    assert.ok(opened)
    assert.equal(isOpen(inside, opened), true)
  })
})

describe('the hours of a date', () => {
  test('are sorted, with overlapping ranges merged', () => {
    const hours: BusinessHours = {
      ...shop,
      opening_hours: [
        { day: 'mon', from: '13:00', to: '17:00' },
        { day: 'mon', from: '09:00', to: '12:00' },
        { day: 'mon', from: '11:00', to: '12:30' },
      ],
    }
    const { ranges, day } = findHoursOn(hours, Temporal.PlainDate.from('2026-11-23'))
    assert.equal(day, 'mon')
    assert.deepEqual(ranges, [
      { from: '09:00', to: '12:30' },
      { from: '13:00', to: '17:00' },
    ])
  })

  test('are empty for a closure, with its reason', () => {
    const { ranges, closure } = findHoursOn(shop, Temporal.PlainDate.from('2026-12-25'))
    assert.deepEqual(ranges, [])
    assert.equal(closure?.reason, 'Kerst')
  })
})

const minute = fc.integer({ min: 0, max: 1_439 })
const clockTime = (minutes: number) =>
  `${String(Math.floor(minutes / 60)).padStart(2, '0')}:${String(minutes % 60).padStart(2, '0')}`
const range = fc
  .tuple(fc.constantFrom(...days), minute, minute)
  .filter(([, from, to]) => from !== to)
  .map(([day, from, to]) => ({ day, from: clockTime(from), to: clockTime(to) }))
const schedule = fc.record({
  timezone: fc.constantFrom(
    'Europe/Amsterdam',
    'America/New_York',
    'Australia/Lord_Howe',
    'Asia/Kolkata',
    'UTC',
  ),
  opening_hours: fc.array(range, { maxLength: 12 }),
  closures: fc.array(
    fc.integer({ min: 0, max: 40 }).map((day) => ({
      date: Temporal.PlainDate.from('2026-10-10').add({ days: day }).toString(),
    })),
    { maxLength: 6 },
  ),
})
const moment = fc
  .integer({
    min: Date.parse('2026-10-10T00:00:00Z') / 1000,
    max: Date.parse('2026-11-12T00:00:00Z') / 1000,
  })
  .map((seconds) => new Date(seconds * 1000))

describe('a random schedule', () => {
  const check = (law: (hours: BusinessHours, now: Date) => void) =>
    fc.assert(fc.property(schedule, moment, law), { numRuns: 150 })

  test('is open at each opening time and closed just before', () => {
    check((hours, now) => {
      const opens = findNextOpening(hours, now)
      if (opens === null) return
      assert.equal(isOpen(hours, opens), true)
      assert.equal(isOpen(hours, new Date(opens.getTime() - 1)), false)
      assert.ok(opens >= now)
    })
  })

  test('is closed at each closing time and open just before', () => {
    check((hours, now) => {
      const closes = findNextClosing(hours, now)
      if (closes === null) return
      assert.equal(isOpen(hours, closes), false)
      assert.equal(isOpen(hours, new Date(closes.getTime() - 1)), true)
      assert.ok(closes > now)
    })
  })

  test('does not change before the predicted change', () => {
    check((hours, now) => {
      const open = isOpen(hours, now)
      const change = open ? findNextClosing(hours, now) : findNextOpening(hours, now)
      const until = change?.getTime() ?? now.getTime() + 2 * 86_400_000
      const step = Math.max(60_000, (until - now.getTime()) / 20)
      for (let between = now.getTime(); between < until; between += step) {
        assert.equal(isOpen(hours, new Date(between)), open)
      }
    })
  })

  test('agrees with wall-clock time away from changes to summer time', () => {
    fc.assert(
      fc.property(schedule, moment, (hours, now) => {
        const plain = { ...hours, timezone: 'UTC' }
        const { time } = toLocalTime(plain, now)
        const today = toLocalDate(plain, now)
        const todays = findHoursOn(plain, today).ranges
        const yesterdays = findHoursOn(plain, today.subtract({ days: 1 })).ranges
        const open =
          todays.some(({ from, to }) => (from < to ? from <= time && time < to : from <= time)) ||
          yesterdays.some(({ from, to }) => to < from && time < to)
        assert.equal(isOpen(plain, now), open)
      }),
      { numRuns: 300 },
    )
  })
})
