/**
 * A server whose disk, holding its database and files, is full: writes get 503, nothing is lost or
 * half written, and service resumes once there is space. The disk is a tmpfs of 160 MB in a mount
 * namespace of the server, which needs no privileges where user namespaces are allowed.
 */
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { closeSync, mkdtempSync, openSync, readdirSync, rmSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'
import { databaseUrl } from '../fixtures/command-line.ts'
import { createTestDatabase, dropTestDatabase } from '../fixtures/cluster.ts'
import { canMountDisks, startServer, type ServerProcess } from '../fixtures/server-process.ts'

const skip = canMountDisks() ? false : 'this machine allows no mount namespaces'

const DISK_MB = 160
const CHUNK_BYTES = 1_048_576
/** Large enough that PostgreSQL has to extend a table for each document. */
const DOCUMENT_BYTES = 60_000

interface Stage {
  server: ServerProcess
  /** A path on the server's disk, reached from outside of its mount namespace. */
  onDisk(...parts: string[]): string
}

async function startOnSmallDisk(settings: Record<string, string> = {}): Promise<Stage> {
  const folder = mkdtempSync(join(tmpdir(), 'homeport-full-disk-'))
  const quiet = { HOMEPORT_LOG_LEVEL: 'silent', ...settings }
  const server = await startServer(folder, quiet, { disk_mb: DISK_MB })
  after(async () => {
    await server.stop()
    rmSync(folder, { recursive: true })
  })
  return {
    server,
    onDisk: (...parts) => join(`/proc/${server.child.pid}/root`, folder, ...parts),
  }
}

function fillDisk({ onDisk }: Stage): void {
  const file = openSync(onDisk('filler'), 'w')
  try {
    for (let bytes = CHUNK_BYTES; bytes >= 1;) {
      try {
        writeSync(file, Buffer.alloc(bytes, 1))
      } catch (error) {
        assert.equal(error instanceof Error && 'code' in error && error.code, 'ENOSPC')
        bytes = Math.floor(bytes / 2)
      }
    }
  } finally {
    closeSync(file)
  }
}

type Call = (route: string, body?: unknown) => ReturnType<typeof send>

const callOf =
  ({ server }: Stage): Call =>
  (route, body) =>
    send(server, { route, body })

interface Request {
  route: string
  body?: unknown
}

async function send({ banner }: ServerProcess, { route, body }: Request) {
  const [method = '', path = ''] = route.split(' ')
  const answer = await fetch(banner['base_url'] + path, {
    method,
    headers: {
      authorization: `Bearer ${banner['test_key']}`,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  return { status: answer.status, headers: answer.headers, body: JSON.parse(await answer.text()) }
}

type Reply = Awaited<ReturnType<typeof send>>

function requireUnavailable({ status, headers, body }: Reply): void {
  assert.equal(status, 503, JSON.stringify(body))
  assert.match(body.type, /service_unavailable$/)
  assert.match(body.next_step, /send the same request again/)
  assert.ok(Number(headers.get('retry-after')) > 0)
}

/** Repeats a request until it is accepted, because PostgreSQL may have to restart first. */
async function untilAccepted(send: () => Promise<Reply>): Promise<Reply> {
  for (let attempt = 0; attempt < 600; attempt += 1) {
    const reply = await send()
    if (reply.status < 300) return reply
    requireUnavailable(reply)
    await delay(100)
  }
  throw new Error('No request was accepted after the disk had space again.')
}

const newDocument = () => ({ text: randomBytes(DOCUMENT_BYTES / 2).toString('hex') })

const files = [{ path: 'index.html', content: '<!doctype html><title>Full</title><p>Page</p>' }]

describe('a full disk with the database on it', { skip }, async () => {
  const stage = await startOnSmallDisk()
  const call = callOf(stage)
  const kept: string[] = []

  test('accepts documents while there is space', async () => {
    assert.equal((await call('POST /collections', { name: 'notes' })).status, 201)
    const { status, body } = await call('POST /collections/notes/documents', newDocument())
    assert.equal(status, 201, JSON.stringify(body))
    kept.push(body.id)
  })

  test('refuses documents with 503 and a next step, and the server stays alive', async () => {
    fillDisk(stage)
    let refused = 0
    for (let attempt = 0; attempt < 20; attempt += 1) {
      const reply = await call('POST /collections/notes/documents', newDocument())
      if (reply.status === 201) kept.push(reply.body.id)
      else {
        requireUnavailable(reply)
        refused += 1
      }
    }
    assert.ok(refused > 0, 'No document was refused.')
    const health = await fetch(new URL('/healthz', stage.server.banner['base_url']))
    assert.equal(health.status, 200)
  })

  test('accepts documents again once there is space', async () => {
    rmSync(stage.onDisk('filler'))
    const written = await untilAccepted(() =>
      call('POST /collections/notes/documents', newDocument()),
    )
    kept.push(written.body.id)
  })

  test('has every acknowledged document and no other', async () => {
    const { body } = await call('GET /collections/notes/documents?limit=100')
    const ids = body.data.map(({ id }: { id: string }) => id)
    assert.deepEqual(ids.toSorted(), kept.toSorted())
    const { body: collection } = await call('GET /collections/notes')
    assert.equal(collection.document_count, kept.length)
  })
})

describe('a full disk with the files on it, and the database elsewhere', { skip }, async () => {
  const database = await createTestDatabase()
  after(() => dropTestDatabase(database))
  const stage = await startOnSmallDisk({ DATABASE_URL: databaseUrl(database) })
  const call = callOf(stage)
  const deploy = (slug: string, text: string) =>
    call('POST /sites', { slug, files: [...files, { path: 'text.txt', content: text }] })

  test('refuses a site with 503 and a next step, and leaves no partial file', async () => {
    assert.equal((await deploy('before', 'before')).status, 201)
    fillDisk(stage)
    const reply = await deploy('full-disk', 'while it is full')
    requireUnavailable(reply)
    assert.match(reply.body.detail, /^Files cannot be kept/)
    assert.deepEqual(readdirSync(stage.onDisk('blobs', '.unfinished')), [])
    const { body } = await call('GET /sites')
    assert.deepEqual(
      body.data.map(({ slug }: { slug: string }) => slug),
      ['before'],
    )
  })

  test('accepts the same site again once there is space', async () => {
    rmSync(stage.onDisk('filler'))
    const { body } = await untilAccepted(() => deploy('full-disk', 'while it is full'))
    assert.equal(body.slug, 'full-disk')
  })
})

describe('a full disk with the backups on it, and the database elsewhere', { skip }, async () => {
  const database = await createTestDatabase()
  const stage = await startOnSmallDisk({
    DATABASE_URL: databaseUrl(database),
    HOMEPORT_BACKUPS: 'disk:backups',
    HOMEPORT_TEST_CLOCK: '1',
  })
  const client = new pg.Client(database)
  await client.connect()
  after(async () => {
    await client.end()
    await dropTestDatabase(database)
  })

  async function untilStates(expected: readonly string[]): Promise<void> {
    for (let attempt = 0; attempt < 600; attempt += 1) {
      const { rows } = await client.query('select state from backups order by started_at')
      if (rows.map(({ state }) => state).join() === expected.join()) return
      await delay(100)
    }
    throw new Error(`The backups never were: ${expected.join()}.`)
  }

  async function advance(seconds: number): Promise<void> {
    const reply = await fetch(new URL('/dev/clock', stage.server.banner['base_url']), {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ advance_seconds: seconds }),
    })
    assert.equal(reply.status, 200)
  }

  const listed = () =>
    readdirSync(stage.onDisk('backups')).filter((name) => name.startsWith('homeport-'))

  test('keeps the previous backup and leaves no partial one', async () => {
    await advance(300)
    await untilStates(['complete'])
    const kept = listed()
    assert.equal(kept.length, 1)
    fillDisk(stage)
    await advance(86_400)
    await untilStates(['complete', 'failed'])
    const { rows } = await client.query(`select error from backups where state = 'failed'`)
    assert.match(rows[0].error, /ENOSPC/)
    assert.deepEqual(listed(), kept)
    assert.deepEqual(readdirSync(stage.onDisk('backups', '.unfinished')), [])
  })

  test('is backed up at the next attempt once there is space', async () => {
    rmSync(stage.onDisk('filler'))
    await advance(300)
    await untilStates(['complete', 'failed', 'complete'])
    assert.equal(listed().length, 2)
  })
})
