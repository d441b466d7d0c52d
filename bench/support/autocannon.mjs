/**
 * Runs autocannon over prepared requests; connections have disjoint shares, so that no two send the
 * same request at once: `node autocannon.mjs <file with the requests>`.
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
