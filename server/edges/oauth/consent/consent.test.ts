/** Tests of the consent page, in a real browser without JavaScript. */
import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import { after, describe, test } from 'node:test'
import type { BrowserContext } from 'playwright-core'
import { openBrowser } from '../../../../test/fixtures/portal/browser.ts'
import { assertFit } from '../../../../test/fixtures/portal/fit.ts'
import { openTestRuntime } from '../../../../test/fixtures/runtime.ts'
import {
  openAuthorization,
  registerNewClient,
  newRequest,
  redeemCode,
  register,
} from '../../../../test/fixtures/portal/oauth.ts'
import {
  createSignInPath,
  newVisitor,
  createOwnedProject,
  signIn,
} from '../../../../test/fixtures/portal/portal.ts'
import { scopeNames, scopes } from '../../../contract/scopes.ts'
import { listen } from '../../../../test/fixtures/loopback.ts'

const fixture = await openTestRuntime({ work: false })
const browser = await openBrowser()
const { runtime } = fixture
const { public_url } = runtime.config
const { body: document } = await fixture.call('GET /openapi.json', { key: null })
const operations = Object.entries<object>(document.paths).flatMap(([path, methods]) =>
  Object.entries<any>(methods).map(([method, operation]) => ({
    path,
    method: method.toUpperCase(),
    scope: operation['x-scope'],
  })),
)

let owners = 0
async function newScene() {
  const email = `owner-${(owners += 1)}@bakery.example`
  const project_id = await createOwnedProject(fixture, email)
  return { email, project_id }
}

/** Opens a client on this device, which listens for the redirect of the browser. */
async function newListener() {
  const heard = Promise.withResolvers<URLSearchParams>()
  const server = createServer((request, response) => {
    response.end('Back in the program.')
    heard.resolve(new URL(request.url ?? '', 'http://localhost').searchParams)
  })
  const port = await listen({ after }, server)
  return { uri: `http://127.0.0.1:${port}/callback`, heard: heard.promise }
}

describe('the consent page', () => {
  test('shows the client name as unverified, and the host of the redirect', async () => {
    const { email } = await newScene()
    const visitor = await signIn(fixture, email)
    const { body } = await register(fixture, {
      client_name: '<b>Claude</b> by Homeport" onclick="',
      client_uri: 'https://claude.ai',
      redirect_uris: ['https://evil.example/callback'],
      token_endpoint_auth_method: 'none',
    })
    const program = { client_id: body.client_id, redirect_uri: 'https://evil.example/callback' }
    const asked = await openAuthorization(visitor, newRequest(program).query)
    const { text } = await visitor.get(asked.to ?? '')
    assert.ok(text.includes('&lt;b&gt;Claude&lt;/b&gt; by Homeport&quot; onclick=&quot;'))
    assert.ok(text.includes('<b>evil.example</b>'))
    assert.match(text, /It is not verified that this is really/)
    assert.ok(!text.includes('https://claude.ai'))
  })

  test('preselects requested scopes for reading, and no others', async () => {
    const { email } = await newScene()
    const visitor = await signIn(fixture, email)
    const on = async (scope?: string) => {
      const { query } = newRequest(await registerNewClient(fixture))
      const asked = await openAuthorization(
        visitor,
        scope === undefined ? query : { ...query, scope },
      )
      const { text } = await visitor.get(asked.to ?? '')
      const boxes = [...text.matchAll(/name="scope"\s+value="([^"]+)"\s+(checked)?/g)]
      const used = scopeNames.filter((scope) => operations.some((one) => one.scope === scope))
      const reads = used.filter((scope) => scopes[scope].read_only)
      assert.deepEqual(
        boxes.map(([, name]) => name),
        [...reads, ...used.filter((scope) => !reads.includes(scope))],
      )
      return boxes.filter(([, , checked]) => checked).map(([, name]) => name)
    }
    const reading = ['project', 'numbers', 'calls', 'messages', 'chat', 'sites', 'data', 'payments']
    assert.deepEqual(
      await on(),
      reading.map((name) => `${name}:read`),
    )
    assert.deepEqual(await on('sites:read sites:write data:write'), ['sites:read'])
    assert.deepEqual(await on('sites:write'), [])
  })

  test('omits scopes without an operation on this server', async () => {
    const { email } = await newScene()
    const visitor = await signIn(fixture, email)
    const asked = await openAuthorization(
      visitor,
      newRequest(await registerNewClient(fixture)).query,
    )
    const { text } = await visitor.get(asked.to ?? '')
    const roots = {
      agents: '/agents',
      domains: '/domains',
      apps: '/apps',
      conversations: '/conversations',
      SMS: '/messages',
      email: '/email',
      messages: '/messages',
      'call people': '/calls',
    }
    for (const [word, root] of Object.entries(roots)) {
      const exists = operations.some(({ path, method }) => method === 'POST' && path === root)
      const choices = [...text.matchAll(/<b>[^<]*<\/b>: ([^<]*)</g)].map(([, words]) => words)
      assert.ok(choices.length > 10)
      if (!exists) assert.doesNotMatch(choices.join('\n'), new RegExp(`\\b${word}\\b`), word)
    }
  })

  test('grants no scope that it does not offer', async () => {
    const { email, project_id } = await newScene()
    const visitor = await signIn(fixture, email)
    const asked = await openAuthorization(
      visitor,
      newRequest(await registerNewClient(fixture)).query,
    )
    const form = { project: project_id, mode: 'test', scope: ['apps:write'], decision: 'allow' }
    const { status, text } = await visitor.post(asked.to ?? '', form)
    assert.equal(status, 422)
    assert.match(text, /Choose at least one permission/)
  })

  test('explains that only checked scopes are granted, and marks requested ones that are not', async () => {
    const { email } = await newScene()
    const visitor = await signIn(fixture, email)
    const pageFor = async (scope: string) => {
      const { query } = newRequest(await registerNewClient(fixture))
      const asked = await openAuthorization(visitor, { ...query, scope })
      return (await visitor.get(asked.to ?? '')).text.replaceAll(/\s+/g, ' ')
    }
    const writing = await pageFor('sites:read sites:write')
    assert.match(writing, /gets exactly the permissions checked below/)
    assert.match(
      writing,
      /also requests permission to make changes: Sites and files \(publish and change/,
    )
    const reading = await pageFor('sites:read')
    assert.match(reading, /only requested read permissions are checked/)
    assert.doesNotMatch(reading, /also requests permission to make changes/)
  })

  test('offers live mode only where live keys are possible', async () => {
    const { email, project_id } = await newScene()
    const visitor = await signIn(fixture, email)
    const modes = async () => {
      const asked = await openAuthorization(
        visitor,
        newRequest(await registerNewClient(fixture)).query,
      )
      const { text } = await visitor.get(asked.to ?? '')
      return [...text.matchAll(/name="mode"\s+value="(\w+)"/g)].map(([, mode]) => mode)
    }
    assert.deepEqual(await modes(), ['test'])
    await runtime.db.transact((tx) =>
      tx
        .updateTable('projects')
        .set({ company_status: 'approved' })
        .where('id', '=', project_id)
        .execute(),
    )
    assert.deepEqual(await modes(), ['test', 'live'])
  })

  test('redirects a visitor without a session to sign in, and continues afterwards', async () => {
    const { email } = await newScene()
    const visitor = newVisitor(fixture)
    const asked = await openAuthorization(
      visitor,
      newRequest(await registerNewClient(fixture)).query,
    )
    const path = asked.to ?? ''
    assert.equal((await visitor.get(path)).to, `/portal/sign-in?next=${path}`)
    await visitor.get(await createSignInPath(fixture, email))
    assert.equal((await visitor.get(path)).status, 200)
  })

  test('offers only Cancel to a person without a project', async () => {
    const { email, project_id } = await newScene()
    const visitor = await signIn(fixture, email)
    await runtime.db.transact((tx) =>
      tx.updateTable('projects').set({ enabled: false }).where('id', '=', project_id).execute(),
    )
    const asked = await openAuthorization(
      visitor,
      newRequest(await registerNewClient(fixture)).query,
    )
    const page = await visitor.get(asked.to ?? '')
    assert.match(page.text, /are not a member of any project/)
    const cancelled = await visitor.post(asked.to ?? '', { decision: 'cancel' })
    assert.match(cancelled.to ?? '', /\/oauth\/authorize\//)
  })

  test('expires after an hour', async () => {
    const { email } = await newScene()
    const visitor = await signIn(fixture, email)
    const asked = await openAuthorization(
      visitor,
      newRequest(await registerNewClient(fixture)).query,
    )
    fixture.passes('61 minutes')
    const page = await visitor.get(asked.to ?? '')
    assert.equal(page.status, 404)
    assert.match(page.text, /has expired/)
  })
})

describe('the consent page in a browser without a script', () => {
  after(() => browser.close())

  async function signedIn(email: string): Promise<BrowserContext> {
    const context = await browser.newContext({
      javaScriptEnabled: false,
      viewport: { width: 390, height: 844 },
    })
    const tab = await context.newPage()
    await tab.goto(public_url + (await createSignInPath(fixture, email)))
    await tab.close()
    return context
  }

  test('returns to the client with a code after a choice of project and scopes', async () => {
    const { email, project_id } = await newScene()
    const second = await createOwnedProject(fixture, `${email}.other`)
    await runtime.db.transact((tx) =>
      tx.updateTable('projects').set({ owner_email: email }).where('id', '=', second).execute(),
    )
    const { uri, heard } = await newListener()
    const program = await registerNewClient(fixture, uri)
    const { query, verifier } = newRequest(program)
    const context = await signedIn(email)
    const tab = await context.newPage()
    await tab.goto(`${public_url}/oauth/authorize?${new URLSearchParams(query)}`)
    await tab.locator(`input[value="${project_id}"]`).check()
    await tab.getByRole('button', { name: 'Continue' }).click()
    await tab.locator('input[value="data:write"]').check()
    await tab.getByRole('button', { name: 'Allow' }).click()
    await tab.getByText('Back in the program.').waitFor()
    const code = (await heard).get('code') ?? ''
    const { body } = await redeemCode(fixture, program, { code, verifier })
    assert.ok(body.scope.includes('data:write'), JSON.stringify(body))
    const project = await fixture.call('GET /project', { key: body.access_token })
    assert.equal(project.body.id, project_id)
    await context.close()
  })

  test('returns to the client after Cancel', async () => {
    const { email } = await newScene()
    const { uri, heard } = await newListener()
    const { query } = newRequest(await registerNewClient(fixture, uri))
    const context = await signedIn(email)
    const tab = await context.newPage()
    await tab.goto(`${public_url}/oauth/authorize?${new URLSearchParams(query)}`)
    await tab.getByRole('button', { name: 'Cancel' }).click()
    await tab.getByText('Back in the program.').waitFor()
    assert.equal((await heard).get('error'), 'access_denied')
    await context.close()
  })

  test('fits a phone and has no accessibility fault', async () => {
    const { email } = await newScene()
    const context = await browser.newContext({
      viewport: { width: 360, height: 740 },
    })
    const tab = await context.newPage()
    await tab.goto(public_url + (await createSignInPath(fixture, email)))
    const { query } = newRequest(await registerNewClient(fixture))
    await tab.goto(`${public_url}/oauth/authorize?${new URLSearchParams(query)}`)
    await assertFit(tab, 360)
    await context.close()
  })
})
