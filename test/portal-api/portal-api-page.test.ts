/**
 * The documentation page of the portal's API: every operation for people, its roles and its use.
 */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { openTestRuntime } from '../fixtures/runtime.ts'
import { peopleOperations } from '../../server/app.ts'

const runtime = await openTestRuntime({ work: false })
const read = async (path: string) => (await fetch(runtime.url + path)).text()
const page = await read('/docs/portal-api')
const markdown = await read('/docs/portal-api.md')

describe('the page about the API of the portal', () => {
  test('lists every operation for people and no operation for keys', () => {
    for (const { name, route } of peopleOperations) {
      assert.ok(page.includes(`id="${name}"`), name)
      assert.ok(markdown.includes(route), route)
    }
    assert.ok(!page.includes('id="numbers.order"'))
  })

  test('shows the roles of each operation, and which operations need a recent confirmation of identity', () => {
    const words = {
      person: 'Any signed-in person',
      viewer: 'All members',
      member: 'Members and above',
      admin: 'Admins and owners',
      owner: 'Owners',
      operator: 'Operators',
    }
    for (const { route, access, fresh } of peopleOperations) {
      const from = markdown.indexOf(`### ${route}\n`)
      const section = markdown.slice(from, markdown.indexOf('\n### ', from + 5))
      assert.ok(section.includes(`- ${words[access]}`), route)
      assert.equal(section.includes('- Needs recent confirmation of identity'), fresh, route)
      assert.match(section, /-H "Cookie: \$HOMEPORT_SESSION"/, route)
      assert.ok(!section.includes('Authorization'), route)
    }
  })

  test('shows the project id in the paths of project operations', () => {
    assert.match(markdown, /portal\/api\/v1\/projects\/[0-9a-f-]{36}\/members/)
  })

  test('links to the OpenAPI document, and is listed in llms.txt', async () => {
    assert.match(page, /\/portal\/api\/v1\/openapi\.json/)
    assert.match(await read('/llms.txt'), /\/docs\/portal-api\.md/)
  })

  test('is not part of the reference for keys', async () => {
    const reference = await read('/docs/reference')
    for (const { name } of peopleOperations) assert.ok(!reference.includes(`id="${name}"`), name)
  })
})
