/**
 * Turnstile and hCaptcha: their checks through the public routes against simulators that speak the
 * protocol of the providers, and the widget with a provider's box on a page.
 */
import assert from 'node:assert/strict'
import { after, beforeEach, describe, test } from 'node:test'
import { openBrowser } from '../../../test/fixtures/portal/browser.ts'
import { trackPendingLines, withShortTimeout } from '../../../test/fixtures/external/impatience.ts'
import { eventually } from '../../../test/fixtures/eventually.ts'
import { openTestRuntime } from '../../../test/fixtures/runtime.ts'
import {
  answer,
  openChatWebsite,
  question,
  widgetOf,
} from '../../../test/fixtures/sites/chat-website.ts'
import { newAddress, slugOf } from '../../../test/fixtures/sites/site.ts'
import { limits } from '../../contract/limits.ts'

const fixture = await openTestRuntime({
  work: false,
  settings: {
    HOMEPORT_CHALLENGE: 'turnstile',
    HOMEPORT_CHALLENGE_SITE_KEY: 'a site key',
    HOMEPORT_CHALLENGE_SECRET: 'a secret',
  },
})
const { runtime } = fixture
const lines = trackPendingLines(fixture)
const browser = await openBrowser()
const website = await openChatWebsite(fixture, browser)
const hostname = '127.0.0.1'
const kinds = ['turnstile', 'hcaptcha'] as const
type Kind = (typeof kinds)[number]

after(() => browser.close())
beforeEach(() => fixture.passes('2 minutes'))

function use(kind: Kind): void {
  const url = `${runtime.config.simulators_url}/${kind}/siteverify`
  const challenge = { ...runtime.config.challenge, provider: kind, url }
  runtime.config = { ...runtime.config, challenge }
}

async function openShop(kind: Kind) {
  use(kind)
  const shop = await website.openShop({ token: { challenge: kind } })
  const start = (challenge: string) =>
    fixture.call('POST /public/conversations', {
      key: shop.token,
      headers: { origin: website.origin, 'x-forwarded-for': newAddress() },
      body: { challenge },
    })
  return { ...shop, start }
}

for (const kind of kinds) {
  describe(`a chat that ${kind} protects`, () => {
    test('starts one conversation with a result of this page', async () => {
      const { start } = await openShop(kind)
      const result = `ok.${hostname}.${kind}`
      assert.equal((await start(result)).status, 201)
      const again = await start(result)
      assert.deepEqual([again.status, slugOf(again)], [403, 'challenge_failed'])
    })

    test('refuses an invalid result, one of another page, and none', async () => {
      const { start } = await openShop(kind)
      for (const result of ['nonsense', `ok.evil.example.${kind}`]) {
        const refused = await start(result)
        assert.deepEqual([refused.status, slugOf(refused)], [403, 'challenge_failed'], result)
      }
      assert.equal((await start('')).status, 422)
    })

    test('is unavailable, without a reason, while the provider is down', async () => {
      const { start } = await openShop(kind)
      const broken = await start('broken.1')
      assert.deepEqual([broken.status, slugOf(broken)], [503, 'chat_unavailable'])
      const silent = await withShortTimeout(runtime, 'challenge', () => start('silent.1'))
      assert.deepEqual([silent.status, slugOf(silent)], [503, 'chat_unavailable'])
      assert.doesNotMatch(broken.text + silent.text, new RegExp(kind, 'i'))
    })

    test('asks the provider nothing once the token has no conversations left, or is switched off', async () => {
      const { start, call } = await openShop(kind)
      const { body } = await call('GET /chat-tokens')
      const change = (limit: object) => call(`PATCH /chat-tokens/${body.data[0].id}`, limit)
      await change({ daily_conversation_limit: 1 })
      assert.equal((await start(`ok.${hostname}.last ${kind}`)).status, 201)
      const none_left = await start('broken.1')
      await change({ daily_conversation_limit: 0 })
      const slugs = [slugOf(none_left), slugOf(await start('broken.1'))]
      assert.deepEqual(slugs, ['public_chat_limit_reached', 'public_chat_limit_reached'])
    })

    test('refuses concurrent verifications of one project beyond the maximum', async () => {
      const { start } = await openShop(kind)
      const count = limits.chat_verifications_per_project_max + 15
      const answers = Array.from({ length: count }, (_, n) => start(`silent.${n}`))
      let answered = 0
      for (const answer_of_one of answers) void answer_of_one.then(() => (answered += 1))
      // The provider keeps silent until one is refused, so that all others are waiting.
      await Promise.race(answers)
      await eventually(() => {
        lines.hangUp({ if_any: true })
        return answered === count
      })
      const slugs = new Set((await Promise.all(answers)).map(slugOf))
      assert.deepEqual([...slugs].toSorted(), ['chat_unavailable', 'rate_limited'])
      assert.equal((await start(`ok.${hostname}.after ${kind}`)).status, 201)
    })

    test('shows the box of the provider on the page, and starts with its result', async () => {
      const shop = await openShop(kind)
      const host = kind === 'turnstile' ? 'challenges.cloudflare.com' : 'js.hcaptcha.com'
      const { page, faults } = await website.visit(shop, { scripts: `https://${host}` })
      await page.route(`https://${host}/**`, (route) =>
        route.fulfill({
          contentType: 'text/javascript',
          body: `window.${kind} = { render(box, { sitekey, callback }) {
            const button = document.createElement('button')
            button.textContent = 'I am human: ' + sitekey
            button.onclick = () => callback('ok.${hostname}.' + Date.now())
            box.append(button) } }`,
        }),
      )
      const { open, say, log } = widgetOf(page)
      await open()
      await say(question)
      await page.getByRole('button', { name: 'I am human: a site key' }).click()
      await log.getByText(answer).waitFor()
      assert.equal(await page.getByRole('button', { name: 'I am human' }).count(), 0)
      assert.deepEqual(faults, [])
      await page.context().close()
    })
  })
}

describe('the simulators of siteverify', () => {
  const verify = (kind: Kind, asked: Record<string, string>) =>
    fetch(`${runtime.config.simulators_url}/${kind}/siteverify`, {
      method: 'POST',
      body: new URLSearchParams(asked),
    })
  const codes = async (kind: Kind, asked: Record<string, string>) => {
    const body: any = await (await verify(kind, asked)).json()
    return body.success ? [] : body['error-codes']
  }

  test('name the errors as the providers do', async () => {
    const secret = 'a secret'
    for (const kind of kinds) {
      const response = `ok.a.example.${kind}`
      assert.deepEqual(await codes(kind, { response }), ['missing-input-secret'])
      assert.deepEqual(await codes(kind, { secret: 'x', response }), ['invalid-input-secret'])
      assert.deepEqual(await codes(kind, { secret }), ['missing-input-response'])
      assert.deepEqual(await codes(kind, { secret, response: 'x' }), ['invalid-input-response'])
      assert.deepEqual(await codes(kind, { secret, response }), [])
      const used = kind === 'turnstile' ? 'timeout-or-duplicate' : 'already-seen-response'
      assert.deepEqual(await codes(kind, { secret, response }), [used])
    }
  })

  test('know one path and one method', async () => {
    const address = `${runtime.config.simulators_url}/turnstile`
    assert.equal((await fetch(`${address}/siteverify`)).status, 405)
    assert.equal((await fetch(`${address}/other`, { method: 'POST' })).status, 404)
  })
})
