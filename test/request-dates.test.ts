/** Dates and times in queries that JavaScript or PostgreSQL cannot read. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { slugOf } from './fixtures/data/data.ts'
import { openTestRuntime } from './fixtures/runtime.ts'
import { newSiteOwner } from './fixtures/sites/site-owner.ts'

const fixture = await openTestRuntime({ work: false })
const owner = await newSiteOwner(fixture)
const site = await owner.publish({ 'index.html': '<!doctype html><title>Home</title>' })

const days = ['0000-01-01', '1999-12-31', '2026-02-30']
const times = [
  '0000-01-01T00:00:00Z',
  '1999-12-31T23:59:59Z',
  '2016-12-31T23:59:60Z',
  '2026-02-30T00:00:00Z',
]
const queries = [
  { path: '/usage', names: ['from', 'to'], given: days },
  { path: `/sites/${site.id}/visits`, names: ['from', 'to'], given: days },
  { path: '/activity', names: ['from', 'to'], given: times },
  { path: '/requests', names: ['from', 'to'], given: times },
  { path: '/calls', names: ['since', 'until'], given: times },
]

for (const { path, names, given } of queries) {
  test(`GET ${path.replace(site.id, '{id}')} refuses dates before 2000 and dates that do not exist`, async () => {
    for (const name of names) {
      for (const text of given) {
        const answer = await owner.call(`GET ${path}?${name}=${text}`)
        assert.deepEqual([answer.status, slugOf(answer)], [400, 'invalid_parameter'], answer.text)
        assert.match(answer.body.detail, new RegExp(`${name} `))
      }
    }
  })
}
