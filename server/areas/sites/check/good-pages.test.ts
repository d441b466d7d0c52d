/**
 * Tests that ordinary pages are accepted. Each page here is typical of honest businesses and close
 * to a blocked one: if a rule blocks it, the rule is wrong.
 */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { listFindings, onePage, oneScript, siteContext, type TestPages } from './page-fixtures.ts'

const good: Record<string, TestPages> = {
  'a contact form of a collection': onePage(`
    <title>Contact | Bakkerij Jansen</title><h1>Contact</h1>
    <form data-collection="contact" data-token="hm_pub_x" method="post"
      action="https://homeport.example/api/v1/public/collections/contact/documents">
      <input type="hidden" name="token" value="hm_pub_x">
      <label>Naam <input name="name"></label><label>E-mail <input type="email" name="email"></label>
      <textarea name="message"></textarea><button>Verstuur</button></form>`),
  'a contact form of a form service': onePage(`
    <title>Contact</title>
    <form action="https://formspree.io/f/abcd" method="POST"><input name="email"><button>Send</button></form>`),
  'a newsletter of a mailing service': onePage(`
    <title>Jansen</title><form action="https://jansen.us1.list-manage.com/subscribe/post?u=1" method="post">
    <input type="email" name="EMAIL"><input type="text" name="b_1_2" tabindex="-1"></form>`),
  'a sign-in form of the app of the site': onePage(`
    <title>Inloggen - Sportclub De Meer</title><h1>Inloggen</h1>
    <form action="/api/login" method="post"><input name="email" type="email">
    <input name="password" type="password"><button>Inloggen</button></form>`),
  'a sign-in form with the absolute URL of the site': onePage(`
    <title>Sign in - Acme</title><form action="${siteContext.url}/api/login" method="post">
    <input type="password" name="password"></form>`),
  'a sign-in form submitted by a script': onePage(`
    <title>Welcome</title><h1>Sign in</h1><form id="f"><input name="email">
    <input type="password" autocomplete="current-password"></form>
    <script>f.onsubmit = () => fetch('https://abc.supabase.co/auth/v1/token', {method: 'POST'})</script>`),
  'a sign-in page with buttons of other services': onePage(`
    <title>Sign in to Acme Planner</title><h1>Sign in</h1>
    <a href="https://accounts.google.com/o/oauth2/auth?x=1"><img src="https://www.gstatic.com/g.png" alt="Google">Sign in with Google</a>
    <a href="https://login.microsoftonline.com/common/oauth2/authorize">Sign in with Microsoft</a>
    <button>Continue with Facebook</button><button>Sign in with Apple</button>
    <form action="/api/session" method="post"><input name="password" type="password"></form>`),
  'a registration form': onePage(`
    <title>Aanmelden | Yogastudio Noord</title><form action="/api/register" method="post">
    <input type="password" autocomplete="new-password" name="wachtwoord"></form>`),
  'a shop that accepts iDEAL and PayPal, with a customer sign-in': onePage(`
    <title>Kaas van Klaas - webwinkel</title><h1>Kaas van Klaas</h1>
    <p>Betaal veilig met iDEAL, PayPal, Klarna, Visa en Mastercard.</p>
    <img src="/ideal.svg" alt="iDEAL"><img src="/paypal.svg" alt="PayPal"><img src="/visa.svg" alt="Visa">
    <form action="/api/login" method="post"><input type="email" name="email"><input type="password" name="password"></form>`),
  'a PayPal button': onePage(`
    <title>Steun ons</title><form action="https://www.paypal.com/cgi-bin/webscr" method="post" target="_top">
    <input type="hidden" name="cmd" value="_s-xclick"><input type="hidden" name="hosted_button_id" value="X">
    <input type="image" src="https://www.paypalobjects.com/nl_NL/i/btn/btn_donate_LG.gif" name="submit" alt="PayPal"></form>`),
  'a page that explains how to pay with PayPal, with a sign-in in its head': onePage(`
    <title>PayPal - Kaas van Klaas</title><h1>PayPal</h1><img src="/paypal.svg" alt="PayPal">
    <form action="/api/login" method="post"><input type="password" name="password"></form>`),
  'a payment link of Stripe and one of Mollie': onePage(`
    <title>Betalen</title><a href="https://buy.stripe.com/abc">Betaal met kaart</a>
    <a href="https://www.mollie.com/checkout/abc">Betaal met iDEAL</a><a href="https://tikkie.me/pay/x">Tikkie</a>`),
  'a checkout of the app of the site': onePage(`
    <title>Checkout - Acme</title><form action="/api/checkout" method="post">
    <input autocomplete="cc-number" name="number"><input autocomplete="cc-csc" name="cvc"></form>`),
  'a checkout whose fields are frames of the payment service': onePage(`
    <title>Checkout - Acme</title><script src="https://js.stripe.com/v3/"></script>
    <form action="/api/pay" method="post"><div id="card-element"></div><button>Pay</button></form>`),
  'a blog about phishing, with a sign-in for members': onePage(`
    <title>Zo herken je een nepmail van ING, PayPal of DigiD</title>
    <h1>Zo herken je een nepmail van ING, PayPal of DigiD</h1>
    <p>Criminelen gebruiken adressen als <code>https://www.ing.nl.inloggen-veilig.example</code> en
    <code>paypa1.com</code>. Ga altijd zelf naar <a href="https://www.ing.nl">www.ing.nl</a>.</p>
    <p>Never type your seed phrase or recovery phrase anywhere. Win + R and Ctrl + V are a trick.</p>
    <form action="/api/login" method="post"><input type="password" name="password"></form>`),
  'a page that compares services': onePage(`
    <title>PayPal alternatives in 2026</title><h1>The best PayPal alternatives</h1>
    <form action="/api/subscribe" method="post"><input type="email" name="email"></form>`),
  'a page that explains how to sign in with DigiD': onePage(`
    <title>DigiD inloggen</title><h1>Inloggen met DigiD</h1>
    <a href="https://mijn.digid.nl">mijn.digid.nl</a><form action="/api/nieuwsbrief"><input type="email"></form>`),
  'a help page for Microsoft 365': onePage(`
    <title>Microsoft 365 inloggen</title><h1>Microsoft 365</h1>
    <a href="https://portal.office.com">portal.office.com</a><a href="https://aka.ms/mfasetup">aka.ms/mfasetup</a>`),
  'an apple farm with a sign-in for customers': onePage(`
    <title>Apple login</title><h1>Apple farm De Boer</h1>
    <form action="/api/login" method="post"><input type="password" name="password"></form>`),
  'a bookkeeping app that is named Ledger': onePage(`
    <title>Ledger - log in</title><form action="/api/login"><input type="password" name="password"></form>`),
  'a travel agency on visas': onePage(`
    <title>Visa aanvragen</title><h1>Visa</h1><form action="/api/login"><input type="password"></form>`),
  'an engineer with the title ing.': onePage(`
    <title>ing. P. de Vries</title><h1>ing.</h1><form action="/api/login"><input type="password"></form>`),
  'links to shops through a partner programme': onePage(`
    <title>Boekentips</title><a href="https://partner.bol.com/click/click?url=x">bol.com</a>
    <a href="https://tc.tradetracker.net/?c=1">amazon.nl</a><a href="https://amzn.to/3x">Amazon</a>`),
  'links that show their URL in another form': onePage(`
    <title>Links</title><a href="https://www.paypal.com/nl/home">paypal.com</a>
    <a href="https://paypal.me/jansen">paypal.me/jansen</a><a href="https://fb.me/jansen">facebook.com/jansen</a>
    <a href="https://youtu.be/abc">youtube.com/watch?v=abc</a><a href="https://g.co/kgs/x">google.com</a>
    <a href="https://www.jansen-bakker.nl">jansenbakker.nl</a><a href="http://www.example.nl/">https://example.nl</a>`),
  'a host of a brand in another country': onePage(`
    <title>Kaart</title><a href="https://www.google.com.au/maps">Maps</a><a href="https://www.hsbc.com.hk/">HSBC</a>
    <iframe src="https://www.google.com/maps/embed?pb=1"></iframe>`),
  'a URL with a user name': onePage(
    `<title>x</title><a href="https://demo:demo@staging.example.com/">demo</a>`,
  ),
  'embedded videos, fonts and counters': onePage(`
    <title>Jansen</title><link href="https://fonts.googleapis.com/css2?family=Inter" rel="stylesheet">
    <script async src="https://www.googletagmanager.com/gtag/js?id=G-1"></script>
    <iframe src="https://www.youtube-nocookie.com/embed/x"></iframe>
    <a href="https://wa.me/31201234567">WhatsApp</a><a href="https://www.instagram.com/jansen">@jansen</a>
    <a href="https://medium.com/@jansen/post">Blog</a><a href="https://www.tiktok.com/@jansen">TikTok</a>`),
  'a page that redirects': onePage(
    `<meta http-equiv="refresh" content="0; url=https://www.jansen.nl/"><title>Moved</title>`,
  ),
  'documentation with commands to copy': onePage(`
    <title>Install Acme CLI</title><p>Paste this into your terminal:</p><pre>curl -fsSL https://acme.dev/i.sh | sh</pre>
    <button onclick="copy()">Copy</button><script>function copy() { navigator.clipboard.writeText('curl -fsSL https://acme.dev/i.sh | sh') }</script>`),
  'instructions for Windows without a command to copy': onePage(`
    <title>Printer instellen</title><p>Druk op Windows-toets + R en typ control printers.</p>
    <button>Kopieer link</button><script>navigator.clipboard.writeText(location.href)</script>`),
  'a site that posts its orders to a chat channel': {
    ...onePage(
      `<title>Pizzeria</title><form id="order"><input name="name"><input name="phone"></form>`,
    ),
    ...oneScript(`fetch('https://hooks.slack.com/services/T/B/x', {method: 'POST', body: '{}'})`),
  },
  'a small game with levels that need a code word': onePage(`
    <title>Escape room</title><input name="codeword" placeholder="Geheim woord"><button>Open</button>`),
  'a quiz about a secret word': onePage(
    `<title>Quiz</title><input placeholder="the secret word" name="secret">`,
  ),
  'a questionnaire with a PIN of the school': onePage(`
    <title>Kahoot-achtige quiz</title><input name="pin" placeholder="Game PIN"><button>Enter</button>`),
  'an Indian address form': onePage(
    `<title>Delivery</title><form action="https://formspree.io/f/x"><input name="pincode"></form>`,
  ),
  'a gift card balance form': onePage(`
    <title>Cadeaukaart saldo - Kaas van Klaas</title><form action="/api/saldo"><input name="cadeaukaart"><input name="pin"></form>`),
  'a single-page app with a sign-in in its bundle': {
    ...onePage(
      `<title>Planner</title><div id="root"></div><script type="module" src="/assets/index-3f2a1b4c.js"></script>`,
    ),
    ...oneScript(
      `e.jsx("input",{type:"password",name:"password"});fetch("https://api.planner.example/login")`,
    ),
  },
  'a bundle with encoded pictures and templates': {
    ...onePage(`<title>Planner</title><script src="/app.js"></script>`),
    ...oneScript(`const a=atob("${Buffer.from('\u0089PNG'.repeat(20)).toString('base64')}");decodeURIComponent("${'%20abc'.repeat(20)}");
      el.innerHTML='<form><input type="password"></form>'`),
  },
  'a drawing with links': {
    'logo.svg': [
      'image/svg+xml',
      `<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink">
      <title>Logo</title><style>a{fill:red}</style><a xlink:href="https://www.jansen.nl/"><text>jansen.nl</text></a></svg>`,
    ],
  },
  'a feed and a site map': {
    'feed.xml': [
      'application/rss+xml',
      '<rss><channel><title>Jansen</title><link>https://www.jansen.nl</link></channel></rss>',
    ],
    'sitemap.xml': [
      'application/xml',
      '<urlset><url><loc>https://www.jansen.nl/</loc></url></urlset>',
    ],
  },
  'a page with upper-case tags and no title': onePage(
    `<HTML><BODY BGCOLOR=WHITE><CENTER><H1>Welkom</H1><A HREF=contact.html>Contact</A></CENTER>`,
  ),
  'an empty page': onePage(''),
  'malformed HTML': onePage(
    '<<<a <p <form <input type=password <title>x</p></form>&&#x; <!-- <script>',
  ),
  'a page in another alphabet': onePage(
    '<title>Пекарня Янсен: вход</title><form action="/api/login"><input type="password"></form>',
  ),
  'a domain in another alphabet': onePage(
    '<title>Bäckerei</title><a href="https://bücher.example/">bücher.example</a><a href="https://пример.example">x</a>',
  ),
  'a page about the polyfill attack that links to its domain': onePage(
    '<title>The polyfill.io attack</title><a href="https://polyfill.io/">polyfill.io</a>',
  ),
  'a sign-in page that mentions a brand as a customer': onePage(`
    <title>Inloggen medewerkers PostNL-depot Jansen Transport</title>
    <form action="/api/login" method="post"><input type="password" name="password"></form>`),
}

describe('accepts an ordinary site', () => {
  for (const [name, pages] of Object.entries(good)) {
    it(name, () => {
      assert.deepEqual(listFindings(pages), [])
    })
  }
})

describe('accepts an address that contains a brand by chance, also with a sign-in form', () => {
  const signIn = onePage(
    '<title>Inloggen</title><form action="/api/login"><input type="password"></form>',
  )
  const slugs = `bakkerij-jansen training-amsterdam ingrid-login apple-farm apple mijn-ledger steam-cleaning
    paypal-alternatives chase-the-dog mijn-planner klantportaal office-planner visa-info kraken
    ideal-home werken-bij-postnl-partner wise-words meta-data login inloggen secure-portal ups`
  for (const slug of slugs.split(/\s+/)) {
    it(slug, () => assert.deepEqual(listFindings(signIn, { slug }), []))
  }
})
