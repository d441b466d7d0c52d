/** Tests of the development mailbox. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { eventually } from '../../../test/fixtures/eventually.ts'
import { createOwnedProject, newVisitor } from '../../../test/fixtures/portal/portal.ts'
import { openTestRuntime } from '../../../test/fixtures/runtime.ts'

const fixture = await openTestRuntime()
const get = (path: string, headers: Record<string, string> = {}) =>
  fetch(`${fixture.url}/dev/mail${path}`, { headers })

test('shows a mail in its HTML and as text to this machine', async () => {
  const email = 'ada@bakery.example'
  await createOwnedProject(fixture, email)
  const visitor = newVisitor(fixture)
  await visitor.post('/portal/sign-in', { email })
  await visitor.post('/portal/sign-in/code/send')
  const list = await eventually(async () => {
    const text = await (await get('')).text()
    return text.includes(email) && text
  })
  const [, path = ''] = /href="\/dev\/mail(\/[\w-]+)"/.exec(list) ?? []
  const page = await (await get(path)).text()
  assert.match(page, /<pre tabindex="0">Your code for/)
  const mail = await get(`${path}/html`)
  assert.match(mail.headers.get('content-security-policy') ?? '', /default-src 'none'.*sandbox/)
  assert.match(await mail.text(), /class="code"/)
  assert.equal((await get('/unknown')).status, 404)
})

test('is not shown to other machines, nor to pages of other hosts', async () => {
  const { host } = new URL(fixture.url)
  const proxies: Record<string, string>[] = [
    { 'x-forwarded-for': '203.0.113.9' },
    { forwarded: 'for=203.0.113.9' },
    { host, 'x-real-ip': '203.0.113.9' },
    { host, 'cf-connecting-ip': '203.0.113.9' },
    { host, via: '1.1 proxy' },
  ]
  for (const headers of proxies) {
    for (const path of ['', '/one', '/one/html']) {
      assert.equal((await get(path, headers)).status, 404)
    }
  }
})

test('does not exist where mail is sent', async () => {
  const other = await openTestRuntime({ work: false, settings: { HOMEPORT_MAIL: 'none' } })
  assert.equal((await fetch(`${other.url}/dev/mail`)).status, 404)
})
