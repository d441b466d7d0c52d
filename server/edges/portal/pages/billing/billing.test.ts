/** Tests of the billing page: balance, top-ups, cap and automatic top-up. */
import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { openBrowser } from '../../../../../test/fixtures/portal/browser.ts'
import { openTestRuntime } from '../../../../../test/fixtures/runtime.ts'
import { createSignInPath } from '../../../../../test/fixtures/portal/portal.ts'
import { newTeam, newSession, type TestTeam } from '../../../../../test/fixtures/portal/sessions.ts'

const fixture = await openTestRuntime({ work: false })
const browser = await openBrowser()
after(async () => {
  await browser.close()
})

const pageOf = ({ project_id }: TestTeam) => `/portal/projects/${project_id}/billing`
const alert = (text: string) => /role="alert">\s*<p>([^<]*)</.exec(text)?.[1]
const pay = (url: string, card = 'pm_card_visa') =>
  fetch(url, { method: 'POST', body: new URLSearchParams({ card }), redirect: 'manual' })

/** Orders a top-up on the page. Returns the URL of the payment page. */
async function order(team: TestTeam, form: Record<string, string>): Promise<string> {
  const { status, text } = await team.owner.visitor.post(`${pageOf(team)}/top-up`, form)
  assert.equal(status, 200, text)
  return /class="button"\s+href="([^"]+)"/.exec(text)?.[1] ?? ''
}

describe('topping up', () => {
  test('redirects to the payment page, and back to the balance', async () => {
    const team = await newTeam(fixture)
    const url = await order(team, { amount: '12,50', save_card: 'yes' })
    const before = await team.owner.visitor.get(pageOf(team))
    assert.match(before.text, /Unpaid top-ups/)
    const back = (await pay(url)).headers.get('location') ?? ''
    const path = back.replace(fixture.runtime.config.public_url, '')
    const { text } = await team.owner.visitor.get(path)
    assert.match(text, /€ 12\.50 was added to the balance/)
    assert.match(text, /<p class="figure">€ 12\.50<\/p>/)
    assert.match(text, /Top-up by card/)
    assert.ok(!text.includes('Unpaid top-ups'))
  })

  test('reports an unpaid or expired top-up', async () => {
    const team = await newTeam(fixture)
    await order(team, { amount: '25' })
    const { body } = await team.owner.call(`GET /projects/${team.project_id}/top-ups`)
    const path = `${pageOf(team)}?top_up=${body.data[0].id}`
    assert.match((await team.owner.visitor.get(path)).text, /Nothing was paid yet/)
    fixture.passes('61 minutes')
    assert.match((await team.owner.visitor.get(path)).text, /This payment has expired/)
  })

  test('accepts common spellings of an amount, and shows the expected format', async () => {
    const team = await newTeam(fixture)
    for (const amount of ['25', '25.00', ' 25,5 ', '€ 25']) {
      assert.match(await order(team, { amount }), /\/pay\/cs_test_/, amount)
    }
    for (const amount of ['', 'ten', '4', '10001', '1e3', '25.555', '-25', '25,000.00']) {
      const { status, text } = await team.owner.visitor.post(`${pageOf(team)}/top-up`, { amount })
      assert.equal(status, 422, amount)
      assert.match(alert(text) ?? '', /^Enter an amount from 5 to 10000 euro/, amount)
    }
  })

  test('has unique ids, so that every label belongs to its field', async () => {
    const team = await newTeam(fixture)
    const { text } = await team.owner.visitor.get(pageOf(team))
    const ids = [...text.matchAll(/\sid="([^"]+)"/g)].map(([, id]) => id)
    assert.deepEqual(ids, [...new Set(ids)])
    for (const [, id] of text.matchAll(/<label[^>]* for="([^"]+)"/g)) {
      assert.match(text, new RegExp(`<(input|select|textarea)[^>]*\\sid="${id}"`))
    }
  })

  test('requires an admin, a recent confirmation of identity, and a form of the portal', async () => {
    const team = await newTeam(fixture)
    const post = `${pageOf(team)}/top-up`
    const form = { amount: '25' }
    assert.equal((await team.member.visitor.post(post, form)).status, 403)
    assert.ok(
      !(await team.viewer.visitor.get(pageOf(team))).text.includes('<form class="narrow-form"'),
    )
    assert.equal((await team.limited.visitor.get(pageOf(team))).status, 403)
    const elsewhere = { 'sec-fetch-site': 'cross-site', origin: 'https://elsewhere.example' }
    assert.equal((await team.owner.visitor.post(post, form, elsewhere)).status, 403)
    const old = await newSession(fixture, team.owner.email)
    fixture.passes('16 minutes')
    const confirm = `/portal/confirm?next=${pageOf(team)}`
    assert.equal((await old.visitor.post(post, form)).to, confirm)
    assert.ok((await old.visitor.get(pageOf(team))).text.includes(`href="${confirm}"`))
    const { body } = await old.call(`GET /projects/${team.project_id}/top-ups`)
    assert.deepEqual(body.data, [])
  })

  test('hides top-ups of other projects', async () => {
    const [one, two] = [await newTeam(fixture), await newTeam(fixture)]
    await order(one, { amount: '25' })
    const { body } = await one.owner.call(`GET /projects/${one.project_id}/top-ups`)
    const path = `${pageOf(two)}?top_up=${body.data[0].id}`
    assert.equal((await two.owner.visitor.get(path)).status, 404)
    assert.equal((await two.viewer.visitor.get(path)).status, 200, 'nobody else is told anything')
    assert.equal((await two.owner.visitor.get(`${pageOf(two)}?top_up=x`)).status, 200)
  })
})

describe('the billing settings', () => {
  test('set and remove a cap, and show what requires the level full', async () => {
    const team = await newTeam(fixture)
    fixture.passes('20 minutes')
    const { visitor } = await newSession(fixture, team.admin.email)
    const save = (cap: string) => visitor.post(`${pageOf(team)}/cap`, { cap })
    assert.equal((await save('99,99')).to, `${pageOf(team)}?done=cap`)
    assert.match((await visitor.get(pageOf(team))).text, /€ 99\.99/)
    assert.match(alert((await save('501')).text) ?? '', /needs the level full/)
    assert.match(alert((await save('much')).text) ?? '', /^Enter an amount from 0/)
    const zero = await save('0')
    assert.equal(zero.status, 422)
    assert.match(zero.text, /Leave the field empty for no cap/)
    assert.equal((await save('')).to, `${pageOf(team)}?done=cap`)
    assert.match((await visitor.get(pageOf(team))).text, /none set/)
  })

  test('save automatic top-up if there is a card, and remove the saved card', async () => {
    const team = await newTeam(fixture)
    const { visitor } = team.owner
    const form = { enabled: 'yes', threshold: '10', reload: '50', times: '2' }
    const save = (more: Record<string, string> = {}) =>
      visitor.post(`${pageOf(team)}/auto-reload`, { ...form, ...more })
    assert.match(alert((await save()).text) ?? '', /no saved card yet/)
    await pay(await order(team, { amount: '20', save_card: 'yes' }))
    const { body } = await team.owner.call(`GET /projects/${team.project_id}/top-ups`)
    await team.owner.call(`GET /projects/${team.project_id}/top-ups/${body.data[0].id}`)
    assert.equal((await save()).to, `${pageOf(team)}?done=reload`)
    const { auto_reload } = (await team.owner.call(`GET /projects/${team.project_id}/balance`)).body
    assert.deepEqual(
      [auto_reload.enabled, auto_reload.threshold_eur, auto_reload.amount_eur],
      [true, 10, 50],
    )
    for (const more of [{ times: '0' }, { times: 'x' }, { reload: '1' }, { threshold: '-1' }]) {
      assert.equal((await save(more)).status, 422, JSON.stringify(more))
    }
    assert.equal((await save({ enabled: '', forget: 'yes' })).to, `${pageOf(team)}?done=reload`)
    const { text } = await visitor.get(pageOf(team))
    assert.match(text, /Automatic top-up needs a saved card/)
  })
})

test('a top-up works in a browser without JavaScript', async () => {
  fixture.passes('20 minutes')
  const team = await newTeam(fixture)
  const context = await browser.newContext({ javaScriptEnabled: false })
  const page = await context.newPage()
  const origin = fixture.runtime.config.public_url
  await page.goto(origin + (await createSignInPath(fixture, team.owner.email)))
  await page.goto(`${origin}/portal/projects/${team.project_id}`)
  await page.getByRole('link', { name: 'Top up, and see' }).click()
  await page.getByLabel('Amount in euro').fill('30')
  await page.getByRole('button', { name: 'Continue to payment' }).click()
  await page.getByRole('link', { name: 'Pay € 30.00 now' }).click()
  await page.getByLabel('Card').selectOption('pm_card_mastercard')
  await page.getByRole('button', { name: 'Pay' }).click()
  await page.getByText('€ 30.00 was added to the balance').waitFor()
  await page.getByRole('link', { name: 'Go live' }).first().click()
  await page.getByRole('heading', { name: 'Buying domains' }).waitFor()
  await context.close()
})
