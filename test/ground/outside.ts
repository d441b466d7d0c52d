/**
 * The outside world for tests of outside calls: receivers on loopback, honest and otherwise, and
 * a guarded fetch that ends with the test.
 */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import { createServer as createTcpServer, type Server, type Socket } from 'node:net'
import type { TestContext } from 'node:test'
import {
  createOutbound,
  OutboundError,
  type Outbound,
  type OutboundFault,
  type OutboundPolicy,
  type Resolve,
} from '../../server/kernel/outbound.ts'

export const strict: OutboundPolicy = { allow_private: false, allow_cidrs: [], proxy_url: null }
export const development: OutboundPolicy = { ...strict, allow_private: true }

export function openOutbound(t: TestContext, policy: OutboundPolicy, resolve?: Resolve): Outbound {
  const outbound = createOutbound(policy, resolve === undefined ? {} : { resolve })
  t.after(() => outbound.close())
  return outbound
}

/** The port of a server that ends with a test, or with all of a file: `listen({ after }, server)`. */
export async function listen(
  t: { after(end: () => void): void },
  server: Server,
  host = '127.0.0.1',
): Promise<number> {
  const sockets = new Set<Socket>()
  server.on('connection', (socket: Socket) => {
    sockets.add(socket)
    socket.on('error', () => {})
    socket.on('close', () => sockets.delete(socket))
  })
  server.listen(0, host)
  await once(server, 'listening')
  t.after(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  const address = server.address()
  assert(address !== null && typeof address === 'object')
  return address.port
}

/** An honest web server; `connections` counts how often somebody dialled. */
export async function openReceiver(t: TestContext, listener: RequestListener, host?: string) {
  const server = createServer({ keepAliveTimeout: 60_000 }, listener)
  const receiver = { port: 0, connections: 0 }
  server.on('connection', () => (receiver.connections += 1))
  receiver.port = await listen(t, server, host)
  return receiver
}

/** A server that has read the request and then does to the socket whatever the test likes. */
export async function openZoo(
  t: TestContext,
  misbehave: (socket: Socket) => void,
): Promise<string> {
  const server = createTcpServer((socket) => void socket.once('data', () => misbehave(socket)))
  return `http://127.0.0.1:${await listen(t, server)}/`
}

export async function refuses(
  work: Promise<unknown>,
  fault: OutboundFault,
  message = /^[^\n]+\.$/,
): Promise<void> {
  await assert.rejects(work, (error) => {
    assert(error instanceof OutboundError, String(error))
    assert.equal(error.fault, fault, error.message)
    assert.match(error.message, message)
    return true
  })
}

/** Writes something again and again until the other side has had enough. */
export function drip(socket: Socket, text: string): void {
  const timer = setInterval(() => socket.write(text), 20)
  socket.on('close', () => clearInterval(timer))
}

export const ok: RequestListener = (_request, response) => void response.end('ok')
