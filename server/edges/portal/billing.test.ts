/** The page of the money: the balance, topping up and coming back, the cap, automatic top-up. */
import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { openBrowser } from '../../../test/ground/browser.ts'
import { openTestHouse } from '../../../test/ground/house.ts'
import { linkFor } from '../../../test/ground/portal.ts'
import { newCrew, newSession, type Crew } from '../../../test/ground/sessions.ts'

const ground = await openTestHouse({ work: false })
const opened = await openBrowser()
const missing = 'missing' in opened ? `No Chromium can be started: ${opened.missing}` : false
after(async () => {
  if (!('missing' in opened)) await opened.close()
})

const pageOf = ({ project_id }: Crew) => `/portal/projects/${project_id}/billing`
const alert = (text: string) => /role="alert">\s*<p>([^<]*)</.exec(text)?.[1]
const pay = (url: string, card = 'pm_card_visa') =>
  fetch(url, { method: 'POST', body: new URLSearchParams({ card }), redirect: 'manual' })

/** Orders a top-up on the page; the address at which to pay. */
async function order(crew: Crew, form: Record<string, string>): Promise<string> {
  const { status, text } = await crew.owner.visitor.post(`${pageOf(crew)}/top-up`, form)
  assert.equal(status, 200, text)
  return /class="button"\s+href="([^"]+)"/.exec(text)?.[1] ?? ''
}

describe('topping up', () => {
  test('leads to the page of the provider, and back to the balance', async () => {
    const crew = await newCrew(ground)
    const url = await order(crew, { amount: '12,50', save_card: 'yes' })
    const before = await crew.owner.visitor.get(pageOf(crew))
    assert.match(before.text, /Top-ups that wait to be paid/)
    const back = (await pay(url)).headers.get('location') ?? ''
    const path = back.replace(ground.house.config.public_url, '')
    const { text } = await crew.owner.visitor.get(path)
    assert.match(text, /€ 12\.50 was added to the balance/)
    assert.match(text, /<p class="figure">€ 12\.50<\/p>/)
    assert.match(text, /Top-up by card/)
    assert.ok(!text.includes('Top-ups that wait'))
  })

  test('says so when nothing was paid, or it ran out', async () => {
    const crew = await newCrew(ground)
    await order(crew, { amount: '25' })
    const { body } = await crew.owner.call(`GET /projects/${crew.project_id}/top-ups`)
    const path = `${pageOf(crew)}?top_up=${body.data[0].id}`
    assert.match((await crew.owner.visitor.get(path)).text, /Nothing was paid yet/)
    ground.passes('61 minutes')
    assert.match((await crew.owner.visitor.get(path)).text, /This payment has run out/)
  })

  test('takes an amount as people type it, and says what it should be', async () => {
    const crew = await newCrew(ground)
    for (const amount of ['25', '25.00', ' 25,5 ', '€ 25']) {
      assert.match(await order(crew, { amount }), /\/pay\/cs_test_/, amount)
    }
    for (const amount of ['', 'ten', '4', '10001', '1e3', '25.555', '-25', '25,000.00']) {
      const { status, text } = await crew.owner.visitor.post(`${pageOf(crew)}/top-up`, { amount })
      assert.equal(status, 422, amount)
      assert.match(alert(text) ?? '', /^The amount is from 5 to 10000 euro/, amount)
    }
  })

  test('names each part of the page once, so that every label is that of its field', async () => {
    const crew = await newCrew(ground)
    const { text } = await crew.owner.visitor.get(pageOf(crew))
    const ids = [...text.matchAll(/\sid="([^"]+)"/g)].map(([, id]) => id)
    assert.deepEqual(ids, [...new Set(ids)])
    for (const [, id] of text.matchAll(/<label[^>]* for="([^"]+)"/g)) {
      assert.match(text, new RegExp(`<(input|select|textarea)[^>]*\\sid="${id}"`))
    }
  })

  test('is for admins with a fresh proof, from our own pages', async () => {
    const crew = await newCrew(ground)
    const post = `${pageOf(crew)}/top-up`
    const form = { amount: '25' }
    assert.equal((await crew.member.visitor.post(post, form)).status, 403)
    assert.ok(
      !(await crew.viewer.visitor.get(pageOf(crew))).text.includes('<form class="narrow-form"'),
    )
    assert.equal((await crew.limited.visitor.get(pageOf(crew))).status, 403)
    const elsewhere = { 'sec-fetch-site': 'cross-site', origin: 'https://elsewhere.example' }
    assert.equal((await crew.owner.visitor.post(post, form, elsewhere)).status, 403)
    const old = await newSession(ground, crew.owner.email)
    ground.passes('16 minutes')
    const confirm = `/portal/confirm?next=${pageOf(crew)}`
    assert.equal((await old.visitor.post(post, form)).to, confirm)
    assert.ok((await old.visitor.get(pageOf(crew))).text.includes(`href="${confirm}"`))
    const { body } = await old.call(`GET /projects/${crew.project_id}/top-ups`)
    assert.deepEqual(body.data, [])
  })

  test('shows no top-up of another project', async () => {
    const [one, two] = [await newCrew(ground), await newCrew(ground)]
    await order(one, { amount: '25' })
    const { body } = await one.owner.call(`GET /projects/${one.project_id}/top-ups`)
    const path = `${pageOf(two)}?top_up=${body.data[0].id}`
    assert.equal((await two.owner.visitor.get(path)).status, 404)
    assert.equal((await two.viewer.visitor.get(path)).status, 200, 'nobody else is told anything')
    assert.equal((await two.owner.visitor.get(`${pageOf(two)}?top_up=x`)).status, 200)
  })
})

describe('the settings', () => {
  test('save a cap, take it away, and say what needs the level full', async () => {
    const crew = await newCrew(ground)
    ground.passes('20 minutes')
    const { visitor } = await newSession(ground, crew.admin.email)
    const save = (cap: string) => visitor.post(`${pageOf(crew)}/cap`, { cap })
    assert.equal((await save('99,99')).to, `${pageOf(crew)}?done=cap`)
    assert.match((await visitor.get(pageOf(crew))).text, /€ 99\.99/)
    assert.match(alert((await save('501')).text) ?? '', /needs the level full/)
    assert.match(alert((await save('much')).text) ?? '', /^The amount is from 0/)
    const zero = await save('0')
    assert.equal(zero.status, 422)
    assert.match(zero.text, /Leave the field empty for no cap/)
    assert.equal((await save('')).to, `${pageOf(crew)}?done=cap`)
    assert.match((await visitor.get(pageOf(crew))).text, /none set/)
  })

  test('save automatic top-up once there is a card, and forget the card', async () => {
    const crew = await newCrew(ground)
    const { visitor } = crew.owner
    const form = { enabled: 'yes', threshold: '10', reload: '50', times: '2' }
    const save = (more: Record<string, string> = {}) =>
      visitor.post(`${pageOf(crew)}/auto-reload`, { ...form, ...more })
    assert.match(alert((await save()).text) ?? '', /no saved card yet/)
    await pay(await order(crew, { amount: '20', save_card: 'yes' }))
    const { body } = await crew.owner.call(`GET /projects/${crew.project_id}/top-ups`)
    await crew.owner.call(`GET /projects/${crew.project_id}/top-ups/${body.data[0].id}`)
    assert.equal((await save()).to, `${pageOf(crew)}?done=reload`)
    const { auto_reload } = (await crew.owner.call(`GET /projects/${crew.project_id}/balance`)).body
    assert.deepEqual(
      [auto_reload.enabled, auto_reload.threshold_eur, auto_reload.amount_eur],
      [true, 10, 50],
    )
    for (const more of [{ times: '0' }, { times: 'x' }, { reload: '1' }, { threshold: '-1' }]) {
      assert.equal((await save(more)).status, 422, JSON.stringify(more))
    }
    assert.equal((await save({ enabled: '', forget: 'yes' })).to, `${pageOf(crew)}?done=reload`)
    const { text } = await visitor.get(pageOf(crew))
    assert.match(text, /It needs a saved card/)
  })
})

test(
  'a person tops up in a browser without JavaScript and finds the money',
  { skip: missing },
  async () => {
    if ('missing' in opened) return
    ground.passes('20 minutes')
    const crew = await newCrew(ground)
    const context = await opened.newContext({ javaScriptEnabled: false })
    const page = await context.newPage()
    const origin = ground.house.config.public_url
    await page.goto(origin + (await linkFor(ground, crew.owner.email)))
    await page.goto(`${origin}/portal/projects/${crew.project_id}`)
    await page.getByRole('link', { name: 'Top up, and see' }).click()
    await page.getByLabel('Amount in euro').fill('30')
    await page.getByRole('button', { name: 'Continue to the payment' }).click()
    await page.getByRole('link', { name: 'Pay € 30.00 now' }).click()
    await page.getByLabel('Card').selectOption('pm_card_mastercard')
    await page.getByRole('button', { name: 'Pay' }).click()
    await page.getByText('€ 30.00 was added to the balance').waitFor()
    await page.getByRole('link', { name: 'Go live' }).first().click()
    await page.getByRole('heading', { name: 'Buying domains' }).waitFor()
    await context.close()
  },
)
