/** Tests of encoding, segments and folding: known boundaries, and properties of random texts. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { foldText } from './fold.ts'
import { countSeptets, isGsm7 } from './gsm7.ts'
import { segmentText } from './segments.ts'

const count = (text: string) => {
  const { encoding, segments } = segmentText(text)
  return [encoding, segments]
}

describe('the count of segments', () => {
  it('is 160 characters of the SMS alphabet in one, then 153 in each', () => {
    assert.deepEqual(count('a'.repeat(160)), ['gsm7', 1])
    assert.deepEqual(count('a'.repeat(161)), ['gsm7', 2])
    assert.deepEqual(count('a'.repeat(306)), ['gsm7', 2])
    assert.deepEqual(count('a'.repeat(307)), ['gsm7', 3])
    assert.deepEqual(count('a'.repeat(918)), ['gsm7', 6])
    assert.deepEqual(count('a'.repeat(919)), ['gsm7', 7])
  })

  it('is 70 units of other alphabets in one, then 67 in each', () => {
    assert.deepEqual(count('ж'.repeat(70)), ['ucs2', 1])
    assert.deepEqual(count('ж'.repeat(71)), ['ucs2', 2])
    assert.deepEqual(count('ж'.repeat(402)), ['ucs2', 6])
    assert.deepEqual(count('ж'.repeat(403)), ['ucs2', 7])
  })

  it('counts the characters of the extension twice, and never splits one', () => {
    for (const letter of '^{}[]~|€\\\f') assert.equal(countSeptets(letter), 2)
    assert.deepEqual(count('€'.repeat(80)), ['gsm7', 1])
    assert.deepEqual(count('€'.repeat(81)), ['gsm7', 2])
    // 152 septets and half of the next: the euro moves to the second segment.
    assert.deepEqual(count(`${'a'.repeat(152)}€${'a'.repeat(152)}`), ['gsm7', 3])
  })

  it('counts an emoji as two units, and never splits it', () => {
    assert.deepEqual(count('👍'.repeat(35)), ['ucs2', 1])
    assert.deepEqual(count('👍'.repeat(36)), ['ucs2', 2])
    // 33 emoji fill 66 of 67 units.
    assert.deepEqual(count('👍'.repeat(67)), ['ucs2', 3])
  })

  it('knows which accented letters are in the SMS alphabet', () => {
    assert(isGsm7('Ç é ä ö ü ß ñ à ø å'))
    for (const letter of ['ç', 'ê', '“', '`', 'ï', 'ë']) assert(!isGsm7(letter), letter)
  })

  it('fills segments so that their units and the rest add up', () => {
    const letters = fc.constantFrom(...'abc é€{~', 'ж', '👍', '\n')
    fc.assert(
      fc.property(fc.array(letters, { minLength: 1, maxLength: 700 }), (parts) => {
        const text = parts.join('')
        const { encoding, segments, units, units_left } = segmentText(text)
        const [single, part] = encoding === 'gsm7' ? [160, 153] : [70, 67]
        if (segments === 1) return units + units_left === single
        // At most one unit of a segment stays empty.
        const room = segments * part - units_left
        return units > single && room >= units && room - units < segments
      }),
    )
  })
})

describe('folding', () => {
  it('replaces typographic marks if the text then fits the SMS alphabet', () => {
    assert.equal(foldText('“It’s ready” – come by…'), '"It\'s ready" - come by...')
    assert.equal(foldText('a\u00a0b\u200bc'), 'a bc')
  })

  it('leaves a text that has other characters as it is', () => {
    for (const text of ['“Привет” – жду', 'It’s ready 👍', 'Zoë’s', 'plain']) {
      assert.equal(foldText(text), text)
    }
  })

  it('never makes a text blank', () => {
    assert.equal(foldText('\u200b'), '\u200b')
  })

  it('is idempotent and never takes more segments, for any text', () => {
    const letters = fc.constantFrom(...'ab’“…–é€', '👍', '\u00a0')
    fc.assert(
      fc.property(fc.array(letters, { maxLength: 400 }), (parts) => {
        const text = parts.join('')
        const folded = foldText(text)
        return (
          foldText(folded) === folded && segmentText(folded).segments <= segmentText(text).segments
        )
      }),
    )
  })
})
