/** The runner of the tests: what it retries, what it counts, and what its last lines say. */
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { runProgram } from '../fixtures/processes/program.ts'

const folder = mkdtempSync(join(tmpdir(), 'homeport-runner-'))
after(() => rmSync(folder, { recursive: true }))
const head = `
import assert from 'node:assert/strict'
import { existsSync, writeFileSync } from 'node:fs'
import { test } from 'node:test'
`

/** Writes test files and runs them. */
async function run(files: Readonly<Record<string, string>>) {
  const paths = Object.entries(files).map(([name, text]) => {
    const path = join(folder, `${name}.test.mjs`)
    writeFileSync(path, head + text)
    return path
  })
  const { status, output } = await runProgram([
    process.execPath,
    join(import.meta.dirname, '../run.ts'),
    ...paths,
  ])
  const counts = Object.fromEntries(
    output.matchAll(/^ℹ (tests|pass|fail|skipped) (\d+)$/gm).map(([, name, n]) => [name, n]),
  )
  return { status, output, counts }
}

const good = `test('is right', () => {}); test.skip('is left out', () => {})`

test('a file that fails once passes as flaky, with its first failure', async () => {
  const marker = JSON.stringify(join(folder, 'tried'))
  const { status, output, counts } = await run({
    good,
    once: `test('is busy', () => {
      const tried = existsSync(${marker})
      writeFileSync(${marker}, '')
      assert.ok(tried, 'too much at once')
    })`,
  })
  assert.equal(status, 0, output)
  assert.match(output, /^flaky: \S*once\.test\.mjs: is busy: .*too much at once/m)
  assert.deepEqual(counts, { tests: '3', pass: '2', fail: '0', skipped: '1' })
})

test('a file that fails twice fails the run, and so does one that ends its process', async () => {
  const { status, output, counts } = await run({
    good,
    always: `test('is wrong', () => assert.equal(1, 2)); test('is right', () => {})`,
    ends: `test('ends the process', () => process.exit(0))`,
  })
  assert.equal(status, 1, output)
  assert.match(output, /^failed twice: \S*always\.test\.mjs$/m)
  assert.match(output, /^failed twice: \S*ends\.test\.mjs$/m)
  assert.doesNotMatch(output, /^flaky:/m)
  assert.deepEqual(counts, { tests: '5', pass: '2', fail: '2', skipped: '1' })
})
