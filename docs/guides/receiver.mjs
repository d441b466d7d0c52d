// A webhook receiver for trying things out: prints each event and whether its signature holds.
//
//   WEBHOOK_SECRET=whsec_… node docs/guides/receiver.mjs [port]
import { createServer } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { refusal } from './verify-signatures/node.mjs'

const port = Number(process.argv[2] ?? 4500)

createServer(async (request, response) => {
  const body = await buffer(request)
  const reason = refusal({
    header: request.headers['service-signature'] ?? '',
    body,
    secret: process.env.WEBHOOK_SECRET ?? '',
    now: Math.floor(Date.now() / 1000),
  })
  const verdict = reason ? `refused, ${reason}` : 'signature ok'
  console.log(`${request.headers['service-event']}: ${verdict} ${body.toString().slice(0, 120)}`)
  response.writeHead(reason ? 400 : 204).end()
}).listen(port, '127.0.0.1', () => console.log(`waiting for events on http://localhost:${port}`))
