/** Tests of the proof of work of forms over HTTP, solved like ALTCHA clients do. */
import assert from 'node:assert/strict'
import { hash } from 'node:crypto'
import { describe, test } from 'node:test'
import { createChallenge } from 'altcha-lib/v1'
import { limits } from '../../contract/limits.ts'
import { sweepChallenges } from '../../kernel/challenge.ts'
import { openTestRuntime } from '../../../test/fixtures/runtime.ts'
import { BROWSER, openSite, slugOf } from '../../../test/fixtures/sites/site.ts'

const runtime = await openTestRuntime({ work: false })
const site = await openSite(runtime)
const schema = { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] }

for (const name of ['guarded', 'second', 'open']) {
  const form = { challenge: name !== 'open' }
  const made = await runtime.call('POST /collections', {
    body: { name, schema, public_write: true, form },
  })
  assert.equal(made.status, 201, made.text)
}

interface Solution {
  algorithm: string
  challenge: string
  number: number
  salt: string
  signature: string
}

async function solve(name = 'guarded'): Promise<Solution> {
  const { status, body } = await site.send(`GET /public/collections/${name}/challenge`)
  assert.equal(status, 200)
  const { algorithm, challenge, salt, maxnumber, signature } = body
  let number = 0
  while (number <= maxnumber && hash('sha256', `${salt}${number}`) !== challenge) number += 1
  return { algorithm, challenge, number, salt, signature }
}

const written = (solution: object) => Buffer.from(JSON.stringify(solution)).toString('base64')

async function submit(solution: object | string | undefined, data: object = { name: 'Anna' }) {
  const text = typeof solution === 'object' ? written(solution) : solution
  const answer = await site.send('POST /public/collections/guarded/documents', {
    body: { ...data, ...(text === undefined ? {} : { hp_challenge: text }) },
  })
  return [answer.status, answer.status < 400 ? '' : slugOf(answer)]
}

const failed = [403, 'challenge_failed']

describe('a collection that requires a challenge', () => {
  test('publishes a challenge of the documented difficulty with its form', async () => {
    const form = await site.send('GET /public/collections/guarded/form')
    assert.equal(form.body.challenge, true)
    const { body } = await site.send('GET /public/collections/guarded/challenge')
    assert.equal(body.algorithm, 'SHA-256')
    assert.equal(body.maxnumber, limits.form_challenge_steps_max)
  })

  test('replays the reply for a repeated hp_submission although its solution is used', async () => {
    const body = { name: 'Ann', hp_submission: 'a1b2c3d4', hp_challenge: written(await solve()) }
    const send = () => site.send('POST /public/collections/guarded/documents', { body })
    const first = await send()
    assert.equal(first.status, 201, first.text)
    assert.deepEqual((await send()).body, first.body)
  })

  test('accepts a solution once, whatever the content', async () => {
    const solution = await solve()
    assert.deepEqual(await submit(solution), [201, ''])
    assert.deepEqual(await submit(solution), failed)
    assert.deepEqual(await submit({ ...solution, extra: 1 }), failed)
  })

  test('accepts one of several concurrent uses of a solution', async () => {
    const solution = await solve()
    const answers = await Promise.all(Array.from({ length: 8 }, () => submit(solution)))
    assert.equal(answers.filter(([status]) => status === 201).length, 1)
    assert.deepEqual(
      answers.filter(([status]) => status !== 201),
      Array.from({ length: 7 }, () => failed),
    )
  })

  test('keeps a solution valid if the fields were invalid', async () => {
    const solution = await solve()
    assert.deepEqual(await submit(solution, {}), [422, 'schema_mismatch'])
    assert.deepEqual(await submit(solution), [201, ''])
  })

  test('refuses a form without a solution, as JSON and as a page', async () => {
    assert.deepEqual(await submit(undefined), failed)
    assert.deepEqual(await submit(''), failed)
    const page = await site.send('POST /public/collections/guarded/documents', {
      fields: [['name', 'Anna']],
      accept: BROWSER,
    })
    assert.equal(page.status, 403)
    assert.match(page.text, /needs JavaScript/)
  })

  test('refuses an invalid solution', async () => {
    const solution = await solve()
    const { number } = solution
    const wrong = [
      { ...solution, number: number + 1 },
      { ...solution, number: String(number) },
      { ...solution, number: -1 },
      { ...solution, number: null },
      { ...solution, signature: '0'.repeat(64) },
      { ...solution, algorithm: 'SHA-1' },
      { ...solution, salt: solution.salt.replace(/expires=\d+/, 'expires=9999999999') },
      {
        ...solution,
        salt: `${solution.salt}${String(number).slice(0, 1)}`,
        number: Number(String(number).slice(1)),
      },
      { ...solution, challenge: solution.challenge.toUpperCase() },
      [],
      'x',
      '{}',
      'bnVsbA==',
      'a'.repeat(5_000),
    ]
    for (const one of wrong) assert.deepEqual(await submit(one), failed, JSON.stringify(one))
    assert.deepEqual(await submit(solution), [201, ''], 'none of them used it up')
  })

  test('refuses a solution for another form, and a forged challenge', async () => {
    assert.deepEqual(await submit(await solve('second')), failed)
    const own = await createChallenge({ hmacKey: 'a key of mine', number: 1, maxnumber: 10 })
    assert.deepEqual(await submit({ ...own, number: 1 }), failed)
  })

  test('refuses an expired solution, and deletes expired used ones', async () => {
    const [used, late] = [await solve(), await solve()]
    assert.deepEqual(await submit(used), [201, ''])
    runtime.passes(`${limits.form_challenge_lifetime_s + 1} seconds`)
    assert.deepEqual(await submit(late), failed)
    assert.deepEqual(await submit(used), failed)
    await sweepChallenges.run(runtime.runtime)
    const kept = await runtime.runtime.db.selectFrom('spent_challenges').select('hash').execute()
    assert.deepEqual(kept, [])
  })
})

test('a collection without a challenge accepts a form with or without a solution', async () => {
  const send = (body: object) => site.send('POST /public/collections/open/documents', { body })
  assert.equal((await send({ name: 'Anna' })).status, 201)
  assert.equal((await send({ name: 'Anna', hp_challenge: 'x' })).status, 201)
})
