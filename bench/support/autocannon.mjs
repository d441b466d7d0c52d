/**
 * autocannon over prepared requests, each connection with a share of its own, so that no two of
 * them ever ask the same at the same time: `node autocannon.mjs <file with the requests>`.
 */
import { readFileSync } from 'node:fs'
import autocannon from 'autocannon'

const { port, connections, seconds, requests } = JSON.parse(readFileSync(process.argv[2], 'utf8'))
let clients = 0

const result = await autocannon({
  url: `http://127.0.0.1:${port}`,
  connections,
  duration: seconds,
  setupClient(client) {
    const first = clients
    clients += 1
    client.setRequests(requests.filter((_, n) => n % connections === first % connections))
  },
})
console.log(JSON.stringify(result))
