/** The inbox, the unanswered questions and the tokens of the chat in a real browser. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { newTeam, type Session } from '../../../../../test/fixtures/portal/sessions.ts'
import { eventually } from '../../../../../test/fixtures/eventually.ts'
import { longTest } from '../../../../../test/fixtures/depth.ts'
import { assertFit } from '../../../../../test/fixtures/portal/fit.ts'
import {
  openPortalBrowser,
  saveScreenshot,
  widthsOfStates,
} from '../../../../../test/fixtures/portal/portal-browser.ts'

const { fixture, newProject, open, visit } = await openPortalBrowser('jan@fietsen.example')

const settings = {
  name: 'Fietsen van Jan',
  greeting: 'Hello, this is Fietsen van Jan. How can I help?',
  languages: ['en', 'nl'],
  facts: [
    { question: 'Can I park at your shop?', answer: 'Yes, behind the shop, for free.' },
    { question: 'Do you sell second-hand bikes?', answer: 'Yes, from 150 euro, with a guarantee.' },
  ],
}

/** A shop with its assistant, and requests with its key. */
async function openShop() {
  const project_id = await newProject('Fietsen van Jan')
  const key = await fixture.newKey({ project_id })
  const send = async (route: string, body?: unknown) => {
    const answer = await fixture.call(route, { key, ...(body !== undefined && { body }) })
    assert.ok(answer.status < 300, answer.text)
    return answer.body
  }
  await send('PUT /assistant', settings)
  const start = async (message: string, more: object = {}): Promise<string> => {
    fixture.passes('2 minutes')
    return (await send('POST /conversations', { message, ...more })).conversation.id
  }
  const say = (id: string, text: string) => send(`POST /conversations/${id}/messages`, { text })
  const path = (page: string) => `/projects/${project_id}${page}?mode=test`
  return { project_id, send, start, say, path }
}

/** A morning in the inbox: answered, closed, in Dutch, with a message left, and one who waits. */
async function furnish({ send, start, say }: Awaited<ReturnType<typeof openShop>>) {
  const closed = await start('Do you sell second-hand bikes?', { visitor: { name: 'Tom Bakker' } })
  await send(`POST /conversations/${closed}/close`, { resolved: true })
  await start('Kan ik bij jullie parkeren?', { language: 'nl' })
  await start('Please tell the owner that Sara, 0612345678, will be late.')
  await start('Can I park at your shop?', { visitor: { email: 'tess@example.com' } })
  const visitor = { name: 'Anna de Vries', email: 'anna@example.com', phone: '+31612345678' }
  const waiting = await start('Can I park at your shop?', { visitor, metadata: { order: '1042' } })
  await say(waiting, 'Do you repair electric bikes of Gazelle?')
  await say(waiting, 'Can I talk to a person please?')
  return { closed, waiting }
}

const humans = ({ messages }: { messages: { role: string; text: string }[] }) =>
  messages.filter(({ role }) => role === 'human').map(({ text }) => text)

const listed = (page: Page) => page.getByRole('list', { name: 'Conversations', exact: true })

/** A shop that no test changes. */
const shown = await openShop()
const { waiting: shown_waiting } = await furnish(shown)

describe('the inbox', () => {
  for (const width of widthsOfStates) {
    longTest(`fits ${width} with a list and an open conversation`, async (t) => {
      const { page, faults } = await open(t, width)
      await visit(page, shown.path('/conversations'))
      await listed(page).getByText('Anna de Vries').waitFor()
      if (width >= 1024) await page.getByRole('heading', { name: 'Anna de Vries' }).waitFor()
      await saveScreenshot(page, `inbox-${width}`)
      await assertFit(page, width)
      if (width < 1024) {
        await listed(page).getByText('Anna de Vries').click()
        await page.getByRole('heading', { name: 'Anna de Vries' }).waitFor()
        await saveScreenshot(page, `inbox-${width}-open`)
        await assertFit(page, width)
        await page.getByRole('button', { name: 'Details' }).click()
        await page.getByRole('dialog').getByText('1042').waitFor()
        await saveScreenshot(page, `inbox-${width}-details`)
        await page.keyboard.press('Escape')
        await page.getByRole('button', { name: 'Back to the list' }).click()
        await listed(page).waitFor()
      }
      assert.match(page.url(), width >= 1024 ? new RegExp(`#${shown_waiting}$`) : /mode=test$/)
      assert.deepEqual(faults, [])
    })
  }

  test('takes over, shows what arrives, and closes, by keyboard', async (t) => {
    const shop = await openShop()
    const { waiting, closed } = await furnish(shop)
    const { page, faults } = await open(t, 1440)
    await visit(page, shop.path('/conversations'))
    const log = page.getByRole('log')
    await log.getByText('Can I talk to a person please?').waitFor()
    await page.getByRole('link', { name: /^Inbox.*1 waiting$/ }).waitFor()
    await page.keyboard.press('r')
    await page.keyboard.type('Good morning, I am Jan.')
    await page.keyboard.press('Shift+Enter')
    await page.keyboard.type('Yes, we repair every Gazelle.')
    await page.keyboard.press('Enter')
    await log.getByText('Yes, we repair every Gazelle.').waitFor()
    await page.getByRole('link', { name: 'Inbox', exact: true }).waitFor()
    const read = () => shop.send(`GET /conversations/${waiting}`)
    await eventually(async () => humans(await read()).length === 1)
    assert.deepEqual(humans(await read()), [
      'Good morning, I am Jan.\nYes, we repair every Gazelle.',
    ])
    await log.getByText('You', { exact: true }).first().waitFor()
    await shop.say(waiting, 'Great, tomorrow at ten?')
    await log.getByText('Great, tomorrow at ten?').waitFor()
    await saveScreenshot(page, 'inbox-replied')
    await page.getByRole('button', { name: 'Hand back to the assistant' }).click()
    await page.getByRole('button', { name: 'Take over' }).waitFor()
    await page.keyboard.press('Escape')
    await page.locator('body').click({ position: { x: 5, y: 5 } })
    await page.keyboard.press('j')
    await page.getByRole('heading', { name: 'tess@example.com' }).waitFor()
    await page.keyboard.press('k')
    await page.getByRole('heading', { name: 'Anna de Vries' }).waitFor()
    await page.keyboard.press('e')
    const dialog = page.getByRole('alertdialog', { name: 'Close this conversation?' })
    await dialog.waitFor()
    await saveScreenshot(page, 'inbox-close')
    await dialog.getByRole('button', { name: 'Close' }).click()
    await page.getByText('It was closed by your team or over the API.').waitFor()
    assert.equal((await read()).status, 'closed')
    await page.goto(`${fixture.url}/portal/app${shop.path(`/conversations/${closed}`)}`)
    await page.getByText('Resolved, according to the visitor').waitFor()
    assert.deepEqual(faults, [])
  })

  longTest('names the colleague who replied, and the person themselves', async (t) => {
    const { owner, member, project_id } = await newTeam(fixture)
    const root = `/projects/${project_id}`
    const send = async (session: Session, route: string, body: object) => {
      const answer = await session.call(route, { body, headers: { 'homeport-mode': 'test' } })
      assert.ok(answer.status < 300, answer.text)
      return answer.body
    }
    await send(owner, `PUT ${root}/assistant`, settings)
    const { conversation } = await send(owner, `POST ${root}/conversations`, {})
    const replies = `POST ${root}/conversations/${conversation.id}/replies`
    await send(owner, replies, { text: 'One moment.' })
    await send(member, replies, { text: 'Yes, on Monday.' })
    const { page, faults } = await open(t, 1440, { as: member.email })
    await visit(page, `${root}/conversations/${conversation.id}?mode=test`)
    const log = page.getByRole('log')
    await log.getByText(owner.email, { exact: true }).first().waitFor()
    await log.getByText('You', { exact: true }).first().waitFor()
    await page.getByText('taken over by You').waitFor()
    await saveScreenshot(page, 'inbox-colleague')
    await assertFit(page, 1440)
    assert.deepEqual(faults, [])
  })

  longTest('sends a reply again after a lost connection, and stores it once', async (t) => {
    const shop = await openShop()
    const id = await shop.start('Can I talk to a person please?')
    const { page } = await open(t, 1440)
    await visit(page, shop.path('/conversations'))
    let losses = 0
    await page.route('**/replies', async (route) => {
      losses += 1
      if (losses > 2) return route.continue()
      // The first request never arrives; of the second one only the answer is lost.
      if (losses === 2) await route.fetch()
      return route.abort()
    })
    const field = page.getByRole('textbox', { name: 'Reply' })
    await field.fill('I am Jan.')
    await field.press('Enter')
    await page.getByText('Not sent.').waitFor()
    await saveScreenshot(page, 'inbox-not-sent')
    await assertFit(page, 1440)
    assert.deepEqual(humans(await shop.send(`GET /conversations/${id}`)), [])
    for (const _ of [1, 2]) await page.getByRole('button', { name: 'Try again' }).click()
    await page.getByText('Not sent.').waitFor({ state: 'detached' })
    assert.deepEqual(humans(await shop.send(`GET /conversations/${id}`)), ['I am Jan.'])
    const shown = page.getByRole('log').getByText('I am Jan.')
    await eventually(async () => (await shown.count()) === 1)
  })

  longTest('filters by view, language and words, and saves the transcript', async (t) => {
    // A separate shop: the clock of the shared one is so far ahead that idle conversations close.
    const shop = await openShop()
    await furnish(shop)
    const { page, faults } = await open(t, 1440)
    await visit(page, shop.path('/conversations'))
    const count = (wanted: number) =>
      eventually(async () => (await listed(page).getByRole('listitem').count()) === wanted)
    await count(5)
    await page.getByRole('button', { name: 'Closed', exact: true }).click()
    await count(1)
    await listed(page).getByText('Tom Bakker').waitFor()
    await page.getByRole('button', { name: /^Waiting/ }).click()
    await listed(page).getByText('Anna de Vries').waitFor()
    await count(1)
    await page.getByRole('button', { name: 'All', exact: true }).click()
    await count(5)
    await page.getByRole('button', { name: 'Filter', exact: true }).click()
    await page.getByRole('menuitemradio', { name: 'Dutch' }).click()
    await count(1)
    await page.getByRole('button', { name: 'Filter (active)' }).click()
    await page.getByRole('menuitemradio', { name: 'All languages' }).click()
    await page.getByRole('searchbox', { name: 'Search conversations' }).fill('gazelle anna')
    await count(1)
    await page.getByRole('searchbox').fill('nothing like this')
    await page.getByText('No conversation matches').waitFor()
    await saveScreenshot(page, 'inbox-none')
    await assertFit(page, 1440)
    await page.getByRole('button', { name: 'More actions' }).click()
    const saved = page.waitForEvent('download')
    await page.getByRole('menuitem', { name: 'Save transcript' }).click()
    const file = await saved
    assert.match(file.suggestedFilename(), /^Anna-de-Vries-\d{4}-\d\d-\d\d\.txt$/)
    const text = readFileSync(await file.path(), 'utf8')
    assert.match(text, /Visitor \(Anna de Vries\): Can I talk to a person please\?/)
    assert.deepEqual(faults, [])
  })

  longTest('says in an empty project how to put the chat on a website', async (t) => {
    const project_id = await newProject('Nieuw')
    const { page, faults } = await open(t, 390)
    await visit(page, `/projects/${project_id}/conversations?mode=test`)
    await page.getByText('No conversations in test mode yet').waitFor()
    await saveScreenshot(page, 'inbox-empty')
    await assertFit(page, 390)
    await page.getByRole('link', { name: 'Add the chat to your website' }).click()
    await page.getByText('No chat on your website yet').waitFor()
    await saveScreenshot(page, 'tokens-empty')
    await assertFit(page, 390)
    assert.deepEqual(faults, [])
  })
})

describe('the page of unanswered questions', () => {
  longTest('answers, dismisses and brings back questions', async (t) => {
    const shop = await openShop()
    for (const question of ['Do you repair submarines?', 'Which planets have volcanoes?'])
      await shop.start(question)
    for (const _ of [1, 2]) await shop.start('Do you rent cargo bikes?')
    const questions = async () =>
      (await shop.send('GET /assistant/unanswered')).data.map(({ question }: any) => question)
    assert.equal((await questions()).length, 3)
    const { page, faults } = await open(t, 1440)
    await visit(page, shop.path('/unanswered'))
    const first = page.getByRole('listitem').filter({ hasText: 'Do you rent cargo bikes?' })
    await first.getByText('asked 2 times, no answer').waitFor()
    await page.getByRole('button', { name: 'Answer: Do you rent cargo bikes?' }).click()
    await page.getByLabel('Answer', { exact: true }).fill('Yes, for 25 euro a day.')
    await saveScreenshot(page, 'unanswered-answer')
    await assertFit(page, 1440)
    await page.keyboard.press('Control+Enter')
    await page.getByText('The assistant knows this now.').first().waitFor()
    await first.waitFor({ state: 'detached' })
    const { facts } = await shop.send('GET /assistant')
    assert.deepEqual(facts.at(-1), {
      question: 'Do you rent cargo bikes?',
      answer: 'Yes, for 25 euro a day.',
    })
    await page.getByRole('button', { name: 'Dismiss: Do you repair submarines?' }).click()
    await page.getByRole('button', { name: 'Undo' }).click()
    await page.getByRole('button', { name: 'Dismiss: Do you repair submarines?' }).waitFor()
    assert.equal((await questions()).length, 2)
    await page.getByRole('button', { name: 'Dismiss: Which planets' }).click()
    await page.getByText('Dismissed: Which planets').waitFor()
    await page.getByRole('link', { name: 'Calls' }).click()
    await eventually(async () => (await questions()).length === 1)
    assert.deepEqual(await questions(), ['Do you repair submarines?'])
    await page.setViewportSize({ width: 390, height: 844 })
    await visit(page, shop.path('/unanswered'))
    await saveScreenshot(page, 'unanswered-390')
    await assertFit(page, 390)
    assert.deepEqual(faults, [])
  })

  longTest('says that it has no connection, then that every question had an answer', async (t) => {
    const shop = await openShop()
    const { page, faults } = await open(t, 1024)
    const path = /\/portal\/api\/.*\/(batch|unanswered)/
    await page.route(path, (route) => route.abort())
    await page.goto(`${fixture.url}/portal/app${shop.path('/unanswered')}`)
    await page.getByText('The server cannot be reached.').first().waitFor()
    await page.unroute(path)
    faults.length = 0
    await visit(page, shop.path('/unanswered'))
    await page.getByText('Every question had an answer').waitFor()
    await saveScreenshot(page, 'unanswered-empty')
    await assertFit(page, 1024)
    assert.deepEqual(faults, [])
  })
})

describe('the page of chat tokens', () => {
  longTest('creates one with a theme, changes it and revokes it', async (t) => {
    const shop = await openShop()
    const { page, faults } = await open(t, 1440)
    await visit(page, shop.path('/chat-tokens'))
    await page.getByRole('button', { name: 'Create token' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('button', { name: 'Create token' }).click()
    await dialog.getByText('Add the address of at least one page.').waitFor()
    await dialog.getByLabel('Name').fill('Website')
    const addresses = dialog.getByLabel('Addresses of your pages')
    await addresses.fill('www.fietsen.example\n*.fietsen.example\nhttp://a.example\nb.example/shop')
    await dialog.getByText('needs https (http is for localhost only)').waitFor()
    await dialog.getByText('without a path, please').waitFor()
    await dialog.getByLabel('Colour').first().fill('#0b6e4f')
    await dialog.getByText('Left').click()
    await dialog.getByLabel('Greeting').fill('Ask us anything about bikes.')
    await dialog.getByRole('figure').getByText('Ask us anything about bikes.').waitFor()
    await saveScreenshot(page, 'token-create')
    await assertFit(page, 1440)
    await addresses.fill('www.fietsen.example\n*.fietsen.example')
    await dialog.getByRole('button', { name: 'Create token' }).click()
    const made = page.getByRole('dialog', { name: 'Paste this into your pages' })
    const tag = await made.getByRole('region', { name: 'Tag of the chat widget' }).textContent()
    assert.match(tag ?? '', /^<script src="http.*\/widget\.js" data-chat-token="hm_pub_\w+" defer>/)
    await saveScreenshot(page, 'token-made')
    await assertFit(page, 1440)
    await made.getByRole('button', { name: 'Done' }).click()
    const [token] = (await shop.send('GET /chat-tokens')).data
    assert.deepEqual(token.allowed_origins, ['https://www.fietsen.example', '*.fietsen.example'])
    assert.deepEqual([token.theme.color, token.theme.position], ['#0b6e4f', 'left'])
    await page.getByRole('button', { name: 'Actions of Website' }).click()
    await page.getByRole('menuitem', { name: 'Edit' }).click()
    await dialog.getByLabel('New chats a day').fill('20')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await page.getByText('0 of 20').waitFor()
    for (const width of widthsOfStates) {
      await page.setViewportSize({ width, height: 900 })
      await saveScreenshot(page, `tokens-${width}`)
      await assertFit(page, width)
    }
    await page.getByRole('button', { name: 'Actions of Website' }).click()
    await page.getByRole('menuitem', { name: 'Revoke' }).click()
    await page.getByLabel('Type Website to confirm').fill('Website')
    await page.getByRole('alertdialog').getByRole('button', { name: 'Revoke' }).click()
    await page.getByText('1 revoked token').waitFor()
    assert.deepEqual(faults, [])
  })
})

longTest('shows the use of models by day and area on the page of the balance', async (t) => {
  const { page, faults } = await open(t, 1440)
  await visit(page, shown.path('/billing'))
  const card = page.locator('section').filter({ hasText: 'Language models' })
  await card.getByText('Text chat').first().waitFor()
  await card.getByText('As a table').click()
  await card.getByRole('cell', { name: 'builtin' }).first().waitFor()
  await saveScreenshot(page, 'usage')
  await assertFit(page, 1440)
  assert.deepEqual(faults, [])
})

longTest('speaks Dutch on each page', async (t) => {
  const { page, faults } = await open(t, 1024)
  await visit(page, shown.path('/conversations'))
  await page.evaluate(`localStorage.setItem('homeport.language', 'nl')`)
  await page.reload()
  await page
    .getByRole('button', { name: 'Overnemen' })
    .or(page.getByText('Wacht'))
    .first()
    .waitFor()
  await saveScreenshot(page, 'inbox-nl')
  await assertFit(page, 1024)
  for (const [path, title] of [
    ['/unanswered', 'Onbeantwoorde vragen'],
    ['/chat-tokens', 'Chat op uw website'],
    ['/knowledge', 'Kennis'],
  ] as const) {
    await visit(page, shown.path(path))
    await page.getByRole('heading', { level: 1, name: title }).waitFor()
    await saveScreenshot(page, `${path.slice(1)}-nl`)
    await assertFit(page, 1024)
  }
  assert.deepEqual(faults, [])
})
