/** Tests of the chat widget in a real browser, on a page of another origin with a strict policy. */
import assert from 'node:assert/strict'
import { after, beforeEach, describe, test } from 'node:test'
import { sql } from 'kysely'
import { longTest } from '../../../test/fixtures/depth.ts'
import { openStreamingModel } from '../../../test/fixtures/external/streaming-model.ts'
import { eventually } from '../../../test/fixtures/eventually.ts'
import { openBrowser } from '../../../test/fixtures/portal/browser.ts'
import { assertFit } from '../../../test/fixtures/portal/fit.ts'
import { saveScreenshot } from '../../../test/fixtures/portal/portal-browser.ts'
import { limits } from '../../contract/limits.ts'
import { openTestRuntime } from '../../../test/fixtures/runtime.ts'
import {
  answer,
  facts,
  openChatWebsite,
  question,
  widgetOf,
} from '../../../test/fixtures/sites/chat-website.ts'

const model = await openStreamingModel()
const runtime = await openTestRuntime({ work: false, settings: model.settings })
const browser = await openBrowser()
const website = await openChatWebsite(runtime, browser)
const builtin = { facts, model: 'builtin' }

after(() => browser.close())
// All visitors here share one address and its rate limit.
beforeEach(() => runtime.passes('2 minutes'))

describe('a chat on a page', () => {
  test('answers by keyboard alone, is accessible, resumes after a reload, and leaves no trace', async () => {
    const shop = await website.openShop({ assistant: builtin })
    const { page, faults } = await website.visit(shop)
    const { launcher, panel, log, field, focused } = widgetOf(page)
    await launcher.waitFor()
    assert.equal(await launcher.getAttribute('aria-expanded'), 'false')
    await page.keyboard.press('Tab')
    await page.keyboard.press('Tab')
    assert.equal(await focused(), 'Open chat')
    await page.keyboard.press('Enter')
    await panel.waitFor()
    assert.equal(await panel.getAttribute('aria-label'), 'Chat with Mill Bakery')
    assert.equal(await focused(), 'Message')
    await log.getByText('AI assistant').waitFor()
    await saveScreenshot(page, 'chat-1-greeting')
    assert.deepEqual(await panel.locator('.chips button').allTextContents(), [
      question,
      'When are you open?',
    ])
    await panel.getByRole('button', { name: question }).press('Enter')
    await log.getByText(answer).waitFor()
    await field.focus()
    await page.keyboard.type('When are you')
    await page.keyboard.press('Shift+Enter')
    await page.keyboard.type('open?')
    await page.keyboard.press('Enter')
    const link = log.getByRole('link', { name: 'https://example.com/hours' })
    await link.waitFor()
    assert.equal(await link.getAttribute('href'), 'https://example.com/hours')
    assert.match((await link.getAttribute('rel')) ?? '', /noopener/)
    await saveScreenshot(page, 'chat-2-answers')
    await assertFit(page, 1280)
    await field.fill('A draft')
    await page.keyboard.press('Escape')
    await panel.waitFor({ state: 'hidden' })
    assert.equal(await focused(), 'Open chat')
    await launcher.click()

    const url = 'https://www.example.com/parking'
    const source = JSON.stringify([
      { title: 'Parking', url, source_id: 'page:1' },
      { title: 'Bad', url: 'javascript:alert(1)', source_id: 'page:2' },
    ])
    await sql`update conversation_messages set sources = ${source}
      where project_id = ${shop.project_id} and text = ${answer}`.execute(runtime.runtime.db)
    await page.reload()
    await log.getByText(answer).waitFor()
    assert.equal(await focused(), await page.evaluate('document.body.textContent'))
    assert.equal(await field.inputValue(), 'A draft')
    const sources = panel.getByRole('list', { name: 'Sources' }).getByRole('link')
    assert.deepEqual(await sources.allTextContents(), ['Parking (opens in a new tab)'])
    const [chat, ...others] = await shop.chats()
    assert.equal(others.length, 0)
    assert.deepEqual(
      [chat?.channel, chat?.turns, chat?.page_url],
      ['widget', 2, `${website.origin}/`],
    )
    assert.equal(await log.locator('.message').count(), 5)
    assert.deepEqual(await page.context().cookies(), [])
    assert.equal(
      await page.locator('iframe, homeport-chat [style]:not(.panel, textarea)').count(),
      0,
    )
    assert.deepEqual(faults, [])
    await page.context().close()
  })

  longTest(
    'shows the reply while it is written, and announces it once it is finished',
    async () => {
      const shop = await website.openShop({ assistant: { facts } })
      const { page, faults } = await website.visit(shop)
      const { open, say, log, panel } = widgetOf(page)
      const { promise: pause, resolve: goOn } = Promise.withResolvers<void>()
      model.script({ text: 'Behind the shop <b>for</b> free.', pause })
      await open()
      await say('Where do I park?')
      const live = panel.locator('.live')
      await live.getByText('Behind the shop').waitFor()
      assert.equal(await live.getAttribute('aria-hidden'), 'true')
      assert.doesNotMatch((await log.textContent()) ?? '', /Behind/)
      goOn()
      await log.getByText('Behind the shop <b>for</b> free.').waitFor()
      assert.equal(await live.textContent(), '')
      assert.equal(await log.getAttribute('aria-live'), 'polite')
      assert.equal(await log.locator('b').count(), 0)
      assert.deepEqual(faults, [])
      await page.context().close()
    },
  )
})

describe('a chat without a connection', () => {
  test('keeps the message, sends it when the connection is back, and never twice', async () => {
    const shop = await website.openShop({ assistant: builtin })
    const { page } = await website.visit(shop)
    const { open, say, log, notice } = widgetOf(page)
    await open()
    await log.getByText('AI assistant').waitFor()
    await page.context().setOffline(true)
    await say(question)
    await notice.getByText('No connection.').waitFor()
    await log.getByText('Sending').waitFor()
    await saveScreenshot(page, 'chat-3-offline')
    await page.context().setOffline(false)
    await log.getByText(answer).waitFor()
    await notice.getByText('No connection.').waitFor({ state: 'detached' })

    // The server answers, but the reply is lost.
    await page.route('**/messages', async (route) => {
      if (route.request().method() !== 'POST') return route.continue()
      await route.fetch()
      await route.abort()
    })
    await say('When are you open?')
    await notice.getByText('No connection.').waitFor()
    await page.unroute('**/messages')
    await notice.getByRole('button').click()
    await log.getByText('From 9 to 17.').waitFor()
    const [chat, ...others] = await shop.chats()
    assert.equal(others.length, 0)
    assert.deepEqual(
      chat?.texts.slice(1).map((text) => text.slice(0, 10)),
      [question.slice(0, 10), answer.slice(0, 10), 'When are y', 'From 9 to '],
    )
    assert.equal(await log.locator('.message').count(), 5)

    // A message that was not sent survives a reload.
    await page.route('**/messages', (route) => route.abort())
    await say('Do you sell bread?')
    await notice.getByText('No connection.').waitFor()
    await page.unroute('**/messages')
    await page.reload()
    await log.locator('.message').nth(6).waitFor()
    assert.equal((await shop.chats())[0]?.turns, 3)
    await page.context().close()
  })
})

describe('a chat with a person', () => {
  test('takes contact details, shows replies of people, and ends', async () => {
    const shop = await website.openShop({ assistant: builtin })
    const { page, faults } = await website.visit(shop)
    const { open, log, panel, launcher, focused, say } = widgetOf(page)
    await open()
    await panel.getByRole('button', { name: 'Ask a person' }).click()
    assert.equal(await focused(), '')
    const form = panel.getByRole('form', { name: 'Ask a person' })
    await form.getByLabel('Name').fill('Anna')
    await form.getByRole('button', { name: 'Send' }).click()
    const contact = form.getByLabel('Email or phone number')
    assert.equal(await contact.getAttribute('aria-invalid'), 'true')
    await form.getByText('Enter an email address or a phone number.').waitFor()
    await saveScreenshot(page, 'chat-4-person')
    await assertFit(page, 1280)
    await contact.fill('anna@example.com')
    await form.getByLabel('Your question').fill('Do you bake wedding cakes?')
    await form.getByRole('button', { name: 'Send' }).click()
    await log.getByText('A colleague has your details').waitFor()
    const [chat] = await shop.chats()
    assert.equal(chat?.status, 'handed_off')
    assert.deepEqual([chat.visitor.name, chat.visitor.email], ['Anna', 'anna@example.com'])
    assert.equal(chat.messages_left[0].text, 'Do you bake wedding cakes?')

    const reply = (text: string) => shop.call(`POST /conversations/${chat.id}/replies`, { text })
    const look = () => page.evaluate(`document.dispatchEvent(new Event('visibilitychange'))`)
    await reply('Yes! Call +31 20 123 4567 or write to cake@example.com.')
    await look()
    await log.getByText('Yes! Call').waitFor()
    assert.deepEqual(
      await log
        .getByRole('link')
        .evaluateAll((links) => links.map((one) => one.getAttribute('href'))),
      ['tel:+31201234567', 'mailto:cake@example.com'],
    )
    await say('Thank you')
    await log.getByText('Thank you', { exact: true }).waitFor()
    await saveScreenshot(page, 'chat-5-colleague')
    await panel.press('Escape')
    await reply('You are welcome.')
    await look()
    await launcher.getByText('1').waitFor()
    assert.equal(await launcher.getAttribute('aria-label'), 'Open chat. New messages: 1.')
    await page.reload()
    await launcher.getByText('1').waitFor()
    await saveScreenshot(page, 'chat-6-unread')
    await open()
    await panel.getByRole('button', { name: 'End this chat' }).click()
    await panel.getByRole('button', { name: 'Yes, I was helped' }).click()
    await panel.getByText('This chat has ended.').waitFor()
    await saveScreenshot(page, 'chat-7-ended')
    assert.equal((await shop.chats())[0]?.resolution, 'confirmed')
    await panel.getByRole('button', { name: 'Start a new chat' }).click()
    assert.equal(await focused(), 'Message')
    await say(question)
    await log.getByText(answer).waitFor()
    assert.equal((await shop.chats()).length, 2)
    assert.deepEqual(faults, [])
    await page.context().close()
  })

  longTest(
    'keeps the text in the field, and announces a reply by a person, when too many messages wait',
    async () => {
      const shop = await website.openShop({ assistant: builtin })
      const { page } = await website.visit(shop)
      const { open, log, panel, say, field } = widgetOf(page)
      await open()
      await say('Can I talk to a person please?')
      await panel.getByText('A colleague replies here').waitFor()
      const [chat] = await shop.chats()
      for (let n = 0; n < limits.conversation_waiting_messages_max; n += 1) {
        const body = { text: `Hello ${n}` }
        const { status, text } = await shop.call(`POST /conversations/${chat?.id}/messages`, body)
        assert.equal(status, 201, text)
      }
      await say('One more question')
      await log.getByText('A colleague will reply to your messages.').waitFor()
      assert.equal(await field.inputValue(), 'One more question')
      await saveScreenshot(page, 'chat-8-awaits')
      await assertFit(page, 1280)
      const text = 'I am Jan. What is it?'
      await shop.call(`POST /conversations/${chat?.id}/replies`, { text })
      await page.evaluate(`document.dispatchEvent(new Event('visibilitychange'))`)
      await log.getByText(text).waitFor()
      await say('One more question')
      await eventually(async () => (await shop.chats())[0]?.texts.includes('One more question'))
      assert.equal(await panel.getByText('not available').count(), 0)
      await page.context().close()
    },
  )

  test('shows a reply of a person that was stored just before the next message of the visitor', async () => {
    const shop = await website.openShop({ assistant: builtin })
    const { page } = await website.visit(shop)
    const { open, log, panel, say } = widgetOf(page)
    await open()
    await say('Can I talk to a person please?')
    await panel.getByText('A colleague replies here').waitFor()
    const [chat] = await shop.chats()
    await page.route('**/messages', async (route) => {
      if (route.request().method() === 'POST') {
        await shop.call(`POST /conversations/${chat?.id}/replies`, { text: 'I am Jan.' })
      }
      await route.continue()
    })
    await say('Are you there?')
    await log.locator('.visitor time').nth(1).waitFor({ state: 'attached' })
    await page.evaluate(`document.dispatchEvent(new Event('visibilitychange'))`)
    await log.getByText('I am Jan.').waitFor()
    await page.context().close()
  })

  longTest('is offered when a conversation was closed meanwhile, and keeps the text', async () => {
    const shop = await website.openShop({ assistant: builtin })
    const { page } = await website.visit(shop)
    const { open, log, panel, say, field } = widgetOf(page)
    await open()
    await say(question)
    await log.getByText(answer).waitFor()
    const [chat] = await shop.chats()
    await shop.call(`POST /conversations/${chat?.id}/close`, {})
    await say('One more question')
    await panel.getByText('This chat has ended.').waitFor()
    await panel.getByRole('button', { name: 'Start a new chat' }).click()
    assert.equal(await field.inputValue(), 'One more question')
    await say(question)
    await log.getByText(answer).waitFor()
    await page.evaluate(`for (const [key, text] of Object.entries(localStorage))
      localStorage.setItem(key, JSON.stringify({ ...JSON.parse(text), expires: 1 }))`)
    await page.reload()
    await open()
    await log.getByText('AI assistant').waitFor()
    assert.equal(await log.locator('.message').count(), 1, 'six hours later')
    await page.context().close()
  })
})

describe('a chat on a phone', () => {
  test('covers the screen, in the language of the page, whatever its style sheet says', async () => {
    const theme = { color: '#f2c400', position: 'left' as const }
    const shop = await website.openShop({
      assistant: { ...builtin, languages: ['nl', 'en'] },
      token: { theme },
    })
    const phone = { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true }
    const { page, faults } = await website.visit(shop, { ...phone, language: 'nl', hostile: true })
    const { launcher, open, panel, log, say } = widgetOf(page)
    await launcher.waitFor()
    const at = await launcher.boundingBox()
    assert.deepEqual([at?.x, at?.width, at?.height], [20, 56, 56])
    await open()
    await log.getByText('AI-assistent').waitFor()
    const box = await panel.boundingBox()
    assert.deepEqual(box, { x: 0, y: 0, width: 390, height: 844 })
    assert.equal(await launcher.isVisible(), false)
    await say('Mag ik parkeren bij jullie winkel?')
    await log.locator('.message.assistant').nth(1).waitFor()
    await saveScreenshot(page, 'chat-8-phone')
    await page.setViewportSize({ width: 390, height: 500 })
    await eventually(async () => (await panel.boundingBox())?.height === 500)
    await saveScreenshot(page, 'chat-9-keyboard')
    await panel.getByRole('button', { name: 'Chat sluiten' }).click()
    await panel.waitFor({ state: 'hidden' })
    assert.equal(await page.evaluate('document.documentElement.style.overflow'), '')
    assert.deepEqual(faults, [])
    await page.context().close()
  })

  test('works while storage is blocked', async () => {
    const shop = await website.openShop({ assistant: builtin })
    const { page, faults } = await website.visit(shop, { language: 'de' })
    await page.addInitScript(`for (const name of ['localStorage', 'sessionStorage'])
      Object.defineProperty(window, name, { get() { throw new DOMException('no', 'SecurityError') } })`)
    await page.reload()
    const { open, say, log, panel } = widgetOf(page)
    await open()
    await panel.getByRole('button', { name: 'Senden' }).waitFor()
    await say(question)
    await log.getByText(answer).waitFor()
    assert.deepEqual(faults, [])
    await page.context().close()
  })
})

describe('a chat that is not available', () => {
  test('says so without a reason, with other ways to get in touch', async () => {
    const shop = await website.openShop({ assistant: null })
    const none = await website.visit(shop)
    await none.page.waitForLoadState('load')
    const tag = 'data-email="hello@example.com"'
    const { page, faults } = await website.visit(shop, { tag, language: 'fr' })
    const { open, panel } = widgetOf(page)
    await open()
    await panel.getByText('Le chat n’est pas disponible pour le moment.').waitFor()
    const link = panel.locator('.card').getByRole('link')
    assert.equal(await link.getAttribute('href'), 'mailto:hello@example.com')
    await saveScreenshot(page, 'chat-10-unavailable')
    assert.equal(await none.page.locator('homeport-chat').count(), 0)
    assert.deepEqual([...none.faults, ...faults], [])
    await page.context().close()
    await none.page.context().close()
  })
})

describe('the form that asks for a person', () => {
  test('keeps its text, and says that no conversation can start today', async () => {
    const token = { daily_conversation_limit: 1 }
    const shop = await website.openShop({ assistant: builtin, token })
    for (const is_last of [false, true]) {
      const { page } = await website.visit(shop)
      const { open, panel, log, say } = widgetOf(page)
      await open()
      if (is_last) {
        await panel.getByRole('button', { name: 'Ask a person' }).click()
        await panel.getByLabel('Email or phone number').fill('anna@example.com')
        await panel.locator('form').getByRole('button', { name: 'Send' }).first().click()
        await panel.getByText('Not sent. The chat is not available right now.').waitFor()
        assert.equal(await panel.locator('[name=contact]').inputValue(), 'anna@example.com')
      } else {
        await say(question)
        await log.getByText(answer).waitFor()
      }
      await page.context().close()
    }
  })
})

describe('the number of a project', () => {
  test('can be called and gets an SMS, beside the chat and without it', async () => {
    const phone = '+31201234567'
    const addNumber = ({ project_id }: { project_id: string }) =>
      sql`insert into numbers (project_id, id, e164, type, status, test, from_stock, created_at)
        values (${project_id}, gen_random_uuid(), ${phone}, 'geographic', 'active', false, true,
          now())`.execute(runtime.runtime.db)
    const shop = await website.openShop({ assistant: builtin, mode: 'live' })
    await addNumber(shop)
    const { page, faults } = await website.visit(shop)
    const { open, panel, log, say } = widgetOf(page)
    await open()
    const ways = panel.locator('footer .ways')
    for (const [name, scheme] of [
      ['Call', 'tel'],
      ['SMS', 'sms'],
    ] as const) {
      const link = ways.getByRole('link', { name: `${name}: ${phone}` })
      assert.equal(await link.getAttribute('href'), `${scheme}:${phone}`)
      assert.equal(await link.textContent(), name)
    }
    await saveScreenshot(page, 'chat-12-number')
    await assertFit(page, 1280)
    await say(question)
    await log.getByText(answer).waitFor()
    await page.context().close()
    // The chat has no balance or assistant, so only the number is left.
    await sql`delete from numbers where project_id = ${shop.project_id}`.execute(runtime.runtime.db)
    const closed = await website.openShop({ assistant: null, mode: 'live' })
    await addNumber(closed)
    const phoneOnly = await website.visit(closed, { viewport: { width: 390, height: 780 } })
    const widget = widgetOf(phoneOnly.page)
    await widget.open()
    const links = widget.panel.locator('.card').getByRole('link')
    assert.deepEqual(await links.evaluateAll((all) => all.map((one) => one.getAttribute('href'))), [
      `tel:${phone}`,
      `sms:${phone}`,
    ])
    await saveScreenshot(phoneOnly.page, 'chat-13-number-only')
    await assertFit(phoneOnly.page, 390)
    assert.deepEqual([...faults, ...phoneOnly.faults], [])
    await phoneOnly.page.context().close()
  })
})

describe('the demo page of the documentation', () => {
  longTest('has prepared answers that stay in the browser, or those of a token', async () => {
    const context = await browser.newContext({ locale: 'en-GB' })
    const page = await context.newPage()
    const faults: string[] = []
    const requests: string[] = []
    page.on('console', (message) => faults.push(message.text()))
    page.on('request', (request) => requests.push(request.url()))
    await page.goto(`${runtime.url}/docs/chat-demo`)
    const { open, panel, log, say } = widgetOf(page)
    await open()
    await panel.getByRole('button', { name: 'When are you open?' }).click()
    await log.getByText('Tuesday to Saturday').waitFor()
    await saveScreenshot(page, 'chat-11-demo')
    assert.deepEqual(
      requests.filter((url) => url.includes('/public/')),
      [],
    )
    const { origin } = new URL(page.url())
    const token = { allowed_origins: [origin] }
    const shop = await website.openShop({ assistant: builtin, token })
    await page.getByLabel('Public token').fill(shop.token)
    await page.getByRole('button', { name: 'Use this token' }).click()
    await page.getByText('uses your token').waitFor()
    await open()
    await say(question)
    await log.getByText(answer).waitFor()
    assert.equal((await shop.chats()).length, 1)
    assert.deepEqual(faults, [])
    await context.close()
  })
})
