/** Starts, stops and kills real servers, and checks their output and exit codes. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { connect, createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { after, describe, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { sql } from 'kysely'
import { depth, longTest } from '../fixtures/depth.ts'
import { databaseUrl } from '../fixtures/command-line.ts'
import { eventually } from '../fixtures/eventually.ts'
import { blockOf } from '../fixtures/docs/guides.ts'
import { openTestRuntime } from '../fixtures/runtime.ts'
import { spawnServer, startServer, type ServerProcess } from '../fixtures/server-process.ts'

const folders: string[] = []
const started: ServerProcess[] = []

function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'homeport-process-'))
  folders.push(folder)
  return folder
}

async function start(folder: string, settings?: Record<string, string>): Promise<ServerProcess> {
  const server = await startServer(folder, settings)
  started.push(server)
  return server
}

after(async () => {
  for (const server of started) await server.stop()
  for (const folder of folders) {
    stopOrphan(folder)
    rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 })
  }
})

/** Stops the PostgreSQL of a server that was killed and not started again. */
function stopOrphan(folder: string): void {
  const file = join(folder, 'postgres', 'postmaster.pid')
  if (!existsSync(file)) return
  process.kill(Number(readFileSync(file, 'utf8').split('\n')[0]), 'SIGQUIT')
}

async function get(server: ServerProcess, path: string, key?: string) {
  const response = await fetch(server.banner['base_url'] + path, {
    headers: key ? { authorization: `Bearer ${key}` } : {},
  })
  return { status: response.status, body: JSON.parse(await response.text()) }
}

describe('the first start', () => {
  test('prints the banner first, with a working project and key', async () => {
    const server = await start(newFolder())
    const names = server
      .output()
      .split('\n')
      .map((line) => line.split(':')[0])
    assert.deepEqual(names.slice(0, 6), [
      'Homeport is ready',
      'base_url',
      'portal_url',
      'mcp_url',
      'docs_url',
      'sites',
    ])
    const { status, body } = await get(server, '/project', server.banner['test_key'])
    assert.equal(status, 200)
    assert.equal(body.id, server.banner['project_id'])
    const signed_in = await fetch(server.banner['sign_in_url']!, { redirect: 'manual' })
    const cookie = signed_in.headers.getSetCookie()[0]!.split(';')[0]!
    const portal_url = server.banner['portal_url']!
    const portal = await fetch(portal_url, { headers: { cookie }, redirect: 'manual' })
    assert.equal(portal.headers.get('location'), '/portal/app/')
    const projects = await fetch(`${portal_url}/api/v1/projects`, { headers: { cookie } })
    assert.match(await projects.text(), new RegExp(body.id))
    assert.equal(await server.stop(), 0)
  })

  longTest('works in a folder that is closed to other users', async () => {
    const folder = newFolder()
    const inside = join(folder, 'closed', 'data')
    mkdirSync(inside, { recursive: true, mode: 0o700 })
    const server = await start(inside)
    assert.equal(await server.stop(), 0)
  })
})

describe('a first start that is refused or interrupted', () => {
  longTest(
    'names the port if it is in use, and the next start prints the key and the link',
    async () => {
      const folder = newFolder()
      const program = createServer().listen(0, '127.0.0.1')
      await once(program, 'listening')
      const address = program.address()
      const port = String(typeof address === 'object' && address ? address.port : 0)
      await assert.rejects(start(folder, { HOMEPORT_PORT: port }), {
        message:
          `The server ended with 1: The port ${port} is in use by another program. ` +
          'Set HOMEPORT_PORT to a free one, or to 0.\n',
      })
      program.close()
      const server = await start(folder, { HOMEPORT_PORT: port })
      assert.equal((await get(server, '/project', server.banner['test_key'])).status, 200)
      assert.match(server.banner['sign_in_url']!, /\/portal\/sign-in\/link\//)
      await server.stop()
    },
  )

  longTest('ends quietly at Ctrl-C during initdb, and the next start works', async () => {
    const folder = newFolder()
    const { child, errors } = spawnServer(folder, { detached: true })
    while (!existsSync(join(folder, 'postgres.new', 'base'))) await delay(2)
    process.kill(-child.pid!, 'SIGINT')
    const [code] = await once(child, 'exit')
    assert.deepEqual([code, errors()], [0, ''])
    const server = await start(folder)
    assert.equal((await get(server, '/project', server.banner['test_key'])).status, 200)
    await server.stop()
  })

  longTest('fails with one sentence if the data folder is a file', async () => {
    const folder = newFolder()
    const HOMEPORT_DATA_DIR = join(folder, 'file')
    writeFileSync(HOMEPORT_DATA_DIR, '')
    await assert.rejects(start(folder, { HOMEPORT_DATA_DIR }), {
      message:
        `The server ended with 1: The data folder ${HOMEPORT_DATA_DIR} cannot be made (there is a ` +
        'file of this name, or of a folder above): set HOMEPORT_DATA_DIR to another folder.\n',
    })
  })
})

describe('a second start on a data folder', () => {
  longTest('keeps all data and names the commands that create another key and link', async () => {
    const folder = newFolder()
    const first = await start(folder)
    const key = first.banner['test_key']
    assert.equal(await first.stop('SIGINT'), 0)
    const second = await start(folder)
    assert.equal(second.banner['test_key'], undefined)
    assert.equal(second.banner['sign_in_url'], undefined)
    const call = 'npm run -s homeport --'
    const { project_id } = first.banner
    assert.deepEqual(
      [second.banner['new_key'], second.banner['new_sign_in_link']],
      [
        `${call} keys create --project ${project_id} --mode test`,
        `${call} people sign-in-link --email owner@demo.localhost`,
      ],
    )
    assert.equal((await get(second, '/project', key)).status, 200)
    await second.stop()
  })

  longTest('is refused with one sentence while the server of the folder runs', async () => {
    const folder = newFolder()
    const server = await start(folder)
    await assert.rejects(start(folder), (error: Error) => {
      assert.match(
        error.message,
        /ended with 1: Another Homeport \(process \d+\) already uses the data folder/,
      )
      assert.equal(error.message.trim().split('\n').length, 1)
      return true
    })
    assert.equal((await get(server, '/project', server.banner['test_key'])).status, 200)
    await server.stop()
  })
})

describe('the next start after kill -9', () => {
  test('recovers and has every acknowledged write', async () => {
    const folder = newFolder()
    let server = await start(folder)
    const key = server.banner['test_key']!
    const ordered: string[] = []
    for (let round = 0; round < depth(1, 3); round++) {
      const response = await fetch(`${server.banner['base_url']}/numbers`, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${key}`,
          'content-type': 'application/json',
          'idempotency-key': `order-${round}`,
        },
        body: '{}',
      })
      ordered.push(JSON.parse(await response.text()).id)
      await server.stop('SIGKILL')
      server = await start(folder)
      const { body } = await get(server, '/numbers', key)
      assert.deepEqual(
        body.data.map((number: { id: string }) => number.id),
        ordered,
      )
    }
    await server.stop()
  })

  longTest('recovers if PostgreSQL was killed too', async () => {
    const folder = newFolder()
    const server = await start(folder)
    const pid = Number(
      readFileSync(join(folder, 'postgres', 'postmaster.pid'), 'utf8').split('\n')[0],
    )
    process.kill(pid, 'SIGKILL')
    const health = await fetch(new URL('/healthz', server.banner['base_url']))
    assert.equal(health.status, 200)
    const statuses = new Set<number>()
    for (let attempt = 0; attempt < 600 && !statuses.has(200); attempt++) {
      await delay(50)
      const { status, body } = await get(server, '/project', server.banner['test_key'])
      statuses.add(status)
      if (status !== 200) assert.match(body.type, /service_unavailable$/)
    }
    assert.ok(statuses.has(200), `only ${[...statuses].join()}`)
    await server.stop()
  })
})

describe('invalid settings', () => {
  longTest('are all named, and production refuses development settings', async () => {
    await assert.rejects(
      start(newFolder(), {
        HOMEPORT_ENV: 'production',
        HOMEPORT_PORT: 'x',
        HOMEPORT_TEST_CLOCK: '1',
      }),
      (error: Error) => {
        for (const name of [
          'PORT',
          'TEST_CLOCK',
          'WEBHOOKS_ALLOW_PRIVATE',
          'EGRESS_ALLOW_PRIVATE',
          'CARRIER',
          'VAT',
          'PAYMENTS',
          'MAIL',
          'SECRET',
          'PUBLIC_URL',
        ]) {
          assert.match(error.message, new RegExp(`HOMEPORT_${name}`))
        }
        return true
      },
    )
  })
  longTest('in a price file stop the start, with every fault', async () => {
    const folder = newFolder()
    const file = join(folder, 'prices.json')
    mkdirSync(folder, { recursive: true })
    writeFileSync(file, '{"number.national": [{"from": "soon", "price_eur": -1}], "tea": []}')
    await assert.rejects(start(newFolder(), { HOMEPORT_PRICES: file }), (error: Error) => {
      for (const word of ['from', 'price_eur', 'tea']) assert.match(error.message, RegExp(word))
      return true
    })
    await assert.rejects(
      start(newFolder(), { HOMEPORT_PRICES: join(folder, 'none.json') }),
      /HOMEPORT_PRICES names a file that is not there/,
    )
  })
  longTest('in the list of bad links stop the start, with the line number', async () => {
    const file = join(newFolder(), 'bad-links.txt')
    writeFileSync(file, '# ours\nbad.example link phishing\nhttps://worse.example phishing\n')
    await assert.rejects(
      start(newFolder(), { HOMEPORT_BAD_LINKS: file }),
      /HOMEPORT_BAD_LINKS: line 3 must be "host/,
    )
  })
})

describe('a server in production', () => {
  const guide = readFileSync(join(import.meta.dirname, '../../docs/guides/production.md'), 'utf8')
  const settings = Object.fromEntries(
    blockOf(guide, '/etc/homeport.env')
      .split('\n')
      .map((line) => line.split(/=(.*)/s).slice(0, 2))
      .filter(([name]) => name !== 'DATABASE_URL' && name !== 'HOMEPORT_DATA_DIR'),
  )

  longTest(
    'starts with the settings of the guide, and refuses a database of a newer version',
    async () => {
      const own = {
        ...settings,
        HOMEPORT_SECRET: 'a master key for tests that is long enough',
        HOMEPORT_WEBHOOKS_ALLOW_PRIVATE: '',
        HOMEPORT_EGRESS_ALLOW_PRIVATE: '',
      }
      const runtime = await openTestRuntime({ work: false })
      const DATABASE_URL = databaseUrl(runtime.connection)
      const server = await start(newFolder(), { ...own, DATABASE_URL })
      assert.equal(server.banner['base_url'], 'https://api.example.com/api/v1')
      await server.stop()
      await sql`insert into migrations (number, name, hash) values (9999, 'newer', '')`.execute(
        runtime.runtime.db,
      )
      await assert.rejects(start(newFolder(), { ...own, DATABASE_URL }), {
        message:
          'The server ended with 1: The database has migration 9999, which this version of Homeport ' +
          'does not know. Use a newer version.\n',
      })
    },
  )
})

describe('connections', () => {
  const FILES_MAX = 400

  test('are bounded per address and in total, so that files and the database stay usable', async () => {
    const settings = { HOMEPORT_TRUSTED_PROXIES: 'none' }
    const server = await startServer(newFolder(), settings, { files_max: FILES_MAX })
    started.push(server)
    const port = Number(new URL(server.banner['base_url']!).port)
    const open = new Set<Socket>()
    const hold = (host: string, count: number) => {
      for (let index = 0; index < count; index += 1) {
        const socket = connect({ port, host: '127.0.0.1', localAddress: host })
        open.add(socket.on('error', () => {}).once('close', () => open.delete(socket)))
      }
    }
    const ask = () => get(server, '/project', server.banner['test_key'])
    const early = connect({ port, host: '127.0.0.1' })
    hold('127.0.0.2', FILES_MAX)
    await eventually(async () => open.size === FILES_MAX / 2 / 4)
    assert.equal((await ask()).status, 200)
    for (const end of [3, 4, 5, 6]) hold(`127.0.0.${end}`, FILES_MAX / 2 / 4)
    await eventually(async () => server.errors().includes('connections were refused'))
    // A connection that was there before is answered.
    const authorization = `Bearer ${server.banner['test_key']}`
    const lines = [
      'GET /api/v1/project HTTP/1.1',
      'Host: localhost',
      `Authorization: ${authorization}`,
    ]
    early.write(`${[...lines, 'Connection: close'].join('\r\n')}\r\n\r\n`)
    assert.match(await text(early), /^HTTP\/1\.1 200 /)
    for (const socket of open) socket.destroy()
    await eventually(async () => (await ask().catch(() => null))?.status === 200)
  })
})
