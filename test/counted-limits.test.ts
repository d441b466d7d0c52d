/**
 * Tests of limits on the number of records of a project or person, under more concurrent requests
 * than they allow: exactly the allowed number succeeds, in any interleaving.
 */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { limits } from '../server/contract/limits.ts'
import { plans } from '../server/contract/plans.ts'
import { openTestRuntime, type Answer } from './fixtures/runtime.ts'
import { newTeam, type TestTeam } from './fixtures/portal/sessions.ts'

const fixture = await openTestRuntime({ work: false })
const MORE = 10

interface Counted {
  name: string
  limit: number
  /** The number of records that exist before the requests. */
  there: number
  slug: string
  ask(place: Place, n: number): Promise<Answer>
}

interface Place {
  team: TestTeam
  keyed(route: string, body: object): Promise<Answer>
}

async function newPlace(): Promise<Place> {
  const team = await newTeam(fixture)
  const key = await fixture.newKey({ project_id: team.project_id, mode: 'test' })
  return {
    team,
    keyed: (route, body) =>
      fixture.call(route, { key, body, headers: { 'idempotency-key': crypto.randomUUID() } }),
  }
}

const files = [{ path: 'index.html', content: 'Hello' }]
const counted: Counted[] = [
  {
    name: 'top-ups that wait to be paid',
    limit: limits.top_ups_open_max,
    there: 0,
    slug: 'conflict',
    ask: ({ team }) =>
      team.owner.call(`POST /projects/${team.project_id}/top-ups`, { body: { amount_eur: 25 } }),
  },
  {
    name: 'projects of one owner',
    limit: limits.projects_owned_max,
    there: 1,
    slug: 'conflict',
    ask: ({ team }, n) => team.owner.call('POST /projects', { body: { name: `Project ${n}` } }),
  },
  {
    name: 'members and invitations of a team',
    limit: plans.reachable.team_members_max,
    there: 5,
    slug: 'plan_limit_reached',
    ask: ({ team }, n) =>
      team.owner.call(`POST /projects/${team.project_id}/invitations`, {
        body: { email: `invited-${n}@team.example`, role: 'viewer' },
      }),
  },
  {
    name: 'sources of the assistant',
    limit: limits.assistant_sources_max,
    there: 0,
    slug: 'assistant_source_limit_reached',
    ask: ({ keyed }, n) =>
      keyed('POST /assistant/sources', { kind: 'text', title: `Text ${n}`, text: 'A text.' }),
  },
  {
    name: 'sites',
    limit: limits.sites_max,
    there: 2,
    slug: 'site_limit_reached',
    ask: ({ keyed, team }, n) =>
      keyed('POST /sites', {
        slug: `counted-${n}-${team.project_id.slice(-8)}`,
        visibility: 'unlisted',
        files,
      }),
  },
  {
    name: 'webhook endpoints',
    limit: limits.webhook_endpoints_max,
    there: 0,
    slug: 'webhook_limit_reached',
    ask: ({ keyed }, n) =>
      keyed('POST /webhooks', { url: `http://127.0.0.1:9/${n}`, events: ['call.completed'] }),
  },
  {
    name: 'test numbers',
    limit: limits.test_numbers_max,
    there: 0,
    slug: 'test_number_limit_reached',
    ask: ({ keyed }) => keyed('POST /numbers', {}),
  },
  {
    name: 'collections',
    limit: plans.reachable.collections_max,
    there: 0,
    slug: 'collection_limit_reached',
    ask: ({ keyed }, n) => keyed('POST /collections', { name: `c${n}` }),
  },
]

describe('concurrent requests never exceed the limit of', () => {
  for (const { name, limit, there, slug, ask } of counted) {
    test(name, async () => {
      const place = await newPlace()
      const room = limit - there
      const answers = await Promise.all(
        Array.from({ length: room + MORE }, (_, n) => ask(place, n)),
      )
      const done = answers.filter(({ status }) => status < 300)
      const refused = answers.filter(({ status }) => status >= 300)
      const slugs = new Set(refused.map(({ body }) => body.type.split('/').at(-1)))
      assert.deepEqual([...slugs], [slug], JSON.stringify(refused.map(({ text }) => text)))
      assert.equal(done.length, room)
    })
  }
})
