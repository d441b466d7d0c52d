/**
 * The status page over HTTP and in a browser: what it shows, injection, languages, caching, the feed, the
 * page without the database, and subscriptions by mail.
 */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { newRelay } from '../../../test/fixtures/database-relay.ts'
import { mailSettings, openMailServer } from '../../../test/fixtures/external/mail-server.ts'
import { eventually } from '../../../test/fixtures/eventually.ts'
import { openBrowser } from '../../../test/fixtures/portal/browser.ts'
import { assertFit } from '../../../test/fixtures/portal/fit.ts'
import { saveScreenshot } from '../../../test/fixtures/portal/portal-browser.ts'
import { openTestRuntime } from '../../../test/fixtures/runtime.ts'
import * as status from '../../areas/status/service.ts'
import { limits } from '../../contract/limits.ts'
import { newId } from '../../kernel/values/ids.ts'
import { openViews } from './view.ts'

const relay = newRelay()
const mail = await openMailServer()
const fixture = await openTestRuntime({ relay: relay.open, settings: mailSettings(mail) })
const { clock, passes, runtime, url } = fixture
const browser = await openBrowser()
after(() => browser.close())

const evil = `<script>alert(1)</script>&"'`
const report = {
  title: `Calls ${evil}`,
  impact: 'major' as const,
  components: ['phone' as const],
  state: 'investigating' as const,
  message: `We look ${evil}\nSecond line\u0007`,
}
let incident_id = ''

before(async () => {
  await addDays()
  incident_id = (await status.reportIncident(runtime, report)).id
})

const page = (path: string, headers: Record<string, string> = {}) =>
  fetch(`${url}/status${path}`, { headers, redirect: 'manual' })

const textOf = async (path: string, headers?: Record<string, string>) => {
  const response = await page(path, headers)
  assert.equal(response.status, 200, path)
  return response.text()
}

describe('the status page', () => {
  test('shows the state, the seven components, incidents and the planned maintenance', async () => {
    const in_hours = (hours: number) => new Date(clock.now_ms() + hours * 3_600_000).toISOString()
    await status.planMaintenance(runtime, {
      title: 'New disks',
      components: ['sites'],
      message: 'Sites may be slow.',
      starts_at: in_hours(24),
      ends_at: in_hours(26),
    })
    const text = await textOf('')
    assert.match(text, /<h1>Some parts have problems<\/h1>/)
    for (const name of Object.values(status.componentNamesIn.en)) {
      assert.ok(text.includes(`<h3>${name}</h3>`), name)
    }
    assert.equal(text.match(/<li class="\w+" title="/g)?.length, 7 * 90)
    assert.match(text, /Current incidents[^]*Planned maintenance[^]*New disks/)
  })

  test('escapes the text of an incident on the page, in its history and in the feed', async () => {
    const feed = await textOf('/feed.atom')
    for (const path of ['', '/history', `/incidents/${incident_id}`]) {
      const text = await textOf(path)
      assert.ok(!text.includes('<script'), path)
      assert.ok(text.includes('Calls &lt;script&gt;'), path)
    }
    assert.ok(!feed.includes('<script'))
    assert.ok(
      feed.includes('We look &amp;lt;script&amp;gt;'),
      'the HTML in the feed is escaped twice',
    )
  })

  test('runs no script and cannot be framed', async () => {
    const { headers } = await page('')
    assert.match(headers.get('content-security-policy') ?? '', /default-src 'none'/)
    assert.match(headers.get('content-security-policy') ?? '', /frame-ancestors 'none'/)
    assert.equal(headers.get('set-cookie'), null)
  })

  test('may be cached, and answers 304 to a known version', async () => {
    const { headers } = await page('')
    assert.match(headers.get('cache-control') ?? '', /^public, max-age=30,.*stale-if-error=86400$/)
    assert.equal(headers.get('vary'), 'Accept-Language')
    const style = await page('/assets/status.css')
    const again = await page('/assets/status.css', {
      'if-none-match': style.headers.get('etag') ?? '',
    })
    assert.equal(again.status, 304)
  })

  test('speaks the language of the browser, or the chosen one', async () => {
    const languages = [
      ['', { 'accept-language': 'nl-NL,nl;q=0.9,en;q=0.8' }, 'nl'],
      ['', { 'accept-language': 'de, en;q=0.5, nl;q=0.4' }, 'en'],
      ['?lang=nl', { 'accept-language': 'en' }, 'nl'],
      ['?lang=xx', {}, 'en'],
    ] as const
    for (const [path, headers, expected] of languages) {
      assert.match(await textOf(path, headers), new RegExp(`<html lang="${expected}">`))
    }
  })

  test('has a history by month, and answers 404 for a month out of range and an unknown incident', async () => {
    const month = clock.now().toISOString().slice(0, 7)
    assert.match(await textOf(`/history?month=${month}`), /Calls &lt;script/)
    for (const path of ['/history?month=2020-01', '/history?month=%22%3E', '/incidents/unknown']) {
      const { status: code, headers } = await page(path)
      assert.deepEqual([code, headers.get('cache-control')], [404, 'no-store'], path)
    }
  })

  test('offers the same JSON as GET /status, and a summary in the format of Statuspage', async () => {
    passes('6 seconds')
    const { body } = await fixture.call('GET /status', { key: null })
    const own = JSON.parse(await textOf('.json'))
    assert.deepEqual({ ...own, checked_at: '' }, { ...body, checked_at: '' })
    const summary = JSON.parse(await textOf('/api/v2/summary.json'))
    assert.deepEqual(
      summary.components.find(({ id }: any) => id === 'phone'),
      { id: 'phone', name: 'Phone', status: 'partial_outage' },
    )
    assert.equal(summary.incidents[0].name, report.title)
    assert.equal(summary.scheduled_maintenances[0].name, 'New disks')
  })

  test('answers 429 to a network with too many requests, whatever their queries, and 200 to others', async () => {
    const from = (network: string, n: number) =>
      page(`/incidents/${n % 2 ? incident_id.toUpperCase() : 'unknown'}?n=${n}`, {
        'x-forwarded-for': network,
      })
    const statuses: number[] = []
    for (let n = 1; n <= limits.status_page_requests_max; n += 1) {
      statuses.push((await from('10.3.0.1', n)).status)
    }
    assert.deepEqual([...new Set(statuses)], [200, 404])
    const refused = await from('10.3.0.1', 1)
    assert.equal(refused.status, 429)
    assert.match(await refused.text(), /Try again in a minute/)
    assert.ok(Number(refused.headers.get('retry-after')) > 0)
    assert.equal((await from('10.3.0.2', 1)).status, 200)
  })

  test('shows a change at once', async () => {
    await textOf('')
    await status.changeIncident(runtime, incident_id, { title: 'Calls connect slowly' })
    assert.match(await textOf(''), /Calls connect slowly/)
    await status.changeIncident(runtime, incident_id, { title: report.title })
  })
})

/** Thirty days of probes, some of which failed. */
async function addDays(): Promise<void> {
  const today = clock.now_ms()
  const values = Array.from({ length: 60 }, (_, back) => ({
    component: back % 2 === 0 ? 'phone' : 'mail',
    day: new Date(today - (back + 1) * 43_200_000).toISOString().slice(0, 10),
    probes: 1440,
    failed: back % 14 === 0 ? 400 : back % 6 === 0 ? 3 : 0,
  }))
  await runtime.db.transact((tx) =>
    tx
      .insertInto('status_days')
      .values(values)
      .onConflict((c) => c.doNothing())
      .execute(),
  )
}

describe('in a browser', () => {
  const looks = [1280, 390].flatMap((width) => [
    { width, dark: false },
    { width, dark: true },
  ])
  for (const { width, dark } of looks) {
    const look = `${width}-${dark ? 'dark' : 'light'}`
    test(`each page is accessible and fits at ${look}`, async (t) => {
      const context = await browser.newContext({
        viewport: { width, height: 900 },
        colorScheme: dark ? 'dark' : 'light',
        locale: dark ? 'nl-NL' : 'en-GB',
      })
      t.after(() => context.close())
      const tab = await context.newPage()
      const faults: string[] = []
      tab.on('console', (message) => message.type() === 'error' && faults.push(message.text()))
      for (const path of ['', '/history', `/incidents/${incident_id}`, '/unsubscribe']) {
        await tab.goto(`${url}/status${path}`)
        if (path === '') await tab.locator('summary').first().press('Enter')
        await saveScreenshot(tab, `status-${look}${path.slice(0, 9).replaceAll('/', '-')}`)
        await assertFit(tab, width)
      }
      const refusals = /404/
      assert.deepEqual(
        faults.filter((fault) => !refusals.test(fault)),
        [],
      )
    })
  }

  test('each day of a component is reached by keyboard, as text', async (t) => {
    const context = await browser.newContext({ javaScriptEnabled: false })
    t.after(() => context.close())
    const tab = await context.newPage()
    await tab.goto(`${url}/status?lang=en`)
    const phone = tab.locator('#phone')
    await phone.locator('summary').press('Enter')
    const table = phone.getByRole('region', { name: 'Day by day: Phone' })
    assert.equal(await table.getByRole('row').count(), 91)
    assert.match(await table.getByRole('row').nth(1).innerText(), /Calls <script>/)
    await tab.keyboard.press('Tab')
    assert.equal(await table.evaluate((element) => element.matches(':focus')), true)
  })

  test('the feed is well-formed Atom with the required elements', async (t) => {
    const response = await page('/feed.atom')
    assert.match(response.headers.get('content-type') ?? '', /^application\/atom\+xml/)
    const text = await response.text()
    const tab = await browser.newPage()
    t.after(() => tab.close())
    const read = `(text => {
      const feed = new DOMParser().parseFromString(text, 'application/xml').documentElement
      const of = (node, name) => [...node.children].filter((one) => one.localName === name)
      const required = (node) => ['id', 'title', 'updated'].map((name) => of(node, name)[0]?.textContent)
      return {
        name: feed.localName, space: feed.namespaceURI, feed: required(feed),
        entries: of(feed, 'entry').map(required),
        author: of(feed, 'author')[0]?.textContent.trim(),
        self: of(feed, 'link').some((link) => link.getAttribute('rel') === 'self'),
      }
    })(${JSON.stringify(text)})`
    const feed: any = await tab.evaluate(read)
    assert.deepEqual([feed.name, feed.space], ['feed', 'http://www.w3.org/2005/Atom'])
    for (const [id, title, updated] of [feed.feed, ...feed.entries]) {
      assert.ok(id && title, 'id and title are required')
      assert.ok(!Number.isNaN(Date.parse(updated)))
    }
    assert.deepEqual([feed.author, feed.self], ['Homeport', true])
    const ids = feed.entries.map(([id]: any) => id)
    assert.equal(new Set(ids).size, ids.length)
    assert.ok(ids.includes(`urn:uuid:${incident_id}`))
  })
})

describe('a subscription', () => {
  let address = 0
  /** Another network each time, so that the limit per network does not count. */
  const subscribe = (email: string, network = `10.1.0.${(address += 1)}`) =>
    fetch(`${url}/status/subscribe`, {
      method: 'POST',
      headers: { 'x-forwarded-for': network },
      body: new URLSearchParams({ email, lang: 'en' }),
    })
  const linkIn = (text: string, purpose: string) =>
    new RegExp(`/status/${purpose}\\?(token=\\S+)`).exec(text)?.[1] ?? ''

  test('needs a confirmation, gets each update, and ends with one click', async () => {
    const asked = await subscribe(' Anna@Customer.example ')
    assert.equal(asked.status, 202)
    const [confirmation] = await mail.received(1)
    assert.deepEqual(confirmation?.to, ['anna@customer.example'])
    const token = linkIn(confirmation?.text ?? '', 'confirm')
    assert.equal((await page(`/confirm?${token}`)).status, 200, 'a GET asks')
    await status.updateIncident(runtime, incident_id, { state: 'identified', message: 'A cable.' })
    await eventually(async () => (await jobsLeft()) === 0)
    assert.equal(mail.mails.length, 1, 'an unconfirmed address gets nothing')
    const post = (path: string, body: string) =>
      fetch(`${url}/status${path}`, { method: 'POST', body: new URLSearchParams(body) })
    assert.equal((await post('/confirm', token)).status, 200)
    await status.updateIncident(runtime, incident_id, { state: 'monitoring', message: 'Repaired.' })
    const [, update] = await mail.received(2)
    assert.match(update?.headers['subject'] ?? '', /Monitoring/)
    assert.match(update?.text ?? '', /Repaired\./)
    assert.equal(update?.headers['list-unsubscribe-post'], 'List-Unsubscribe=One-Click')
    const leave = /<[^>]+\/status(\/unsubscribe\?token=[^>]+)>/.exec(
      update?.headers['list-unsubscribe'] ?? '',
    )?.[1]
    assert.ok(leave)
    assert.equal((await page(leave)).status, 200)
    assert.equal(await subscribers(), 1, 'a GET changes nothing')
    assert.equal((await post(leave, 'List-Unsubscribe=One-Click')).status, 200)
    assert.equal(await subscribers(), 0)
    assert.equal((await post(leave, 'List-Unsubscribe=One-Click')).status, 200)
  })

  test('gets the same reply for a known and an unknown address', async () => {
    await subscribe('bert@customer.example')
    const confirmation = (await mail.received(3)).at(-1)
    const token = linkIn(confirmation?.text ?? '', 'confirm')
    await fetch(`${url}/status/confirm`, { method: 'POST', body: new URLSearchParams(token) })
    const known = await subscribe('bert@customer.example')
    const unknown = await subscribe('carla@customer.example')
    const answers = [known, unknown].map(async (one) => [one.status, await one.text()])
    const [first, second] = await Promise.all(answers)
    assert.deepEqual(first, second)
    const mails = await mail.received(5)
    const toBert = mails.findLast(({ to }) => to[0] === 'bert@customer.example')
    assert.match(toBert?.headers['subject'] ?? '', /already subscribe/)
  })

  test('sends an address three mails a day, and refuses an eleventh request of a network', async () => {
    const sent = mail.mails.length
    for (let count = 0; count < 5; count += 1) {
      assert.equal((await subscribe('dirk@customer.example')).status, 202)
      await eventually(async () => (await jobsLeft()) === 0)
    }
    assert.equal(mail.mails.length - sent, limits.status_confirmations_per_day_max)
    const statuses: number[] = []
    for (let count = 0; count <= limits.status_subscriptions_per_network_max; count += 1) {
      statuses.push((await subscribe('not an address', '10.2.0.1')).status)
    }
    const refused = await subscribe('else@customer.example', '10.2.0.1')
    assert.deepEqual([statuses.at(-2), statuses.at(-1), refused.status], [422, 429, 429])
    assert.ok(Number(refused.headers.get('retry-after')) > 0)
  })

  test('of one network does not use up the requests of all', async () => {
    for (let count = 0; count <= limits.status_subscriptions_per_hour_max; count += 50) {
      await Promise.all(Array.from({ length: 50 }, () => subscribe('no address', '10.2.0.2')))
    }
    assert.equal((await subscribe('no address', '10.2.0.3')).status, 422)
  })

  test('of a confirmed address keeps its language', async () => {
    const sent = mail.mails.length
    const body = new URLSearchParams({ email: 'bert@customer.example', lang: 'nl' })
    const headers = { 'x-forwarded-for': '10.2.0.4' }
    await fetch(`${url}/status/subscribe`, { method: 'POST', headers, body })
    const known = (await mail.received(sent + 1)).at(-1)
    assert.match(known?.headers['subject'] ?? '', /already subscribe/)
  })

  test('sends at most 200 mails an hour, also of ten at once', async () => {
    passes('2 hours')
    const now = clock.now()
    const room = 4
    const row = { id: newId(clock), email: 'full@customer.example', language: 'en' as const }
    const mailed_at = Array.from(
      { length: limits.status_confirmations_per_hour_max - room },
      () => now,
    )
    await runtime.db.transact((tx) =>
      tx
        .insertInto('status_subscribers')
        .values({ ...row, created_at: now, mailed_at })
        .execute(),
    )
    const sent = mail.mails.length
    await Promise.all(Array.from({ length: 10 }, (_, n) => subscribe(`guest${n}@customer.example`)))
    await eventually(async () => (await jobsLeft()) === 0)
    assert.equal(mail.mails.length - sent, room)
  })

  test('refuses a forged link, two addresses at once and a large form', async () => {
    for (const path of ['/confirm?token=x', '/unsubscribe?token=x.y', '/unsubscribe']) {
      assert.equal((await page(path)).status, 404, path)
    }
    const id = '019aafe2-7c3a-7d41-9f52-3b8e6a1c4d20'
    const confirm = new URLSearchParams({ token: `${id}.${'A'.repeat(43)}` })
    const forged = await fetch(`${url}/status/confirm`, { method: 'POST', body: confirm })
    assert.equal(forged.status, 404)
    assert.equal((await subscribe('a@b.example, c@d.example')).status, 422)
    assert.equal((await subscribe('a@b.example\r\nBcc: c@d.example')).status, 422)
    assert.equal((await subscribe(`${'a'.repeat(5000)}@b.example`)).status, 400)
  })

  test('that is not confirmed is deleted after three days', async () => {
    assert.ok((await rows()) > 1)
    passes('4 days')
    await eventually(async () => (await rows()) === 1)
  })

  const rows = async () =>
    (await runtime.db.selectFrom('status_subscribers').select('id').execute()).length
  const subscribers = async () => (await status.describePage(runtime)).subscribers
  const jobsLeft = async () => {
    const kinds = ['status.mail_update', 'status.send_update', 'status.send_confirmation']
    const jobs = runtime.db.selectFrom('jobs').select('id').where('kind', 'in', kinds)
    return (await jobs.execute()).length
  }
})

describe('without the database', () => {
  test('the page shows every component as down, with the incidents and history of the last good copy', async () => {
    await textOf('')
    relay.set('cut')
    passes('10 minutes')
    const text = await textOf('')
    assert.match(text, /There is an outage/)
    assert.match(text, /Incidents and history are as of <time/)
    assert.match(text, /Calls &lt;script/)
    assert.match(await textOf('/feed.atom'), /urn:uuid:/)
    const { body } = await fixture.call('GET /status', { key: null })
    assert.deepEqual([body.status, body.source], ['down', 'own_check'])
    const asked = await fetch(`${url}/status/subscribe`, {
      method: 'POST',
      body: new URLSearchParams({ email: 'eva@customer.example' }),
    })
    assert.equal(asked.status, 503)
    assert.match(await asked.text(), /Try again later/)
  })

  test('a restarted process shows the copy on disk', async () => {
    const restarted = openViews(runtime)
    const view = await restarted.read()
    restarted.close()
    assert.equal(view.is_stale, true)
    assert.ok(view.content?.incidents.some(({ id }) => id === incident_id))
  })

  test('the page does not wait for a database that hangs', async () => {
    relay.set('open')
    passes('1 minute')
    await eventually(async () => !(await textOf('')).includes('There is an outage'))
    relay.set('frozen')
    passes('10 seconds')
    assert.match(await textOf(''), /as of <time/)
    relay.set('open')
  })
})
