/** Tests of the HTML part of mails. */
import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { openMailServer } from '../../../test/fixtures/external/mail-server.ts'
import { renderMailHtml } from './mail-layout.ts'
import { smtpMail } from './smtp.ts'

const url = 'https://home.example/portal'
const message = {
  to: 'ada@bakery.example',
  reference: 'one',
  subject: 'The project Bread & Co <b>',
  text: `First.\n\n1234 5678\n\nSign in here:\n${url}\n\nhttps://evil.example/`,
  links: [{ url, label: 'Sign in' }],
}

suite('the HTML part of a mail', () => {
  test('has the paragraphs, the code and the buttons of the text', () => {
    const html = renderMailHtml(message)
    assert.match(html, /<p [^>]*>First\.<\/p>/)
    assert.match(html, /class="code"[^>]*>1234 5678</)
    assert.match(html, new RegExp(`<a class="button" href="${url}"[^>]*>Sign in</a>`))
  })

  test('links only the declared URLs', () => {
    assert.equal(renderMailHtml(message).match(/href=/g)?.length, 1)
  })

  test('escapes text from outside', () => {
    const html = renderMailHtml({ ...message, text: '<img src=x onerror="alert(1)">' })
    assert.ok(!html.includes('<img'))
    assert.ok(html.includes('Bread &amp; Co &lt;b&gt;'))
  })

  test('loads nothing, and names its language', () => {
    const html = renderMailHtml({ ...message, language: 'nl' })
    assert.doesNotMatch(html, /src=|url\(|@import|<link|<script/)
    assert.match(html, /<html lang="nl">/)
    assert.match(html, /automatisch verstuurd/)
  })

  test('is sent beside the text', async () => {
    const server = await openMailServer()
    const mail = smtpMail({
      url: `smtp://127.0.0.1:${server.port}?tls=off`,
      from: 'Homeport <homeport@home.example>',
    })
    await mail.send({ ...message, text: 'Bäckerei 面包店 🥖' })
    const [received] = await server.received(1)
    assert.match(received!.headers['content-type'] ?? '', /^multipart\/alternative/)
    assert.equal(received!.text, 'Bäckerei 面包店 🥖')
    assert.ok(received!.html.includes('Bäckerei 面包店 🥖'))
  })
})
