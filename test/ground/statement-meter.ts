/**
 * Counts what a house says to its database, where it is said: between the driver and PostgreSQL. A
 * relay passes every byte on and reads the messages of the protocol on the way, so nothing that
 * the house does, begin and commit included, goes uncounted, whatever code it comes from.
 */
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { connect, createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type pg from 'pg'

export interface Counted {
  /** The texts in their order. */
  statements: string[]
  /** How often an answer was waited for. */
  round_trips: number
}

export interface Meter {
  /** The database, through the relay. */
  connection: pg.PoolConfig
  /** What was said while `work` went on. */
  count(work: () => Promise<void>): Promise<Counted>
  close(): Promise<void>
}

const PORT = 5432
const LENGTH_BYTES = 4

export async function openMeter(database: pg.PoolConfig): Promise<Meter> {
  const folder = mkdtempSync(join(tmpdir(), 'homeport-meter-'))
  const sockets = new Set<Socket>()
  let counted: Counted | null = null
  const relay = createServer((near) => {
    const far = connect(join(String(database.host), `.s.PGSQL.${database.port ?? PORT}`))
    const read = messageReader((message) => counted && note(counted, message))
    near.on('data', read)
    for (const [one, other] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(one)
      one.on('error', () => other.destroy())
      one.on('close', () => {
        sockets.delete(one)
        other.destroy()
      })
      one.pipe(other)
    }
  })
  await new Promise<void>((listening) => relay.listen(join(folder, `.s.PGSQL.${PORT}`), listening))
  return {
    connection: { ...database, host: folder, port: PORT },
    async count(work) {
      const now: Counted = { statements: [], round_trips: 0 }
      counted = now
      await work()
      counted = null
      return now
    },
    async close() {
      for (const socket of sockets) socket.destroy()
      await new Promise<void>((closed) => relay.close(() => closed()))
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

type Message = { type: 'statement'; text: string } | { type: 'sync' }

function note(counted: Counted, message: Message): void {
  if (message.type === 'statement') counted.statements.push(message.text)
  else counted.round_trips += 1
}

/** Reads the messages of one connection out of its bytes, however they were cut up. */
function messageReader(tell: (message: Message) => void): (chunk: Buffer) => void {
  const prepared = new Map<string, string>()
  let kept: Buffer = Buffer.alloc(0)
  let started = false
  let bound = ''

  function read(type: string, body: Buffer): void {
    const [first = '', second = ''] = body.toString('utf8').split('\0', 2)
    if (type === 'P') prepared.set(first, second)
    // Of a bind, the first text names the portal and the second one the statement.
    else if (type === 'B') bound = prepared.get(second) ?? ''
    else if (type === 'E') tell({ type: 'statement', text: bound })
    else if (type === 'S') tell({ type: 'sync' })
    else if (type === 'Q') {
      tell({ type: 'statement', text: first })
      tell({ type: 'sync' })
    }
  }

  return (chunk) => {
    kept = Buffer.concat([kept, chunk])
    for (;;) {
      // The first message of a connection has no type.
      const head = started ? 1 : 0
      if (kept.length < head + LENGTH_BYTES) return
      const length = head + kept.readInt32BE(head)
      assert(length >= head + LENGTH_BYTES, 'That is not the protocol of PostgreSQL.')
      if (kept.length < length) return
      if (started) read(String.fromCharCode(kept[0]!), kept.subarray(head + LENGTH_BYTES, length))
      started = true
      kept = kept.subarray(length)
    }
  }
}
