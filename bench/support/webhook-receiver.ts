/**
 * The customer's server in webhook measurements, a separate process: it reads each request, replies
 * 204 and records the time of arrival by the machine's monotonic clock, which is the same in all
 * processes. The message `report` returns the arrivals since the last report.
 */
import { createServer } from 'node:http'

interface Arrival {
  /** The subject of the event. */
  name: string
  at_ns: string
}

let arrivals: Arrival[] = []

const server = createServer((request, response) => {
  const at_ns = String(process.hrtime.bigint())
  const chunks: Buffer[] = []
  request.on('data', (chunk: Buffer) => chunks.push(chunk))
  request.on('end', () => {
    const name = /"data":\{"call":\{"id":"([^"]+)"/.exec(Buffer.concat(chunks).toString())?.[1]
    arrivals.push({ name: name ?? '', at_ns })
    response.writeHead(204).end()
  })
})
// Only the client closes idle connections.
server.keepAliveTimeout = 60_000
server.listen(0, '127.0.0.1', () => {
  const address = server.address()
  process.send?.({ port: typeof address === 'object' && address ? address.port : 0 })
})
process.on('message', () => {
  process.send?.({ arrivals })
  arrivals = []
})
process.on('disconnect', () => process.exit())
