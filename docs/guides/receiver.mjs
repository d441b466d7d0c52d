// A webhook receiver for trying things out: prints each event and whether its signature holds.
// Usage: WEBHOOK_SECRET=whsec_… node docs/guides/receiver.mjs [port]
import { createHmac, timingSafeEqual } from 'node:crypto'
import { createServer } from 'node:http'

const secret = process.env.WEBHOOK_SECRET ?? ''
const port = Number(process.argv[2] ?? 4500)
const TOLERANCE_SECONDS = 300

function holds(header, body) {
  const parts = header.split(',').map((part) => part.split(/=(.*)/s))
  const t = parts.find(([name]) => name === 't')?.[1] ?? ''
  const expected = createHmac('sha256', secret).update(`${t}.${body}`).digest()
  const isFresh = Math.abs(Date.now() / 1000 - Number(t)) <= TOLERANCE_SECONDS
  return isFresh && parts.some(([name, value]) => {
    const given = Buffer.from(value ?? '', 'hex')
    return name === 'v1' && given.length === expected.length && timingSafeEqual(given, expected)
  })
}

createServer(async (request, response) => {
  const chunks = []
  for await (const chunk of request) chunks.push(chunk)
  const body = Buffer.concat(chunks).toString()
  const ok = holds(request.headers['service-signature'] ?? '', body)
  console.log(`${request.headers['service-event']}: signature ${ok ? 'ok' : 'WRONG'} ${body.slice(0, 120)}`)
  response.writeHead(ok ? 204 : 400).end()
}).listen(port, '127.0.0.1', () => console.log(`waiting for events on http://localhost:${port}`))
