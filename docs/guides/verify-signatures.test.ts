/**
 * Runs the signature examples of the guide: each in its own language, if that is installed, with
 * valid and invalid signatures.
 */
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { createHmac } from 'node:crypto'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import { isLong } from '../../test/fixtures/depth.ts'
import { signPayload } from '../../server/areas/webhooks/attempt/sign.ts'

const folder = join(import.meta.dirname, 'verify-signatures')
const NOW = 1_700_000_000
const TOLERANCE_S = 300
const secret = 'whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oDZlGMR/VxPqM='
const otherSecret = 'whsec_AAAAsBQIhrscChlQIMV+b5sSYspob7oDZlGMR/VxPqM='
// Unlike the output of JSON.stringify, so that an example that parses and serializes the body
// fails.
const body = '{"type": "call.completed",  "data": {"note":"caf\\u00e9 café ☎"}}\n'

interface Language {
  name: string
  file: string
  /** The required executable. */
  program: string
  version: string[]
  command(): string[]
}

const goProgram = 'go'
const built = mkdtempSync(join(tmpdir(), 'verify-signatures-'))
after(() => rmSync(built, { recursive: true, force: true }))

const languages: Language[] = [
  {
    name: 'Node.js',
    file: 'node.mjs',
    program: process.execPath,
    version: ['--version'],
    command: () => [process.execPath, join(folder, 'node.mjs')],
  },
  {
    name: 'Python',
    file: 'verify.py',
    program: 'python3',
    version: ['--version'],
    command: () => ['python3', join(folder, 'verify.py')],
  },
  {
    name: 'PHP',
    file: 'verify.php',
    program: 'php',
    version: ['--version'],
    command: () => ['php', join(folder, 'verify.php')],
  },
  { name: 'Go', file: 'verify.go', program: goProgram, version: ['version'], command: buildGo },
  {
    name: 'Ruby',
    file: 'verify.rb',
    program: 'ruby',
    version: ['--version'],
    command: () => ['ruby', join(folder, 'verify.rb')],
  },
]

/** Built once, because `go run` compiles at each call. */
function buildGo(): string[] {
  const program = join(built, 'verify')
  const build = spawnSync(goProgram, ['build', '-o', program, join(folder, 'verify.go')], {
    encoding: 'utf8',
  })
  assert.equal(build.status, 0, build.stderr)
  return [program]
}

interface Request {
  header?: string
  body?: string | Buffer
  secret?: string
  now?: number | ''
}

function run(
  [program = '', ...words]: string[],
  request: Request,
): { said: string; code: number | null } {
  const result = spawnSync(program, words, {
    input: request.body ?? body,
    encoding: 'utf8',
    env: {
      ...process.env,
      SERVICE_SIGNATURE: request.header ?? '',
      WEBHOOK_SECRET: request.secret ?? secret,
      NOW: String(request.now ?? NOW),
    },
  })
  assert.equal(result.error, undefined)
  assert.equal(result.stderr, '')
  return { said: result.stdout.trim(), code: result.status }
}

function hex(key: string, t: number | string, raw: string | Buffer): string {
  return createHmac('sha256', key).update(`${t}.`).update(raw).digest('hex')
}

const good = `t=${NOW},v1=${hex(secret, NOW, body)}`
const wrong = hex(otherSecret, NOW, body)
const ok = { said: 'ok', code: 0 }
const malformed = { said: 'the signature header is malformed', code: 1 }
const outOfTime = { said: 'the signature is too old or too new', code: 1 }
const noMatch = { said: 'no signature matches', code: 1 }

function at(t: number): string {
  return `t=${t},v1=${hex(secret, t, body)}`
}

const raw = Buffer.from([0x7b, 0xff, 0x00, 0x0d, 0x0a, 0x7d])

const promises: [promise: string, request: Request, outcome: { said: string; code: number }][] = [
  ['takes a good signature', { header: good }, ok],
  ['takes what the service itself signs', { header: signPayload([secret], NOW, body) }, ok],
  [
    'takes one good signature of two, the second',
    { header: `t=${NOW},v1=${wrong},v1=${hex(secret, NOW, body)}` },
    ok,
  ],
  [
    'takes one good signature of two, the first',
    { header: `t=${NOW},v1=${hex(secret, NOW, body)},v1=${wrong}` },
    ok,
  ],
  [
    'takes what the service signs while a secret is replaced, knowing the new one',
    { header: signPayload([secret, otherSecret], NOW, body) },
    ok,
  ],
  [
    'takes what the service signs while a secret is replaced, knowing the old one',
    { header: signPayload([otherSecret, secret], NOW, body) },
    ok,
  ],
  ['passes over parts it does not know', { header: `v0=old,${good},v2=later,new` }, ok],
  [
    'takes any bytes as the body',
    { header: `t=${NOW},v1=${hex(secret, NOW, raw)}`, body: raw },
    ok,
  ],
  ['takes a signature exactly five minutes old', { header: at(NOW - TOLERANCE_S) }, ok],
  ['takes a signature exactly five minutes ahead', { header: at(NOW + TOLERANCE_S) }, ok],
  ['refuses an older signature', { header: at(NOW - TOLERANCE_S - 1) }, outOfTime],
  ['refuses a signature from further ahead', { header: at(NOW + TOLERANCE_S + 1) }, outOfTime],
  ['uses the system clock if no time is given', { header: good, now: '' }, outOfTime],
  ['refuses a signature made with another secret', { header: `t=${NOW},v1=${wrong}` }, noMatch],
  ['refuses two wrong signatures', { header: `t=${NOW},v1=${wrong},v1=${wrong}` }, noMatch],
  [
    'refuses a changed body',
    { header: good, body: body.replace('completed', 'Completed') },
    noMatch,
  ],
  [
    'refuses a body that was written again',
    { header: good, body: JSON.stringify(JSON.parse(body)) },
    noMatch,
  ],
  ['refuses a changed time', { header: good.replace(`t=${NOW}`, `t=${NOW + 1}`) }, noMatch],
  [
    'refuses a signature in capitals',
    { header: good.replace(/v1=.*/, (part) => `v1=${part.slice(3).toUpperCase()}`) },
    noMatch,
  ],
  ['refuses a signature that is cut off', { header: good.slice(0, -1) }, noMatch],
  ['refuses letters beyond ASCII', { header: `t=${NOW},v1=é${wrong.slice(1)}` }, noMatch],
  [
    'needs the whole secret, its prefix included',
    { header: good, secret: secret.slice('whsec_'.length) },
    noMatch,
  ],
  ['refuses a missing header', { header: '' }, malformed],
  ['refuses a header without a time', { header: `v1=${hex(secret, '', body)}` }, malformed],
  ['refuses a header without a signature', { header: `t=${NOW}` }, malformed],
  [
    'refuses a time that is no whole number',
    { header: `t=${NOW}.0,v1=${hex(secret, `${NOW}.0`, body)}` },
    malformed,
  ],
]

/** Each is a process per language: a part of them in `npm test`, of each outcome. */
const tried = promises.filter((_, place) => isLong || place % 8 === 0)

for (const language of languages) {
  const missing = spawnSync(language.program, language.version).error !== undefined
  describe(
    `the example in ${language.name}`,
    { skip: missing && `${language.program} is not on this machine` },
    () => {
      const command = missing ? [] : language.command()
      for (const [promise, request, outcome] of tried) {
        test(promise, () => assert.deepEqual(run(command, request), outcome))
      }
    },
  )
}

test('the guide contains every example, and every example is tested', () => {
  const guide = readFileSync(join(import.meta.dirname, 'verify-signatures.md'), 'utf8')
  const files = readdirSync(folder).filter((file) => !file.startsWith('_'))
  assert.deepEqual(files.toSorted(), languages.map(({ file }) => file).toSorted())
  for (const file of files) {
    assert.ok(guide.includes(`{{server.${file}}}`), file)
    assert.ok(guide.includes(`{{program.${file}}}`), file)
  }
})
