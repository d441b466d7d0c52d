/**
 * Tests of the approval pages: content, accessibility, use without JavaScript and on a phone, and
 * escaping of foreign text.
 */
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { after, describe, test } from 'node:test'
import {
  propose,
  addTeamMember,
  readApproval,
  runTool,
  waitingOf,
} from '../../../../../test/fixtures/mcp/approvals.ts'
import { openBrowser } from '../../../../../test/fixtures/portal/browser.ts'
import { assertFit } from '../../../../../test/fixtures/portal/fit.ts'
import { openTestRuntime } from '../../../../../test/fixtures/runtime.ts'
import {
  createSignInPath,
  createOwnedProject,
  signIn,
} from '../../../../../test/fixtures/portal/portal.ts'

const fixture = await openTestRuntime()
const browser = await openBrowser()
const { runtime } = fixture
const email = 'owner@bakery.example'
const project_id = await createOwnedProject(fixture, email)
const key = await fixture.newKey({ project_id })
const owner = await signIn(fixture, email)
const viewer = await addTeamMember(fixture, project_id, {
  email: 'viewer@bakery.example',
  role: 'viewer',
})
const list = `/portal/projects/${project_id}/approvals`

async function deletion(): Promise<{ id: string; name: string; page: string }> {
  const name = `c-${crypto.randomUUID().slice(0, 12)}`
  await fixture.call('POST /collections', { key, body: { name } })
  const id = await propose(fixture, 'collections.delete', { name }, key)
  return { id, name, page: `${list}/${id}` }
}

const hashOf = (text: string) => /name="input_hash" value="([0-9a-f]{64})"/.exec(text)?.[1] ?? ''

async function isThere(name: string): Promise<boolean> {
  return (await fixture.call(`GET /collections/${name}`, { key })).status === 200
}

describe('the approval pages', () => {
  test('show the requester, the expiry and the exact change, and lead to all approvals', async () => {
    const { name, page } = await deletion()
    const one = await owner.get(page)
    for (const words of [
      /Deletes a collection/,
      /Requested by[^]{0,30}Key of a test/,
      /in 7[12] hours/,
    ])
      assert.match(one.text, words)
    assert.ok(one.text.includes(`href="/portal/app/projects/${project_id}/approvals"`))
    assert.equal(one.status, 200)
    assert.match(
      one.text,
      new RegExp(`<th scope="row">name</th>\\s*<td><span class="words">${name}`),
    )
    assert.match(one.text, /deletes data/)
    const looks = await viewer.get(page)
    assert.match(looks.text, /A member, admin or owner of the project can decide/)
    assert.doesNotMatch(looks.text, /<button class="primary"/)
  })

  test('show the record behind an id as long as it exists', async () => {
    const { name } = await deletion()
    const route = `/collections/${name}/documents`
    const made = await fixture.call(`POST ${route}`, {
      key,
      body: { guest: 'Ada <b>Lovelace</b>' },
    })
    const document = { name, id: made.body.id }
    const one = `${list}/${await propose(fixture, 'documents.delete', document, key)}`
    for (const visitor of [owner, viewer]) {
      const shown = (await visitor.get(one)).text
      assert.match(shown, /Subject:[^]*Ada &lt;b&gt;Lovelace&lt;\/b&gt;/)
    }
    await fixture.call(`DELETE ${route}/${document.id}`, { key })
    const gone = await owner.get(one)
    assert.equal(gone.status, 200)
    assert.doesNotMatch(gone.text, /Subject:/)
  })

  test('show the number of deletions of a batch above its list', async () => {
    const { name } = await deletion()
    const remove = { op: 'delete', id: crypto.randomUUID() }
    const operations = [remove, { ...remove, id: crypto.randomUUID() }, { op: 'create', data: {} }]
    const batch = { name, operations, each_alone: true }
    const id = await propose(fixture, 'documents.batch', batch, key)
    const { text } = await owner.get(`${list}/${id}`)
    assert.match(text, /It deletes 2 documents in [^]*<h2>Arguments/)
  })

  test('show the phone number to be released, and keep its label', async () => {
    const headers = { 'idempotency-key': crypto.randomUUID() }
    const { body } = await fixture.call('POST /numbers', { key, body: {}, headers })
    const asked = await runTool(fixture, 'numbers.release', { id: body.id }, key)
    const waiting = waitingOf(asked)
    assert.ok(waiting.user_message.includes(`It is about: ${body.e164}`), waiting.user_message)
    const page = `${list}/${waiting.approval.id}`
    const shown = await owner.get(page)
    const e164 = body.e164.replace('+', '\\+')
    assert.match(shown.text, new RegExp(`About[^]{0,30}${e164}`))
    const input_hash = hashOf(shown.text)
    assert.equal((await owner.post(`${page}/approve`, { input_hash })).to, page)
    assert.match((await owner.get(page)).text, new RegExp(`About[^]{0,30}${e164}`))
  })

  test('show the number of documents deleted with a collection', async () => {
    const { name } = await deletion()
    for (const guest of ['Ada', 'Bob'])
      await fixture.call(`POST /collections/${name}/documents`, { key, body: { guest } })
    const waiting = waitingOf(await runTool(fixture, 'collections.delete', { name }, key))
    const words = `It deletes ${name} with its 2 documents.`
    assert.ok(waiting.user_message.includes(words), waiting.user_message)
    assert.ok((await owner.get(`${list}/${waiting.approval.id}`)).text.includes(words))
  })

  test('warn if a home page is in the list, and name a site to be deleted', async () => {
    const key = await fixture.newKey({ project_id })
    const slug = `mill-${crypto.randomUUID().slice(0, 8)}`
    const files = (path: string) => [{ path, content: '<!doctype html><title>Mill</title>' }]
    const made = { title: 'Mill Bakery', slug, visibility: 'unlisted', files: files('index.html') }
    const site = await fixture.call('POST /sites', { key, body: made })
    assert.equal(site.status, 201, site.text)
    const { id } = site.body
    const encoded = { path: 'pixel.gif', content: 'R0lGODlhAQABAAAAACw=', encoding: 'base64' }
    const content = files('menu.html')[0]?.content ?? ''
    const sha256 = createHash('sha256').update(content).digest('hex')
    const stored = { path: 'copy.html', sha256, bytes: content.length }
    const sent = [...files('menu.html'), encoded, stored]
    const publication = await propose(fixture, 'sites.publish', { id, files: sent }, key)
    const [above = '', exactly = ''] = (await owner.get(`${list}/${publication}`)).text.split(
      '<h2>Arguments',
    )
    assert.match(above, /It takes away the home page: visitors of [^]*will find no page there/)
    const listed = [...exactly.matchAll(/<li>\s*<code>([^<]+)<\/code>([^<]*)<\/li>/g)]
    assert.deepEqual(
      listed.map(([, path, size]) => `${path}${size?.trim()}`),
      ['menu.html, 34 bytes', 'pixel.gif, 14 bytes', 'copy.html, 34 bytes'],
    )
    assert.match(exactly, /With contents, as JSON<\/summary>[^]*R0lGODlh/)
    const page = `${list}/${await propose(fixture, 'sites.delete', { id }, key)}`
    const { text } = await owner.get(page)
    assert.match(text, /<details\s*>\s*<summary>Technical details<\/summary>[^]*sites\.delete/)
    await owner.post(`${page}/approve`, { input_hash: hashOf(text) })
    assert.equal((await fixture.call(`GET /sites/${id}`, { key })).status, 404)
    assert.match((await owner.get(page)).text, /About[^]{0,30}Mill Bakery/)
  })

  test('accept an approval once and show its result', async () => {
    const { id, name, page } = await deletion()
    const input_hash = hashOf((await owner.get(page)).text)
    const done = await owner.post(`${page}/approve`, {
      input_hash,
      note: 'Thank you\r\nfor asking',
    })
    assert.equal(done.to, page)
    assert.equal(await isThere(name), false)
    const after = await owner.get(page)
    assert.match(after.text, /<p>Done\.<\/p>/)
    assert.match(after.text, /Thank you\nfor asking/)
    assert.doesNotMatch(after.text, /input_hash/)
    assert.equal((await readApproval(fixture, id, key)).note, 'Thank you\nfor asking')
    const late = await owner.post(`${page}/approve`, { input_hash })
    assert.equal(late.status, 409)
    assert.match(late.text, /owner@bakery.example already approved this/)
    assert.match(late.text, /<p>Done\.<\/p>/)
  })

  test('accept a rejection with a note, and show faults beside edited fields', async () => {
    const { id, page } = await deletion()
    const input_hash = hashOf((await owner.get(page)).text)
    for (const [wrong, words] of [
      ['{"name": 1, "more": 2}', /<code>\/more<\/code> is not an argument/],
      ['{"name": ', /aria-invalid="true"/],
      ['[1]', /must be a JSON object/],
      ['{"name": "<b>not-there</b>"}', /&lt;b&gt;not-there/],
    ] as const) {
      const refused = await owner.post(`${page}/edit`, { input_hash, arguments: wrong })
      assert.equal(refused.status, 422, wrong)
      assert.match(refused.text, words)
    }
    const other = await deletion()
    const given = JSON.stringify({ name: other.name })
    const kept = await owner.post(`${page}/edit`, { input_hash, arguments: given })
    assert.equal(kept.to, `${page}?done=edited`)
    const edited = await owner.get(kept.to!)
    assert.match(edited.text, /Your changes are saved/)
    assert.match(edited.text, /edited by a person/)
    const now = { input_hash: hashOf(edited.text), note: 'No <script>' }
    assert.equal((await owner.post(`${page}/reject`, now)).to, page)
    const rejected = await owner.get(page)
    assert.match(rejected.text, /Rejected\. Nothing was done\./)
    assert.match(rejected.text, /No &lt;script&gt;/)
    assert.equal((await readApproval(fixture, id, key)).status, 'rejected')
  })

  test('escape text from other sources', async () => {
    const markup = '<img src=x onerror=alert(1)>"\'&</textarea><script>alert(2)</script>'
    const { id, page } = await deletion()
    const given = { name: markup, list: [markup], [markup]: 1 }
    await runtime.db.transact((tx) =>
      tx
        .updateTable('approvals')
        .set({ arguments: JSON.stringify(given), asked_as: markup, about: markup, cost: markup })
        .where('id', '=', id)
        .execute(),
    )
    const { text } = await owner.get(page)
    assert.ok(!text.includes('<img src=x') && !text.includes('<script>alert'), text)
    assert.ok(text.includes('&lt;img src=x onerror=alert(1)&gt;'), text)
    await owner.post(`${page}/reject`, { input_hash: hashOf((await owner.get(page)).text) })
  })

  test('require a recent confirmation of identity before a decision, and return afterwards', async () => {
    const { name, page } = await deletion()
    const input_hash = hashOf((await owner.get(page)).text)
    const before = fixture.clock.now()
    const set = (fresh_at: Date) =>
      runtime.db.transact((tx) => tx.updateTable('sessions').set({ fresh_at }).execute())
    await set(new Date(before.getTime() - 16 * 60_000))
    const confirm = `/portal/confirm?next=${page}`
    const stale = await owner.get(page)
    assert.ok(stale.text.includes(confirm))
    assert.doesNotMatch(stale.text, /input_hash/)
    for (const verb of ['approve', 'reject', 'edit']) {
      const sent = { input_hash, arguments: JSON.stringify({ name }) }
      assert.equal((await owner.post(`${page}/${verb}`, sent)).to, confirm, verb)
    }
    await set(before)
    assert.equal(await isThere(name), true)
  })

  test('refuse other sites, viewers and outsiders', async () => {
    const { name, page } = await deletion()
    const input_hash = hashOf((await owner.get(page)).text)
    const cross = { 'sec-fetch-site': 'cross-site', origin: 'https://evil.example' }
    assert.equal((await owner.post(`${page}/approve`, { input_hash }, cross)).status, 403)
    assert.equal((await viewer.post(`${page}/approve`, { input_hash })).status, 403)
    await createOwnedProject(fixture, 'other@bakery.example')
    const other = await signIn(fixture, 'other@bakery.example')
    assert.equal((await other.get(page)).status, 404)
    assert.equal((await other.post(`${page}/approve`, { input_hash })).status, 404)
    for (const unknown of ['nonsense', crypto.randomUUID()])
      assert.equal((await owner.get(`${list}/${unknown}`)).status, 404)
    assert.equal(await isThere(name), true)
  })

  test('refuse characters that PostgreSQL cannot store, without a decision', async () => {
    const { name, page } = await deletion()
    const input_hash = hashOf((await owner.get(page)).text)
    for (const verb of ['approve', 'reject', 'edit']) {
      const said = { input_hash, note: 'yes\0', arguments: `{"name": "${name}"}` }
      const refused = await owner.post(`${page}/${verb}`, said)
      assert.equal(refused.status, 400, refused.text)
      assert.match(refused.headers.get('content-type') ?? '', /^text\/html/)
    }
    assert.equal((await owner.get(`${page}?done=%00`)).status, 400)
    assert.match((await owner.get(page)).text, /pending/)
    assert.ok(await isThere(name))
  })

  test('show a limited member only approvals within the limits', async () => {
    const { id, page } = await deletion()
    const site_id = crypto.randomUUID()
    const limited = await addTeamMember(fixture, project_id, {
      email: 'limited@bakery.example',
      role: 'member',
      access: { sites: [site_id], apps: [] },
    })
    assert.equal((await limited.get(page)).status, 404)
    await runtime.db.transact((tx) =>
      tx
        .updateTable('approvals')
        .set({ target: `site:${site_id}` })
        .where('id', '=', id)
        .execute(),
    )
    const input_hash = hashOf((await limited.get(page)).text)
    assert.equal((await limited.post(`${page}/approve`, { input_hash })).to, page)
    assert.match((await limited.get(page)).text, /<p>Done\.<\/p>/)
  })
})

describe('the approval pages in a browser', () => {
  after(async () => {
    await browser.close()
  })

  async function open(width: number, options: { dark?: boolean; script?: boolean } = {}) {
    const context = await browser.newContext({
      javaScriptEnabled: options.script ?? false,
      viewport: { width, height: 800 },
      colorScheme: options.dark ? 'dark' : 'light',
    })
    const page = await context.newPage()
    await page.goto(fixture.url + (await createSignInPath(fixture, email)))
    return page
  }

  test('support reading, editing and approving by keyboard without JavaScript', async () => {
    const [one, other] = [await deletion(), await deletion()]
    const page = await open(390)
    await page.goto(`${fixture.url}${one.page}`)
    await page.getByText('Technical details').focus()
    await page.keyboard.press('Enter')
    const field = page.getByLabel('Arguments, as JSON')
    assert.deepEqual(JSON.parse(await field.inputValue()), { name: one.name })
    await field.fill('{"name": "nobody-has-this"}')
    await page.getByRole('button', { name: 'Save changes' }).press('Enter')
    await page.getByRole('alert').waitFor()
    assert.match(await field.inputValue(), /^\{"name": "nobody-has-this"\}$/)
    await field.fill(JSON.stringify({ name: other.name }))
    await page.getByRole('button', { name: 'Save changes' }).press('Enter')
    await page.getByText('Your changes are saved').waitFor()
    await page.getByRole('button', { name: 'Approve' }).press('Enter')
    await page.getByText('Done.').waitFor()
    assert.deepEqual([await isThere(one.name), await isThere(other.name)], [true, false])
    await page.context().close()
  })

  test('pass axe in light and dark mode, and fit a phone', async () => {
    const [waits, done, failed, no] = [
      await deletion(),
      await deletion(),
      await deletion(),
      await deletion(),
    ]
    const long = JSON.stringify({ name: waits.name, text: 'word '.repeat(200), list: [{ a: 1 }] })
    await runtime.db.transact((tx) =>
      tx.updateTable('approvals').set({ arguments: long }).where('id', '=', waits.id).execute(),
    )
    await fixture.call(`DELETE /collections/${failed.name}`, { key })
    for (const [{ page }, verb] of [
      [done, 'approve'],
      [failed, 'approve'],
      [no, 'reject'],
    ] as const)
      await owner.post(`${page}/${verb}`, { input_hash: hashOf((await owner.get(page)).text) })
    const places = [waits.page, done.page, failed.page, no.page]
    for (const dark of [false, true]) {
      for (const width of [1280, 390]) {
        const page = await open(width, { dark, script: true })
        for (const place of places) {
          await page.goto(fixture.url + place)
          await assertFit(page, width)
        }
        await page.goto(fixture.url + waits.page)
        await page.getByText('Technical details').click()
        await assertFit(page, width)
        await page.context().close()
      }
    }
  })
})
