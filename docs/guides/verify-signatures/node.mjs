// Checks that a webhook request comes from Homeport. Needs nothing but Node.js.
//
//   SERVICE_SIGNATURE='t=…,v1=…' WEBHOOK_SECRET='whsec_…' node node.mjs < body.json
//
// In a server:
//
//   import { createServer } from 'node:http'
//   import { buffer } from 'node:stream/consumers'
//   import { refusal } from './node.mjs'
//
//   createServer(async (request, response) => {
//     const body = await buffer(request) // The bytes as they came, before any JSON parser.
//     const reason = refusal({
//       header: request.headers['service-signature'] ?? '',
//       body,
//       secret: process.env.WEBHOOK_SECRET,
//       now: Math.floor(Date.now() / 1000),
//     })
//     if (reason) return response.writeHead(400).end(reason)
//     response.writeHead(204).end()
//     await handle(JSON.parse(body)) // Handle each event id once.
//   }).listen(9000)
import { createHmac, timingSafeEqual } from 'node:crypto'
import { buffer } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'

const TOLERANCE_SECONDS = 300

/** Returns null for a genuine request, otherwise the reason to refuse it. */
export function refusal({ header, body, secret, now }) {
  let time = ''
  const signatures = []
  for (const part of header.split(',')) {
    const [name, ...rest] = part.split('=')
    if (name === 't') time = rest.join('=')
    if (name === 'v1') signatures.push(rest.join('='))
  }
  if (!/^\d{1,12}$/.test(time) || signatures.length === 0)
    return 'the signature header is malformed'
  if (Math.abs(now - Number(time)) > TOLERANCE_SECONDS) return 'the signature is too old or too new'
  const expected = createHmac('sha256', secret).update(`${time}.`).update(body).digest('hex')
  if (!signatures.some((one) => isSame(one, expected))) return 'no signature matches'
  return null
}

function isSame(left, right) {
  const [a, b] = [Buffer.from(left), Buffer.from(right)]
  return a.length === b.length && timingSafeEqual(a, b)
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { SERVICE_SIGNATURE = '', WEBHOOK_SECRET = '', NOW } = process.env
  const reason = refusal({
    header: SERVICE_SIGNATURE,
    body: await buffer(process.stdin),
    secret: WEBHOOK_SECRET,
    now: NOW ? Number(NOW) : Math.floor(Date.now() / 1000),
  })
  console.log(reason ?? 'ok')
  process.exitCode = reason ? 1 : 0
}
