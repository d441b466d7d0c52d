// A webhook receiver for trials: prints each event and the result of its signature check.
//
// WEBHOOK_SECRET=whsec_… node docs/guides/receiver.mjs [port] [events to stop after]
import { createServer } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { refusal } from './verify-signatures/node.mjs'

const port = Number(process.argv[2] ?? 4500)
let remaining = Number(process.argv[3] ?? Infinity)

const server = createServer(async (request, response) => {
  if (request.method !== 'POST') return void response.writeHead(405, { allow: 'POST' }).end()
  const body = await buffer(request)
  const reason = refusal({
    header: request.headers['service-signature'] ?? '',
    body,
    secret: process.env.WEBHOOK_SECRET ?? '',
    now: Math.floor(Date.now() / 1000),
  })
  const verdict = reason ? `refused, ${reason}` : 'signature ok'
  console.log(`${request.headers['service-event']}: ${verdict} ${body.toString().slice(0, 120)}`)
  response.writeHead(reason ? 400 : 204, { connection: 'close' }).end()
  remaining -= 1
  if (remaining === 0) server.close()
})
server.listen(port, '127.0.0.1', () =>
  console.log(`waiting for events on http://localhost:${port}`),
)
