/**
 * Tests of the project pages, in a real browser without JavaScript: content, accessibility and use
 * on a phone.
 */
import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import type { BrowserContext, Page } from 'playwright-core'
import { openBrowser } from '../../../../../test/fixtures/portal/browser.ts'
import { assertFit } from '../../../../../test/fixtures/portal/fit.ts'
import { openTestRuntime } from '../../../../../test/fixtures/runtime.ts'
import {
  createSignInPath,
  createOwnedProject,
  signIn,
} from '../../../../../test/fixtures/portal/portal.ts'
import { attemptNow } from '../../../../areas/webhooks/attempt/test-attempt.ts'
import { openReceiver } from '../../../../../test/fixtures/webhooks/webhook-receiver.ts'
import { eventually } from '../../../../../test/fixtures/eventually.ts'

const fixture = await openTestRuntime()
const browser = await openBrowser()
const owner = 'owner@bakery.example'
const project_id = await createOwnedProject(fixture, owner)
const key = await fixture.newKey({ project_id })
const receiver = await openReceiver()
const path = `/portal/projects/${project_id}`

async function newEndpoint(query = '', project = project_id): Promise<string> {
  const key = await fixture.newKey({ project_id: project })
  const body = { url: `${receiver.url}${query}`, events: ['call.completed'] }
  const made = await fixture.call('POST /webhooks', { key, body })
  assert.equal(made.status, 201, made.text)
  return made.body.id
}

async function fail(
  endpoint_id: string,
  times: number,
  { status = 500, project_id: project = project_id } = {},
): Promise<void> {
  receiver.answers(status)
  for (let count = 0; count < times; count++) {
    await attemptNow(fixture.runtime, { project_id: project, endpoint_id })
  }
}

const visitor = await signIn(fixture, owner)

describe('the project page', () => {
  test('shows facts, balance, rails and numbers', async () => {
    await fixture.call('POST /numbers', { key, body: {}, headers: { 'idempotency-key': 'n' } })
    const { text, status } = await visitor.get(path)
    assert.equal(status, 200)
    assert.match(text, /Verified<\/dt>\s*<dd>nothing yet/)
    assert.ok(!text.includes('/api/v1/status'))
    for (const words of [project_id, 'Reachable', '€ 0.00', 'Outbound calls', '+447700900']) {
      assert.ok(text.includes(words), words)
    }
  })

  test('answers 404 to outsiders and after deletion', async () => {
    const other_id = await createOwnedProject(fixture, 'other@bakery.example')
    const other = await signIn(fixture, 'other@bakery.example')
    for (const page of ['', '/webhooks']) assert.equal((await other.get(path + page)).status, 404)
    assert.equal((await other.post(`${path}/webhooks/${project_id}/test`)).status, 404)
    assert.equal((await visitor.get('/portal/projects/no-id')).status, 404)
    const deleted_at = fixture.runtime.clock.now()
    await fixture.runtime.db.transact((tx) =>
      tx.updateTable('projects').set({ deleted_at }).where('id', '=', other_id).execute(),
    )
    assert.equal((await other.get(`/portal/projects/${other_id}`)).status, 404)
    assert.doesNotMatch((await other.get('/portal')).text, new RegExp(other_id))
  })

  test('leads to the portal with scripts for pages that exist there only', async () => {
    const visitor = await signIn(fixture, owner)
    const { status, to } = await visitor.get(`${path}/assistant`)
    assert.deepEqual([status, to], [303, `/portal/app/projects/${project_id}/assistant`])
  })

  test('escapes text of the project', async () => {
    const name = '<script>alert(1)</script>"\'&'
    await fixture.runtime.db.transact((tx) =>
      tx.updateTable('projects').set({ name }).where('id', '=', project_id).execute(),
    )
    for (const page of ['/portal', path, `${path}/webhooks`]) {
      const { text } = await visitor.get(page)
      assert.ok(!text.includes('<script>alert'))
      assert.ok(text.includes('&lt;script&gt;alert(1)&lt;/script&gt;&quot;&#39;&amp;'))
    }
    await fixture.runtime.db.transact((tx) =>
      tx.updateTable('projects').set({ name: 'Bakery' }).where('id', '=', project_id).execute(),
    )
  })
})

describe('webhooks on the pages', () => {
  test('shows a warning and the fix for a failing endpoint on both pages', async () => {
    const endpoint_id = await newEndpoint('?token=secret-of-the-receiver')
    assert.match((await visitor.get(path)).text, /No failed deliveries/)
    await fail(endpoint_id, 30)
    const overview = await visitor.get(path)
    assert.match(overview.text, /30 attempts in a row have failed/)
    assert.match(overview.text, /After 20 more failures it is disabled/)
    const page = await visitor.get(`${path}/webhooks`)
    assert.match(page.text, /30 attempts in a row have failed/)
    assert.match(page.text, /How to fix it/)
    assert.ok(!page.text.includes('secret-of-the-receiver'))
  })

  test('shows the cause from the first failed attempt, also after the endpoint is disabled', async () => {
    const owner = 'why@bakery.example'
    const project_id = await createOwnedProject(fixture, owner)
    const visitor = await signIn(fixture, owner)
    const path = `/portal/projects/${project_id}/webhooks`
    const endpoint_id = await newEndpoint('', project_id)
    assert.doesNotMatch((await visitor.get(path)).text, /Last error/)
    receiver.answers(403)
    const { to } = await visitor.post(`${path}/${endpoint_id}/test`)
    const tested = await visitor.get(to ?? '')
    assert.match(tested.text, /did not arrive\. The reason is shown below/)
    assert.match(tested.text, /test failed<\/span>/)
    assert.match(tested.text, /failed: answered with status 403\. It does not count/)
    assert.doesNotMatch(tested.text, /unused|Nothing has been sent/)
    await fail(endpoint_id, 1, { project_id, status: 403 })
    const page = await visitor.get(path)
    assert.match(page.text, /Last error<\/dt>\s*<dd>answered with status 403/)
    assert.match(page.text, /1 attempt in a row failed\. Each delivery is retried/)
    assert.doesNotMatch(page.text, /Failed deliveries/)
    await fail(endpoint_id, 48, { project_id })
    await fail(endpoint_id, 1, { project_id, status: 308 })
    const off = await visitor.get(path)
    assert.match(off.text, /Disabled after 50 failed attempts/)
    assert.match(off.text, /Last error<\/dt>\s*<dd>answered with status 308/)
    assert.match(off.text, /How to fix it[\s\S]*Redirects are not followed/)
  })

  test('enables a disabled endpoint with a button, and sends it a test event', async () => {
    const endpoint_id = await newEndpoint('?second')
    await fail(endpoint_id, 50)
    assert.match((await visitor.get(path)).text, /Disabled after 50 failed attempts/)
    const action = `${path}/webhooks/${endpoint_id}`
    assert.equal((await visitor.post(`${action}/enable`)).to, `${path}/webhooks?done=enabled`)
    assert.equal((await visitor.post(`${action}/test`)).to, `${path}/webhooks?done=failed`)
    receiver.answers(204)
    assert.equal((await visitor.post(`${action}/test`)).to, `${path}/webhooks?done=delivered`)
    assert.match(
      (await visitor.get(`${path}/webhooks?done=delivered`)).text,
      /The test event arrived/,
    )
    assert.doesNotMatch((await visitor.get(path)).text, /Disabled after/)
  })

  test('lists finally failed deliveries with the reason, and resends them', async () => {
    const endpoint_id = await newEndpoint('?third')
    receiver.answers(500)
    await fixture.call(`POST /webhooks/${endpoint_id}/test`, { key })
    const pauses = [
      '1 minute',
      '5 minutes',
      '30 minutes',
      '2 hours',
      '6 hours',
      '12 hours',
      '24 hours',
    ]
    for (const [index, pause] of pauses.entries()) {
      fixture.passes(pause)
      fixture.passes('1 second')
      await eventually(async () => (await attemptsOf(endpoint_id)) === index + 2)
    }
    const again = await signIn(fixture, owner)
    const page = await again.get(`${path}/webhooks`)
    assert.match(page.text, /Failed deliveries/)
    assert.match(page.text, /answered with status 500/)
    const [, delivery_id] = /deliveries\/([0-9a-f-]{36})\/redeliver/.exec(page.text) ?? []
    receiver.answers(204)
    const sent = await again.post(`${path}/deliveries/${delivery_id}/redeliver`)
    assert.equal(sent.to, `${path}/webhooks?done=arrived`)
    assert.match((await again.get(path)).text, /No failed deliveries|failed deliver/)
  })

  test('refuses access to endpoints of other projects', async () => {
    const foreign = await fixture.call('POST /webhooks', {
      body: { url: receiver.url, events: ['call.completed'] },
    })
    for (const verb of ['enable', 'test']) {
      const page = await visitor.post(`${path}/webhooks/${foreign.body.id}/${verb}`)
      assert.equal(page.status, 404)
    }
    assert.equal((await visitor.post(`${path}/deliveries/nonsense/redeliver`)).status, 404)
  })
})

/** Returns the number of attempts of the only delivery to an endpoint. */
async function attemptsOf(endpoint_id: string): Promise<number | undefined> {
  const row = await fixture.runtime.db
    .selectFrom('webhook_deliveries')
    .select('attempt')
    .where('project_id', '=', project_id)
    .where('endpoint_id', '=', endpoint_id)
    .executeTakeFirst()
  return row?.attempt
}

describe('the project pages in a browser without JavaScript', () => {
  after(async () => {
    await browser.close()
  })

  async function open(
    width: number,
    { dark = false, script = false } = {},
  ): Promise<[BrowserContext, Page]> {
    const context = await browser.newContext({
      javaScriptEnabled: script,
      viewport: { width, height: 800 },
      colorScheme: dark ? 'dark' : 'light',
    })
    return [context, await context.newPage()]
  }

  test('supports sign-in by link, reading and resolving a warning, and sign-out', async () => {
    const endpoint_id = await newEndpoint('?fourth')
    await fail(endpoint_id, 50)
    const [context, page] = await open(1280)
    await page.goto(fixture.url + (await createSignInPath(fixture, owner)))
    await page.getByRole('link', { name: 'Bakery', exact: true }).click()
    await page.getByRole('link', { name: 'What to do' }).first().click()
    receiver.answers(204)
    await page.getByRole('button', { name: 'Enable' }).first().click()
    await page.getByText('The endpoint is enabled').waitFor()
    await page.getByRole('button', { name: 'Sign out' }).click()
    await page.getByRole('heading', { name: 'Sign in' }).waitFor()
    await page.goto(`${fixture.url}${path}`)
    assert.match(page.url(), /sign-in\?next=/)
    await context.close()
  })

  const places = [
    '/portal',
    path,
    `${path}/go-live`,
    `${path}/billing`,
    `${path}/company`,
    `${path}/webhooks`,
    `${path}/team`,
    `${path}/keys`,
    '/portal/account',
    '/portal/account/totp',
    '/portal/account/passkeys',
  ]

  test('supports sign-in with a password and sign-out', async () => {
    const [context, page] = await open(390)
    const password = 'correct horse battery staple'
    await page.goto(fixture.url + (await createSignInPath(fixture, owner)))
    await page.getByRole('link', { name: owner }).click()
    await page.getByLabel('New password').fill(password)
    await page.getByRole('button', { name: 'Save password' }).click()
    await page.getByText('The password is saved').waitFor()
    await page.getByRole('button', { name: 'Sign out' }).first().click()
    await page.getByLabel('Email address').fill(owner)
    await page.getByRole('button', { name: 'Continue' }).click()
    await page.getByLabel('Password').fill(password)
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
    await page.getByRole('heading', { name: 'Projects' }).waitFor()
    await context.close()
  })

  test('passes axe in light and dark mode, and fits a phone', async () => {
    await fail(await newEndpoint('?fifth'), 30)
    for (const dark of [false, true]) {
      for (const width of [1280, 390]) {
        const [context, page] = await open(width, { dark, script: true })
        await page.goto(`${fixture.url}/portal/sign-in`)
        await assertFit(page, width)
        await page.getByLabel('Email address').fill(owner)
        await page.getByRole('button', { name: 'Continue' }).click()
        await page.getByLabel('Password').waitFor()
        await assertFit(page, width)
        await page.goto(fixture.url + (await createSignInPath(fixture, owner)))
        for (const place of places) {
          await page.goto(fixture.url + place)
          await assertFit(page, width)
        }
        await context.close()
      }
    }
  })
})
