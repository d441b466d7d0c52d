/** A server with a constant reply: the limit of the load generator. */
import { createServer } from 'node:http'

const body = JSON.stringify({ id: 'project', name: 'Bakery De Molen', plan: 'reachable' })
const headers = { 'content-type': 'application/json', 'content-length': body.length }

const server = createServer((_request, response) => response.writeHead(200, headers).end(body))
server.listen(0, '127.0.0.1', () => {
  const address = server.address()
  console.log(typeof address === 'object' && address ? address.port : 0)
})
