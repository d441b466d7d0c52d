/**
 * The WebSocket over which a carrier sends what a caller says and speaks what is written: GET
 * /hooks/{provider}/relay. The URL proves that this server gave it to the carrier. Every other upgrade
 * is refused.
 */
import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import type { FastifyInstance } from 'fastify'
import { WebSocketServer, type WebSocket } from 'ws'
import * as calls from '../../areas/calls/service.ts'
import type { Runtime } from '../../kernel/runtime.ts'
import { callbackProvider } from '../../providers/carrier/carrier.ts'

const MESSAGE_BYTES_MAX = 65_536
/** Messages that wait to be read; a carrier that sends more is cut off. */
const WAITING_MAX = 500
const PING_MS = 20_000
const SOCKETS_MAX = 2_000

export function addCallRelay(app: FastifyInstance, runtime: Runtime): void {
  const relay = new WebSocketServer({
    noServer: true,
    clientTracking: true,
    maxPayload: MESSAGE_BYTES_MAX,
    perMessageDeflate: false,
  })
  app.server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    socket.on('error', () => socket.destroy())
    const key = readKey(runtime, request.url ?? '')
    if (key === null || relay.clients.size >= SOCKETS_MAX) return refuse(socket)
    relay.handleUpgrade(request, socket, head, (client) => {
      const open = openSocket(client)
      calls.runRelay(runtime, key, open).catch((error: unknown) => {
        runtime.log.error({ err: error, call_id: key.id }, 'a call relay failed')
        client.terminate()
      })
    })
  })
  app.addHook('preClose', async () => {
    for (const client of relay.clients) client.close(1001)
    relay.close()
  })
}

function refuse(socket: Duplex): void {
  socket.end('HTTP/1.1 403 Forbidden\r\nConnection: close\r\nContent-Length: 0\r\n\r\n')
}

function readKey(runtime: Runtime, url: string) {
  const found = URL.parse(url, 'http://relay.invalid')
  if (found === null) return null
  const { pathname, searchParams } = found
  if (pathname !== `/hooks/${callbackProvider(runtime.config)}/relay`) return null
  return calls.readCallReference(runtime, searchParams.get('call') ?? '')
}

/** Turns the events of a WebSocket into messages to wait for. */
function openSocket(client: WebSocket): calls.RelaySocket {
  const waiting: unknown[] = []
  let wake = () => {}
  let is_open = true
  const ping = setInterval(() => client.ping(), PING_MS)
  const close = () => {
    is_open = false
    clearInterval(ping)
    wake()
  }
  client.on('message', (data) => {
    if (waiting.length >= WAITING_MAX) return client.terminate()
    const message = parse(String(data))
    if (message === null) return
    waiting.push(message)
    wake()
  })
  client.on('close', close)
  client.on('error', () => client.terminate())
  return {
    send(message) {
      if (client.readyState === client.OPEN) client.send(JSON.stringify(message))
    },
    async next() {
      for (;;) {
        if (waiting.length > 0) return waiting.shift()
        if (!is_open) return null
        await new Promise<void>((resolve) => {
          wake = resolve
        })
      }
    },
    close: () => client.close(1000),
  }
}

/** Messages that are no JSON objects are ignored. */
function parse(text: string): object | null {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' ? value : null
  } catch {
    return null
  }
}
