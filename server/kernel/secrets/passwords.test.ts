/** Tests of argon2id passwords: verification and concurrency. */
import assert from 'node:assert/strict'
import { availableParallelism } from 'node:os'
import { describe, test } from 'node:test'
import { hashPassword as hashFor, verifyPassword as verifyFor } from './passwords.ts'
import { NoSlot } from '../limits/slots.ts'

const owner = { room: 'people', id: 'test' } as const
const hashPassword = (text: string) => hashFor(text, owner)
const verifyPassword = (text: string, phc: string) => verifyFor(text, phc, owner)

describe('a hash', () => {
  test('verifies its own password and no other', async () => {
    const hash = await hashPassword('correct horse battery staple')
    assert.equal(await verifyPassword('correct horse battery staple', hash), true)
    assert.equal(await verifyPassword('correct horse battery stapler', hash), false)
    assert.equal(await verifyPassword('', hash), false)
  })

  test('contains algorithm and costs in the PHC format', async () => {
    assert.match(
      await hashPassword('x'),
      /^\$argon2id\$v=19\$m=19456,t=2,p=1\$[\w+/]{22}\$[\w+/]{43}$/,
    )
  })

  test('differs each time because of its salt', async () => {
    assert.notEqual(await hashPassword('the same'), await hashPassword('the same'))
  })

  test('accepts the same letters in another Unicode form', async () => {
    const hash = await hashPassword('caf\u00e9 \ufb01')
    assert.equal(await verifyPassword('cafe\u0301 fi', hash), true)
  })

  test('accepts any text, of any length and script', async () => {
    const text = '密码 🔐 \0'.repeat(500)
    const hash = await hashPassword(text)
    assert.equal(await verifyPassword(text, hash), true)
    assert.equal(await verifyPassword(text.slice(0, -1), hash), false)
  })
})

test('verifies a hash that another program created', async () => {
  // Output of the reference implementation: echo -n password | argon2 somesalt -id -t 2 -m 16 -p 1
  const reference =
    '$argon2id$v=19$m=65536,t=2,p=1$c29tZXNhbHQ$CTFhFdXPJO1aFaMaO6Mm5c8y7cJHAph8ArZWb2GRPPc'
  assert.equal(await verifyPassword('password', reference), true)
  assert.equal(await verifyPassword('Password', reference), false)
})

describe('a text that is not a hash verifies nothing', () => {
  const tail = 'c29tZXNhbHRzb21lc2FsdA$CTFhFdXPJO1aFaMaO6Mm5c8y7cJHAph8ArZWb2GRPPc'
  const broken = {
    nothing: '',
    'plain text': 'password',
    'another algorithm': `$argon2i$v=19$m=65536,t=2,p=1$${tail}`,
    'another version': `$argon2id$v=16$m=65536,t=2,p=1$${tail}`,
    'more memory than is given': `$argon2id$v=19$m=9999999,t=2,p=1$${tail}`,
    'more passes than are made': `$argon2id$v=19$m=65536,t=999,p=1$${tail}`,
    'no passes': `$argon2id$v=19$m=65536,t=0,p=1$${tail}`,
    'less memory than its lanes need': `$argon2id$v=19$m=8,t=1,p=8$${tail}`,
    'no tag': '$argon2id$v=19$m=65536,t=2,p=1$c29tZXNhbHQ$',
  }
  for (const [what, phc] of Object.entries(broken)) {
    test(what, async () => assert.equal(await verifyPassword('password', phc), false))
  }
})

test('refuses requests of one owner over its share with NoSlot, and serves another owner meanwhile', async () => {
  const hash = await hashPassword('crowd')
  const working = Math.max(1, availableParallelism() - 2)
  const asked = Array.from({ length: working + 16 + 6 }, () => verifyPassword('crowd', hash))
  let ended = 0
  for (const one of asked) void one.then(() => (ended += 1)).catch(() => {})
  assert.equal(await verifyFor('crowd', hash, { ...owner, id: 'another' }), true)
  assert.ok(ended < working + 16, `${ended} had ended before`)
  const answers = await Promise.allSettled(asked)
  const refused = answers.filter(({ status }) => status === 'rejected')
  assert.equal(refused.length, 6)
  for (const answer of refused) {
    assert(answer.status === 'rejected' && answer.reason instanceof NoSlot && answer.reason.is_own)
    assert(answer.reason.retry_after_s > 0)
  }
  assert(answers.every((one) => one.status === 'rejected' || one.value))
  assert.equal(await verifyPassword('crowd', hash), true, 'Afterwards there is room again.')
})
