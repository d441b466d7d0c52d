/**
 * Tests of `listen` with a running server and a real receiver: forwarded requests, output and exit.
 * It runs as a process of its own.
 */
import assert from 'node:assert/strict'
import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { after, before, beforeEach, describe, it } from 'node:test'
import { fillDataFolder } from '../../../test/fixtures/cluster.ts'
import { longTest } from '../../../test/fixtures/depth.ts'
import { verifyWebhook } from '../../../sdk/typescript/source/homeport.ts'
import { openReceiver, type Received } from '../../../test/fixtures/webhooks/webhook-receiver.ts'
import { readConfig } from '../../kernel/config/config.ts'
import { createLog } from '../../kernel/log.ts'
import { openRuntime, type OpenRuntime } from '../../kernel/open-runtime.ts'
import {
  compileCache,
  mainFile,
  runInProcess,
  temporaryFolder,
} from '../../../test/fixtures/command-line.ts'

const WAIT_MS_MAX = 60_000
const data_dir = temporaryFolder()
const settings = { HOMEPORT_DATA_DIR: data_dir }
const receiver = await openReceiver()
const children: ChildProcess[] = []
let open: OpenRuntime
let project_id: string

before(async () => {
  fillDataFolder(data_dir)
  open = await openRuntime(readConfig(settings, data_dir), { log: createLog('silent') })
  project_id = await newProject()
})
beforeEach(() => receiver.answers(204))
after(async () => {
  for (const child of children) child.kill('SIGKILL')
  await open.close()
})

async function newProject(): Promise<string> {
  const made = await runInProcess(['projects', 'create', '--name', 'Bakery', '--json'], settings)
  return made.json.project_id
}

/** Causes a balance.topped_up event, and returns the amount that identifies it. */
async function topUp(amount_eur: number, project = project_id): Promise<number> {
  const argv = ['balance', 'top-up', '--project', project, '--amount-eur', String(amount_eur)]
  assert.equal((await runInProcess(argv, settings)).code, 0)
  return amount_eur
}

async function refusal(...argv: string[]): Promise<string> {
  const { code, said, stdout } = await runInProcess(['listen', ...argv], settings)
  assert.deepEqual([code, stdout], [1, ''])
  return said
}

/** Starts `listen` and waits for its secret; `line` returns the next line of output. */
async function startListening(...argv: string[]) {
  const words = [mainFile, 'listen', '--forward-to', receiver.url, ...argv]
  const child = spawn(process.execPath, words, {
    env: { ...compileCache, ...settings },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  children.push(child)
  let complaints = ''
  child.stderr.on('data', (chunk: Buffer) => (complaints += chunk.toString()))
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  const ended = once(child, 'exit')
  async function line(): Promise<string> {
    const late = AbortSignal.timeout(WAIT_MS_MAX)
    const { value } = await Promise.race([
      lines.next(),
      once(late, 'abort').then(() => assert.fail(`It says nothing. ${complaints}`)),
    ])
    return value ?? assert.fail(`It has ended: ${complaints}`)
  }
  const first = await line()
  return {
    first,
    line,
    async stop(signal: NodeJS.Signals = 'SIGINT') {
      child.kill(signal)
      const [code] = await ended
      return { code, complaints }
    },
  }
}

/** Like `startListening`, after the lines of the start. */
async function startHeard(...argv: string[]) {
  const listening = await startListening(...argv)
  const said = [listening.first]
  while (!said.at(-1)!.startsWith('Waiting')) said.push(await listening.line())
  const secret = /whsec_\S+/.exec(listening.first)?.[0] ?? ''
  return { ...listening, said, secret }
}

/** 0 between two starts, when there is no such file. */
function postmasterPid(): number {
  try {
    return Number(readFileSync(join(data_dir, 'postgres', 'postmaster.pid'), 'utf8').split('\n')[0])
  } catch {
    return 0
  }
}

/** Kills PostgreSQL at each start until `until` is settled: a restart can take less than a poll. */
async function keepAway(until: Promise<unknown>): Promise<void> {
  let is_away = true
  const end = () => (is_away = false)
  until.then(end, end)
  for (let killed = 0; is_away; await new Promise(setImmediate)) {
    const pid = postmasterPid()
    if (pid > 0 && pid !== killed) process.kill((killed = pid), 'SIGQUIT')
  }
}

async function arrival(count: number): Promise<Received> {
  return (await receiver.received(count))[count - 1]!
}

describe('listen', () => {
  it('prints its secret first, then forwards each event signed with it and prints one line per event', async () => {
    const { said, secret, line, stop } = await startHeard('--project', project_id)
    assert.match(said[0]!, /^secret +whsec_[A-Za-z0-9+/]{43}=$/)
    assert.deepEqual(said.slice(1), [
      `project_id  ${project_id}`,
      `forward_to  ${receiver.url}`,
      'events      all',
      '',
      'Waiting for events; Ctrl-C ends it.',
    ])
    const before = receiver.requests.length
    const amount = await topUp(3.25)
    const { headers, body, event } = await arrival(before + 1)
    assert.match(
      await line(),
      /^\d\d:\d\d:\d\d  balance\.topped_up  204  \d+ ms  evt_[0-9a-f]{32}$/,
    )
    const data: any = event.data
    assert.equal(data.transaction.amount_eur, amount)
    assert.equal(headers['content-type'], 'application/json')
    assert.equal(headers['user-agent'], 'Service-Webhooks/1')
    assert.equal(headers['service-event'], 'balance.topped_up')
    assert.match(headers['service-delivery']!, /^[0-9a-f-]{36}$/)
    assert.equal(headers['webhook-id'], event.id)
    const header = headers['service-signature']
    assert.equal((await verifyWebhook({ payload: body, header, secret })).id, event.id)
    await assert.rejects(verifyWebhook({ payload: `${body} `, header, secret }))
    assert.deepEqual(await stop(), { code: 0, complaints: '' })
  })

  it('leaves no endpoint, delivery or failure count behind', async () => {
    const rows = await Promise.all(
      (['webhook_endpoints', 'webhook_deliveries'] as const).map((table) =>
        open.runtime.db
          .selectFrom(table)
          .select('id')
          .where('project_id', '=', project_id)
          .execute(),
      ),
    )
    assert.deepEqual(rows, [[], []])
  })

  longTest('prints the reason of a failed delivery, and continues', async () => {
    const { line, stop } = await startHeard('--project', project_id)
    receiver.answers(500)
    await topUp(1)
    assert.match(await line(), / {2}balance\.topped_up {2}500 {2}/)
    receiver.answers((_, response) => response.destroy())
    await topUp(1)
    assert.match(await line(), / {2}balance\.topped_up {2}connection_failed {2}/)
    receiver.answers(204)
    await topUp(1)
    assert.match(await line(), / {2}balance\.topped_up {2}204 {2}/)
    assert.equal((await stop()).code, 0)
  })

  longTest('forwards events in order, once, and none from before the start', async () => {
    const from = receiver.requests.length
    await topUp(7)
    const { line, stop } = await startHeard('--project', project_id)
    const amounts = [1.01, 1.02, 1.03]
    for (const amount of amounts) {
      await topUp(amount)
      await line()
    }
    const arrived = receiver.requests.slice(from).map(({ event }) => {
      const data: any = event.data
      return data.transaction.amount_eur
    })
    assert.deepEqual(arrived, amounts)
    assert.equal((await stop('SIGTERM')).code, 0)
  })

  longTest('forwards only the given event types', async () => {
    const { line, stop, said } = await startHeard(
      '--project',
      project_id,
      '--events',
      'call.completed',
    )
    assert.ok(said.includes('events      call.completed'))
    const other = await startHeard(
      '--project',
      project_id,
      '--events',
      'call.completed,balance.topped_up',
    )
    const before = receiver.requests.length
    await topUp(2)
    assert.match(await other.line(), /balance\.topped_up/)
    await other.stop()
    const { code } = await stop()
    assert.equal(code, 0)
    assert.equal(await line().catch(() => 'nothing'), 'Ended after 0 events.')
    assert.equal(receiver.requests.length, before + 1)
  })

  longTest('prints one JSON document per line with --json', async () => {
    const { first, line, stop } = await startListening('--project', project_id, '--json')
    const { secret, ...head } = JSON.parse(first)
    assert.match(secret, /^whsec_/)
    assert.deepEqual(head, { project_id, forward_to: receiver.url, events: 'all' })
    await topUp(2)
    const { sent_at, event_id, duration_ms, ...sent } = JSON.parse(await line())
    assert.match(sent_at, /^\d{4}-.*Z$/)
    assert.match(event_id, /^evt_/)
    assert.ok(duration_ms >= 0)
    assert.deepEqual(sent, { type: 'balance.topped_up', response_status: 204, error: null })
    await stop()
    assert.deepEqual(JSON.parse(await line()), { ended: true, sent_count: 1 })
  })

  longTest('uses the same secret at every start, and another for another project', async () => {
    const [one, two] = [await startHeard(), await startHeard('--project', project_id)]
    assert.equal(one.secret, two.secret)
    const other = await newProject()
    const three = await startHeard('--project', other)
    assert.notEqual(three.secret, one.secret)
    for (const { stop } of [one, two, three]) assert.equal((await stop()).code, 0)
    await runInProcess(['projects', 'delete', '--project', other], settings)
  })

  longTest('stops while a receiver does not answer', async () => {
    const { stop } = await startHeard()
    receiver.answers(() => {})
    const before = receiver.requests.length
    await topUp(2)
    await arrival(before + 1)
    assert.deepEqual(await stop(), { code: 0, complaints: '' })
  })

  it('continues after a loss of the database', async () => {
    const { line, stop } = await startHeard()
    const said = line()
    await keepAway(said)
    assert.equal(await said, 'The database is unavailable; waiting for it.')
    assert.equal(await line(), 'The database is available again.')
    await topUp(2)
    assert.match(await line(), /balance\.topped_up {2}204/)
    assert.deepEqual(await stop(), { code: 0, complaints: '' })
  })
})

describe('listen is refused', () => {
  it('without an address or with an invalid one', async () => {
    assert.equal(await refusal(), '"listen" needs --forward-to URL.')
    for (const bad of ['', 'ftp://localhost/', 'http://', 'http://me:pass@localhost/']) {
      assert.match(await refusal('--forward-to', bad), /--forward-to must be an address such as /)
    }
  })
  it('for another machine, without the option that allows it', async () => {
    for (const other of [
      'https://example.com/hooks',
      'http://192.168.1.4:3000',
      'http://0x7f.1.evil.example',
    ]) {
      assert.match(await refusal('--forward-to', other), /is not this machine. .* --other-machine/)
    }
  })
  it('for unknown types and types sent to one endpoint only', async () => {
    for (const type of ['call.complete', 'webhook.test']) {
      const said = await refusal('--forward-to', 'localhost:1', '--events', type)
      assert.match(said, /--events must be call\.completed, /)
    }
  })
  longTest('for an unknown project, and without a project if there are two', async () => {
    const nobody = '019ab3f0-5e1c-7a42-9d30-6f1e2c3b4a59'
    assert.match(
      await refusal('--forward-to', 'localhost:1', '--project', nobody),
      /^There is no project /,
    )
    const other = await newProject()
    assert.equal(
      await refusal('--forward-to', 'localhost:1'),
      '"listen" needs --project ID: there are 2 projects, see "projects list".',
    )
    await runInProcess(['projects', 'delete', '--project', other], settings)
  })
  it('without a running server, and creates no folder', async () => {
    const fresh = join(temporaryFolder(), 'data')
    const { code, said } = await runInProcess(['listen', '--forward-to', 'localhost:1'], {
      HOMEPORT_DATA_DIR: fresh,
    })
    assert.deepEqual(
      [code, said],
      [1, `No Homeport server runs on ${fresh}: start it with "npm start" first.`],
    )
    assert.ok(!existsSync(fresh))
  })
})
