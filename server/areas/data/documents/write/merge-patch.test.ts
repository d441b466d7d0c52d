/** The examples of RFC 7396, Appendix A, whose patches are objects, and further cases. */
import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import fc from 'fast-check'
import { mergePatch } from './write-state.ts'

const examples: readonly [unknown, Record<string, unknown>, unknown][] = [
  [{ a: 'b' }, { a: 'c' }, { a: 'c' }],
  [{ a: 'b' }, { b: 'c' }, { a: 'b', b: 'c' }],
  [{ a: 'b' }, { a: null }, {}],
  [{ a: 'b', b: 'c' }, { a: null }, { b: 'c' }],
  [{ a: ['b'] }, { a: 'c' }, { a: 'c' }],
  [{ a: 'c' }, { a: ['b'] }, { a: ['b'] }],
  [{ a: { b: 'c' } }, { a: { b: 'd', c: null } }, { a: { b: 'd' } }],
  [{ a: [{ b: 'c' }] }, { a: [1] }, { a: [1] }],
  [{ e: null }, { a: 1 }, { e: null, a: 1 }],
  [[1, 2], { a: 'b', c: null }, { a: 'b' }],
  [{}, { a: { bb: { ccc: null } } }, { a: { bb: {} } }],
]

suite('a merge patch', () => {
  for (const [target, patch, result] of examples) {
    test(`${JSON.stringify(patch)} applied to ${JSON.stringify(target)}`, () => {
      assert.deepEqual(mergePatch(target, patch), result)
    })
  }

  test('changes no prototype', () => {
    const patch = JSON.parse('{"__proto__": {"polluted": true}}')
    const merged = mergePatch({}, patch)
    assert.deepEqual(Object.keys(merged), ['__proto__'])
    assert.equal(Object.getPrototypeOf(merged), Object.prototype)
  })

  test('is idempotent and modifies neither target nor patch', () => {
    const object = fc.dictionary(fc.string({ maxLength: 3 }), fc.jsonValue({ maxDepth: 3 }))
    fc.assert(
      fc.property(object, object, (target, patch) => {
        const before = JSON.stringify([target, patch])
        const once = mergePatch(target, patch)
        assert.deepEqual(mergePatch(once, patch), once)
        assert.equal(JSON.stringify([target, patch]), before)
      }),
    )
  })
})
