/**
 * Everything that projects share is given out by slots, in which no owner may have it all: neither the
 * units, nor the places of those who wait.
 */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { withoutComments } from '../code.ts'
import { filesOf, isTest, readTree } from '../tree.ts'

/** Files whose slots belong to one owner. */
const of_one_owner = ['server/providers/app-runtime/host-servers.ts']

const users = filesOf(readTree(), /^server\/.*\.ts$/)
  .filter(([path, text]) => !isTest(path) && /createSlots\(/.test(text))
  .filter(([path]) => path !== 'server/kernel/limits/slots.ts' && !of_one_owner.includes(path))
  .map(([path, text]) => [path, withoutComments(text)] as const)

/** The value of a member of the options: a number, or a constant of the same file. */
function valueOf(code: string, member: string): number | null {
  const [, written = ''] = new RegExp(`\\b${member}: ([\\w.]+),`).exec(code) ?? []
  const [, constant] = new RegExp(`const ${written} = ([\\d_]+)\\b`).exec(code) ?? []
  const value = Number((constant ?? written).replaceAll('_', ''))
  return Number.isFinite(value) && written !== '' ? value : null
}

test('no owner may have all units or all places of slots', () => {
  assert.ok(users.length > 10, String(users.length))
  for (const [path, code] of users) {
    const [units, each] = [valueOf(code, 'units'), valueOf(code, 'units_each')]
    const [places, places_each] = [valueOf(code, 'waiting_max'), valueOf(code, 'waiting_each_max')]
    if (units !== null && each !== null) assert.ok(units === 1 || each < units, `${path}: units`)
    if (places !== null && places_each !== null)
      assert.ok(places === 0 || places_each < places, `${path}: places`)
  }
})
