/** Tests of the numbers that calls may be forwarded to. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { getCountries, getCountryCallingCode } from 'libphonenumber-js/max'
import {
  correctSpelling,
  isShortNumber,
  describeTargetRefusal,
  type TargetRules,
} from './targets.ts'

const of_test: TargetRules = {
  number: { id: 'id', e164: '+447700900100', type: 'national', test: true },
  own_numbers: ['+447700900100', '+447700900101'],
}
const of_live: TargetRules = {
  number: { id: 'id', e164: '+31858880001', type: 'national', test: false },
  own_numbers: ['+31858880002'],
}

describe('the check of forward targets', () => {
  const ordinary = [
    '+31201234567',
    '+31612345678',
    '+31858888888',
    '+31880000000',
    '+442071838750',
    '+390612345678',
    '+12025550123',
    '+18005551234',
    '+8801712345678',
    '+5521987654321',
  ]
  for (const e164 of ordinary) {
    it(`accepts ${e164}`, () => {
      assert.equal(describeTargetRefusal(e164, of_live), null)
      assert.equal(describeTargetRefusal(e164, of_test), null)
    })
  }

  it('accepts the fictional range for a test number, which simulates ringing', () => {
    for (const e164 of ['+447700900000', '+447700900999', '+442079460123', '+448081570123']) {
      assert.equal(describeTargetRefusal(e164, of_test), null)
    }
  })
})

describe('the check of forward targets', () => {
  const refused: Record<string, string> = {
    '+31900123456': 'is a premium-rate number',
    '+449098790000': 'is a premium-rate number',
    '+19005551234': 'is a premium-rate number',
    '+33899123456': 'is a premium-rate number',
    '+881612345678': 'is a satellite or international network number',
    '+8821612345678': 'is a satellite or international network number',
    '+883510012345': 'is a satellite or international network number',
    '+870773111632': 'is a satellite or international network number',
    '+979112345678': 'is a satellite or international network number',
    '+9791': 'is a satellite or international network number',
    '112': 'is an emergency number',
    '911': 'is an emergency number',
    '999': 'is an emergency number',
    '+112': 'is an emergency number',
    '+44999': 'is an emergency number',
    '+1911': 'is an emergency number',
    '+31112': 'is an emergency number',
    '1400': 'is a short number',
    '+44123': 'is an emergency number',
    '+19112345678': 'is not a valid phone number',
    '+31123': 'is an emergency number',
    '+442': 'is not a valid phone number',
    '+31970101234567': 'is not a valid phone number',
    '+999123456789': 'is not a valid phone number',
  }
  for (const [e164, why] of Object.entries(refused)) {
    it(`refuses ${e164}`, () => {
      assert.equal(describeTargetRefusal(e164, of_live), why)
      assert.equal(describeTargetRefusal(e164, of_test), why)
    })
  }

  it('refuses a fictional number, for a live number', () => {
    const why = 'is a fictional or test number, which no real line answers'
    for (const e164 of ['+447700900000', '+447700900999', '+442079460123', '+448081570123']) {
      assert.equal(describeTargetRefusal(e164, of_live), why)
    }
  })

  it('refuses the called number itself, even if it is not in own_numbers', () => {
    const why = 'is the called number itself, which would loop the call'
    assert.equal(describeTargetRefusal('+447700900100', of_test), why)
    assert.equal(describeTargetRefusal('+31858880001', of_live), why)
  })

  it('refuses another number of the project', () => {
    const why = 'is another number of this project, which could loop the call'
    assert.equal(describeTargetRefusal('+447700900101', of_test), why)
    assert.equal(describeTargetRefusal('+31858880002', of_live), why)
  })

  it('refuses an emergency number after any country code, in any grouping', () => {
    const codes = fc.constantFrom(
      '',
      ...getCountries().map((country) => getCountryCallingCode(country)),
    )
    const numbers = fc.constantFrom('112', '911', '999', '000', '110', '113', '118', '119')
    const gaps = fc.constantFrom('', ' ', '-', '.', '/')
    fc.assert(
      fc.property(fc.constantFrom('', '+'), codes, fc.tuple(numbers, gaps), (plus, code, rest) => {
        const [number, gap] = rest
        const written = plus + code + gap + [...number].join(gap)
        assert.ok(isShortNumber(written), written)
        assert.equal(describeTargetRefusal(written, of_live), 'is an emergency number')
      }),
    )
  })
})

describe('the detection of short numbers', () => {
  // Vienna and Iran have E.164 numbers of six digits.
  for (const e164 of ['+431110', '+989601', '+31201234567', '0201234567', '', '+', 'x112']) {
    it(`does not match "${e164}", which is an E.164 number`, () =>
      assert.equal(isShortNumber(e164), false))
  }
})

describe('the suggested spelling', () => {
  it('is the E.164 form of a valid number with the trunk zero of its country', () => {
    assert.equal(correctSpelling('+4402079460123'), '+442079460123')
  })

  it('is null for a number in E.164 form and for an invalid number', () => {
    assert.equal(correctSpelling('+390612345678'), null)
    assert.equal(correctSpelling('+442'), null)
  })
})
