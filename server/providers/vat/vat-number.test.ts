/** Tests of the formats of VAT numbers, with numbers of every country and against check digits. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { euVat } from 'stdnum'
import { compactVatNumber, isForVies, readVatNumber, viesPrefixes } from './vat-number.ts'

/** A valid number of each country, and of each format if there are several. */
const good: Readonly<Record<string, readonly string[]>> = {
  AT: ['U13585627'],
  BE: ['0202239951', '1000000012'],
  BG: ['175074752', '7523169263'],
  CY: ['10259033P'],
  CZ: ['45274649', '640903926', '7103192745'],
  DE: ['136695976'],
  DK: ['13585628'],
  EE: ['100931558'],
  EL: ['094259216'],
  ES: ['B85905495', '54362315K', 'X2482300W', 'J99216582'],
  FI: ['20774740'],
  FR: ['40303265045', 'K7399859412'],
  HR: ['33392005961'],
  HU: ['12892312'],
  IE: ['6433435F', '6433435OA', '8D79739I', '8Z49289F', '3628739UA'],
  IT: ['00743110157'],
  LT: ['119511515', '100001919017'],
  LU: ['15027442'],
  LV: ['40003521600'],
  MT: ['11679112'],
  NL: ['004495445B01', '123456782B90', '000099998B57', '000000000B00'],
  PL: ['8567346215'],
  PT: ['501964843'],
  RO: ['18547290', '99'],
  SE: ['556188840401'],
  SI: ['50223054'],
  SK: ['2022749619'],
  XI: ['980780684', '980780684001', 'GD001', 'HA599'],
}

describe('a VAT number', () => {
  for (const [prefix, numbers] of Object.entries(good)) {
    test(`is accepted in each format of ${prefix}, and refused with a digit more or less`, () => {
      for (const number of numbers) {
        assert.equal(readVatNumber(prefix + number), prefix + number)
        assert.equal(readVatNumber(`${prefix}${number}1234567890`), null)
        assert.equal(readVatNumber(prefix + number.slice(0, 1)), null)
      }
    })
  }
  test('has a format for all 27 countries and Northern Ireland', () => {
    assert.deepEqual([...viesPrefixes].toSorted(), Object.keys(good).toSorted())
    assert.equal(viesPrefixes.length, 28)
  })
  test('is accepted with separators anywhere, also in lowercase', () => {
    for (const written of [
      'NL 1234.56.782.B90',
      'nl-123456782-b90',
      ' NL123456782B90 ',
      'NL\u00a0123456782–B90',
    ])
      assert.equal(readVatNumber(written), 'NL123456782B90', written)
  })
  test('begins with EL for Greece, also if it was given with GR', () => {
    assert.equal(readVatNumber('GR094259216'), 'EL094259216')
  })
  test('needs the prefix of its country', () => {
    for (const written of ['', 'NL', '123456782B90', '004495445', 'B85905495'])
      assert.equal(readVatNumber(written), null, written)
  })
  test('is refused for a country outside VIES', () => {
    for (const written of ['GB980780684', 'CHE116281710', 'NO995525828MVA', 'US123456789'])
      assert.equal(readVatNumber(written), null, written)
  })
  test('is accepted with a wrong check digit', () => {
    for (const written of ['DE123456789', 'NL123456789B01', 'DE123459999', 'NL000000000B00'])
      assert.equal(readVatNumber(written), written)
  })
})

test('accepts the format of each VAT number with a right check digit', () => {
  const digits = fc.integer({ min: 0, max: 10 ** 9 }).map((number) => String(number))
  const letter = fc.constantFrom(...'ABCDEFGHKLNPQSUVW')
  const part = fc.oneof({ weight: 5, arbitrary: digits }, { weight: 1, arbitrary: letter })
  const text = fc
    .array(part, { minLength: 1, maxLength: 3 })
    .map((parts) => parts.join(''))
    // The Dutch validator throws for the prefix alone.
    .filter((number) => number !== 'NL')
  fc.assert(
    fc.property(fc.constantFrom(...viesPrefixes), text, (prefix, number) => {
      const validators = euVat[prefix === 'EL' ? 'GR' : prefix] ?? []
      for (const validator of validators) {
        const checked = validator.validate(number)
        // Some validators pad with zeros; then the padded number must be valid.
        if (checked.isValid) assert.equal(readVatNumber(prefix + checked.compact) !== null, true)
      }
    }),
    { numRuns: 5_000 },
  )
})

test('is read into a compact form, and the compact form into itself', () => {
  fc.assert(
    fc.property(fc.string({ maxLength: 20 }), fc.constantFrom(...viesPrefixes), (text, prefix) => {
      const read = readVatNumber(prefix + text)
      if (read === null) return
      assert.equal(readVatNumber(read), read)
      assert.equal(compactVatNumber(read), read)
    }),
  )
})

describe('the check whether VIES covers a number', () => {
  const rules: [written: string, country: string | null, asked: boolean, why: string][] = [
    ['NL123456782B90', 'NL', true, 'an address in the EU'],
    ['DE136695976', 'NL', true, 'the number of another country of the EU'],
    ['123', 'FR', true, 'whatever is written, when the address is in the EU'],
    ['094259216', 'GR', true, 'Greece, whose prefix differs from its code'],
    ['XI980780684', 'GB', true, 'Northern Ireland'],
    ['xi 980 780 684', 'GB', true, 'Northern Ireland, grouped'],
    ['GB980780684', 'GB', false, 'the rest of the United Kingdom'],
    ['XI980780684', 'US', false, 'no British address'],
    ['DE136695976', 'US', false, 'an address outside the EU'],
    ['CHE116281710', 'CH', false, 'Switzerland'],
    ['DE136695976', null, true, 'no address yet: the number says it'],
    ['GR094259216', null, true, 'no address yet, with the other letters of Greece'],
    ['US123456789', null, false, 'no address yet, and no number of the EU'],
  ]
  for (const [written, country, asked, why] of rules)
    test(`${why}: ${asked ? 'asks VIES' : 'does not ask VIES'}`, () =>
      assert.equal(isForVies(written, country), asked))
})
