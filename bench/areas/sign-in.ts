/**
 * `npm run bench -- sign-in`: sign-ins with a password as a browser does them (four requests: page,
 * address, page, password), and their effect on other requests. A client requests GET /project at a
 * constant rate, alternating without and with sign-ins. Reports sign-ins per second and the ratio
 * of the p99 of that client, by round. Each person signs in from another network, because the rate
 * of a network is limited.
 */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { Agent, request as httpRequest, type IncomingHttpHeaders } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'
import { systemClock } from '../../server/kernel/clock.ts'
import { embeddedConnection } from '../../server/kernel/database/embedded-postgres.ts'
import { newId } from '../../server/kernel/values/ids.ts'
import { hashPassword } from '../../server/kernel/secrets/passwords.ts'
import { startServer } from '../../test/fixtures/server-process.ts'
import { addKeys } from '../support/keys.ts'
import { readOptions } from '../support/options.ts'
import { processorMs } from '../support/processor.ts'
import { begin } from '../support/result.ts'
import { percentile, ratios, spread } from '../support/spread.ts'

const options = readOptions()
const finish = begin('sign-in', options)
/** The p99 of fewer requests is not significant. */
const SECONDS = Math.max(options.seconds, 5)
const OTHERS_PER_S = 200
/**
 * Number of concurrent sign-ins: more than the threads that hash, less than the limit of waiting
 * requests.
 */
const AT_ONCE = 8
/** A constant rate of sign-ins, which is measured besides the maximum rate. */
const STEADY_PER_S = 30
// A key is limited to 120 requests per minute, and an account to ten attempts in a quarter of an
// hour.
const KEYS = 1_000
const PEOPLE = 2_000
const PASSWORD = 'correct horse battery staple'

const folder = mkdtempSync(join(tmpdir(), 'homeport-bench-'))
const server = await startServer(folder, {
  HOMEPORT_LOG_LEVEL: 'error',
  HOMEPORT_TRUSTED_PROXIES: '127.0.0.1',
})
const client = new pg.Client(embeddedConnection(folder))
await client.connect()
const keys = await addKeys(client, server.banner['project_id']!, KEYS)
const password_hash = await hashPassword(PASSWORD, { room: 'people', id: 'bench' })
const emails = Array.from({ length: PEOPLE }, (_, n) => `person-${n}@bench.example`)
await client.query(
  `insert into people (id, realm, email, password_hash, created_at)
   select id, 'portal', email, $1, now() from unnest($2::uuid[], $3::text[]) as p(id, email)`,
  [password_hash, emails.map(() => newId(systemClock)), emails],
)
await client.query('analyze')
await client.end()
const { port } = new URL(server.banner['base_url']!)
const agent = new Agent({ keepAlive: true })

interface Answer {
  status: number
  headers: IncomingHttpHeaders
}

function ask(
  method: string,
  path: string,
  { headers = {}, body }: { headers?: Record<string, string>; body?: string } = {},
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const length = body === undefined ? {} : { 'content-length': Buffer.byteLength(body) }
    const all = { ...headers, ...length }
    const request = httpRequest({ agent, port, host: '127.0.0.1', path, method, headers: all })
    request.on('response', (response) => {
      response.on('data', () => {})
      const { statusCode = 0 } = response
      response.on('end', () => resolve({ status: statusCode, headers: response.headers }))
    })
    request.on('error', reject)
    request.end(body)
  })
}

let begun = 0

/** One sign-in, up to the session cookie. */
async function signIn(): Promise<void> {
  const n = (begun += 1)
  const place = { 'x-forwarded-for': `10.${(n >> 16) & 255}.${(n >> 8) & 255}.${n & 255}` }
  const form = { ...place, 'content-type': 'application/x-www-form-urlencoded' }
  await ask('GET', '/portal/sign-in', { headers: place })
  const email = emails[n % emails.length]!
  const body = new URLSearchParams({ email }).toString()
  const asked = await ask('POST', '/portal/sign-in', { headers: form, body })
  const cookie = cookiesOf(asked)
  await ask('GET', '/portal/sign-in/proof', { headers: { ...place, cookie } })
  const password = new URLSearchParams({ password: PASSWORD }).toString()
  const headers = { ...form, cookie }
  const done = await ask('POST', '/portal/sign-in/password', { headers, body: password })
  if (done.status === 303 && /homeport_session=/.test(cookiesOf(done))) return
  throw new Error(`A sign-in ended with ${done.status} ${done.headers.location ?? ''}.`)
}

function cookiesOf({ headers }: Answer): string {
  return (headers['set-cookie'] ?? []).map((line) => line.split(';')[0]).join('; ')
}

/** Sends requests at a constant rate without waiting for replies; returns the latencies. */
async function others(seconds: number): Promise<number[]> {
  const times: Promise<number>[] = []
  const start = performance.now()
  for (let n = 0; n < seconds * OTHERS_PER_S; n++) {
    const due_ms = start + (n * 1000) / OTHERS_PER_S
    const wait_ms = due_ms - performance.now()
    if (wait_ms > 0) await delay(wait_ms)
    const authorization = `Bearer ${keys[n % keys.length]!}`
    // Measured from the scheduled time, so that a delayed start counts as latency.
    const asked = ask('GET', '/api/v1/project', { headers: { authorization } })
    times.push(
      asked.then(({ status }) => {
        if (status !== 200) throw new Error(`GET /project answered ${status}.`)
        return performance.now() - due_ms
      }),
    )
  }
  return Promise.all(times)
}

/**
 * Signs people in until the promise settles, at this rate or as fast as possible; returns the
 * count.
 */
async function people(until: Promise<unknown>, rate_per_s = Infinity): Promise<number> {
  let isOver = false
  let begun = 0
  let count = 0
  void until.finally(() => (isOver = true))
  const start = performance.now()
  const visit = async () => {
    while (!isOver) {
      const due_ms = start + (begun * 1000) / rate_per_s
      begun += 1
      const wait_ms = due_ms - performance.now()
      if (wait_ms > 0) await delay(wait_ms)
      await signIn()
      count += 1
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, visit))
  return count / ((performance.now() - start) / 1000)
}

const p99 = (times: readonly number[]) => percentile(times, 0.99)
const p50 = (times: readonly number[]) => percentile(times, 0.5)

const postmaster = readFileSync(join(folder, 'postgres', 'postmaster.pid'), 'utf8').split('\n')[0]
const spent = () => {
  const [service = 0, postgres = 0] = processorMs([server.child.pid ?? 0, Number(postmaster)])
  return { service, postgres }
}

async function round() {
  const start = spent()
  const alone = await others(SECONDS)
  const between = spent()
  const crowded = others(SECONDS)
  const per_second = await people(crowded)
  const end = spent()
  const calm = others(SECONDS)
  await people(calm, STEADY_PER_S)
  const count = per_second * SECONDS
  const more = (of: 'service' | 'postgres') =>
    (end[of] - between[of] - (between[of] - start[of])) / count
  return {
    alone,
    calm: await calm,
    crowded: await crowded,
    per_second,
    service_ms: more('service'),
    postgres_ms: more('postgres'),
  }
}

await people(delay(1_000))
const rounds: Awaited<ReturnType<typeof round>>[] = []
for (let count = 0; count < options.rounds; count++) rounds.push(await round())
const of = (read: (one: (typeof rounds)[number]) => number) => rounds.map(read)
finish({
  generator: `${OTHERS_PER_S} GET /project a second, steadily; ${AT_ONCE} people signing in at a time; ${SECONDS} s of each a round`,
  tables: [
    {
      title: 'Sign-ins with a password',
      about:
        'Argon2id with 19 MiB and two passes, which is what OWASP says is the least. Processor time is of one sign-in, of which the hash is most.',
      columns: ['sign-ins a second', 'service ms', 'PostgreSQL ms'],
      rows: [
        [
          spread(of(({ per_second }) => per_second)),
          spread(of(({ service_ms }) => service_ms)),
          spread(of(({ postgres_ms }) => postgres_ms)),
        ],
      ],
    },
    {
      title: 'What they cost everybody else: GET /project',
      columns: ['', 'p50 ms', 'p99 ms', 'p99 to alone'],
      rows: [
        [
          'alone',
          spread(of(({ alone }) => p50(alone))),
          spread(of(({ alone }) => p99(alone))),
          null,
        ],
        [
          `while ${STEADY_PER_S} sign in a second`,
          spread(of(({ calm }) => p50(calm))),
          spread(of(({ calm }) => p99(calm))),
          ratios(
            of(({ calm }) => p99(calm)),
            of(({ alone }) => p99(alone)),
          ),
        ],
        [
          'while as many sign in as can',
          spread(of(({ crowded }) => p50(crowded))),
          spread(of(({ crowded }) => p99(crowded))),
          ratios(
            of(({ crowded }) => p99(crowded)),
            of(({ alone }) => p99(alone)),
          ),
        ],
      ],
    },
  ],
})
agent.destroy()
await server.stop()
rmSync(folder, { recursive: true })
