/**
 * A process for tests of errors that nothing handles: a server of which two paths throw outside of
 * any promise, and two jobs, one that throws in a timer and one that ends the process. It writes
 * what it logs to stderr and a line of JSON with its port to stdout.
 */
import { setTimeout as delay } from 'node:timers/promises'
import { Type } from 'typebox'
import { newServer } from '../../server/edges/http/server.ts'
import { addHealth } from '../../server/edges/http/health.ts'
import { job, startJobs } from '../../server/kernel/jobs.ts'
import { surviveUnexpectedErrors } from '../../server/kernel/unexpected-errors.ts'
import { openBareHouse, standingClock } from './bare-house.ts'

const payload = Type.Object({})

export const throwingJob = job({
  name: 'failing.throws_in_timer',
  payload,
  retry_after_s: [],
  async run() {
    setTimeout(() => {
      throw new Error('thrown in a timer of a job')
    })
    await new Promise(() => {})
  },
})

export const endingJob = job({
  name: 'failing.ends_process',
  payload,
  retry_after_s: [],
  async run() {
    process.stdout.write('{"ending": true}\n', () => process.kill(process.pid, 'SIGKILL'))
    await new Promise(() => {})
  },
})

/** A job that is running whenever the process ends, and is not the cause. */
export const bystanderJob = job({
  name: 'failing.bystander',
  payload,
  retry_after_s: [],
  async run() {
    await delay(50)
  },
})

if (import.meta.main) {
  const { connection, offset_s } = JSON.parse(process.argv[2] ?? '{}')
  const house = openBareHouse(connection, standingClock(offset_s))
  surviveUnexpectedErrors(house)
  const app = newServer(house, ({ url }, response) => {
    if (url === '/throws') setTimeout(() => fail('thrown in a timer of a request'))
    else if (url === '/rejects') void Promise.reject(new Error('rejected without a handler'))
    else if (url === '/ok') response.end('ok')
    else return false
    return true
  })
  addHealth(app, house)
  await app.listen({ host: '127.0.0.1', port: 0 })
  const address = app.server.address()
  const port = typeof address === 'object' && address ? address.port : 0
  const jobs = [throwingJob, endingJob, bystanderJob]
  startJobs(house, { jobs, reconcilers: [] })
  process.stdout.write(`${JSON.stringify({ port })}\n`)
}

function fail(message: string): never {
  throw new Error(message)
}
