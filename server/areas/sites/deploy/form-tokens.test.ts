/**
 * Tests of public tokens of forms on sites: inserted at the deploy, and valid after the address of
 * the site changes.
 */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { runAtOnce } from '../../../kernel/limits/slices.ts'
import { createTokenText } from '../../../kernel/secrets/token-text.ts'
import { openTestRuntime } from '../../../../test/fixtures/runtime.ts'
import { newSiteOwner, newSlug } from '../../../../test/fixtures/sites/site-owner.ts'
import { hostOf, visit } from '../../../../test/fixtures/sites/site-visitor.ts'
import { BROWSER, newAddress, slugOf } from '../../../../test/fixtures/sites/site.ts'
import { findForms } from '../files/page-forms.ts'

const runtime = await openTestRuntime({ work: false })
const { public_url } = runtime.runtime.config
const action = `${public_url}/api/v1/public/collections/orders/documents`
const bare = `<!doctype html><title>Order</title><form method="post" action="${action}"><input name="what"></form>`
const withToken = (token: string) =>
  bare.replace('<input name', `<input type="hidden" name="token" value="${token}"><input name`)

async function newOwner() {
  const owner = await newSiteOwner(runtime)
  const made = await owner.call('POST /collections', { name: 'orders', public_write: true })
  assert.equal(made.status, 201, made.text)
  return owner
}

/** Opens the page like a browser without scripts, and sends its form. Returns the status. */
async function order(address: string, fields: Record<string, string> = {}): Promise<number> {
  const { text } = await visit(runtime, { host: hostOf(address), route: 'GET /' })
  const token = /name="token" value="([^"]*)"/.exec(text)?.[1]
  const said = new URLSearchParams({ ...(token && { token }), what: 'Bread', ...fields })
  const { status } = await runtime.call('POST /public/collections/orders/documents', {
    key: null,
    raw: said.toString(),
    headers: {
      'content-type': 'application/x-www-form-urlencoded',
      accept: BROWSER,
      origin: new URL(address).origin,
      'x-forwarded-for': newAddress(),
    },
  })
  return status
}

describe('a form that posts to its own site', () => {
  it('is reported, whatever its action is', async () => {
    const { publish, call } = await newOwner()
    const form = (attributes: string) => `<form ${attributes}><input name="a"></form>`
    const own = [
      'method=post',
      'method="POST" action=""',
      'method=post action="/submit"',
      "method='post' action='send.php'",
    ]
    const others = [
      'action="/search"',
      'method=post action="/api/orders"',
      'method=post action="https://forms.example/x"',
      'method=post data-collection="orders"',
      'method=dialog',
    ]
    const texts = {
      'a/index.html': own.map(form).join(''),
      'index.html': others.map(form).join(''),
    }
    const { id, url, warnings } = await publish(texts)
    const told = (from: string[]) => from.filter((one) => one.includes('takes no forms'))
    assert.equal(told(warnings).length, own.length)
    for (const said of told(warnings))
      assert.match(
        said,
        /^a\/index\.html: .*405\. Write action="http.*\/collections\/NAME\/documents"/,
      )
    const again = await call(`PUT /sites/${id}`, {
      files: [{ path: 'b.html', content: form(`method=post action="${url}/b"`) }],
    })
    assert.equal(told(again.body.warnings).length, 1, again.text)
  })
})

describe('a form without a public token', () => {
  it('gets the token of its site at the deploy, with a warning', async () => {
    const owner = await newOwner()
    const site = await owner.publish({ 'index.html': bare })
    assert.deepEqual(site.warnings, [
      'index.html: the form to "orders" had no public token, so the token of this site was added.',
    ])
    assert.equal(await order(site.url), 201)
    const [token, ...others] = (await owner.call('GET /chat-tokens')).body.data
    assert.deepEqual(others, [])
    assert.equal(token.site_id, site.id)
    assert.deepEqual(token.allowed_origins, [site.url])
  })

  it('gets the same token at every deploy, and a new token after revocation', async () => {
    const owner = await newOwner()
    const { id, url } = await owner.publish({ 'index.html': bare })
    const deploy = () =>
      owner.call(`PUT /sites/${id}`, { files: [{ path: 'index.html', content: bare }] })
    await deploy()
    const [token, ...others] = (await owner.call('GET /chat-tokens')).body.data
    assert.deepEqual(others, [])
    await owner.call(`DELETE /chat-tokens/${token.id}`)
    assert.equal(await order(url), 401)
    await deploy()
    assert.equal(await order(url), 201)
  })

  it('keeps the token in a page that remains while other files are deployed', async () => {
    const owner = await newOwner()
    const { id, url } = await owner.publish({ 'index.html': bare })
    const files = [{ path: 'other.html', content: '<p>Other' }]
    const answer = await owner.call(`PUT /sites/${id}`, { files, keep_others: true })
    assert.deepEqual(answer.body.warnings, [])
    assert.equal(await order(url), 201)
  })

  it('gets the token also if the page was uploaded before the deploy', async () => {
    const owner = await newOwner()
    const { id } = await owner.publish({ 'index.html': 'Soon', 'page.txt': bare })
    const { sha256, bytes } = (await owner.call(`GET /sites/${id}/files/page.txt`)).body
    const files = [{ path: 'index.html', sha256, bytes }]
    const site = await owner.call('POST /sites', { slug: newSlug(), files })
    assert.equal(site.status, 201, site.text)
    assert.equal(await order(site.body.url), 201)
  })

  it('creates no token if the deploy is refused', async () => {
    const owner = await newOwner()
    const files = [{ path: 'index.html', content: bare }]
    const taken = (await owner.publish({ 'index.html': 'Taken' })).slug
    assert.equal((await owner.call('POST /sites', { slug: taken, files })).status, 409)
    assert.deepEqual((await owner.call('GET /chat-tokens')).body.data, [])
  })
})

describe('the token that a deploy makes', () => {
  const chat = `<script src="${public_url}/widget.js" data-chat-token="hm_pub_…" defer></script>`

  async function siteWith(files: Record<string, string>) {
    const owner = await newOwner()
    await owner.call('PUT /assistant', { name: 'Mill Bakery', facts: [] })
    const { url } = await owner.publish(files)
    const { text } = await visit(runtime, { host: hostOf(url), route: 'GET /' })
    const key = /name="token" value="([^"]*)"/.exec(text)?.[1] ?? null
    const headers = { origin: new URL(url).origin, 'x-forwarded-for': newAddress() }
    const config = () => runtime.call('GET /public/chat/config', { key, headers })
    const body = { challenge: 'x' }
    const start = () => runtime.call('POST /public/conversations', { key, headers, body })
    const [token] = (await owner.call('GET /chat-tokens')).body.data
    return { owner, token, config, start }
  }

  it('starts no chats until its limits are raised', async () => {
    const { owner, token, config, start } = await siteWith({ 'index.html': bare })
    assert.deepEqual([token.daily_conversation_limit, token.daily_spend_limit_eur], [0, 0])
    assert.equal((await config()).body.available, false)
    const refused = await start()
    assert.deepEqual([refused.status, slugOf(refused)], [429, 'public_chat_limit_reached'])
    const limits = { daily_conversation_limit: 10, daily_spend_limit_eur: 1 }
    await owner.call(`PATCH /chat-tokens/${token.id}`, limits)
    assert.equal((await config()).body.available, true)
    assert.equal(slugOf(await start()), 'challenge_failed')
  })

  it('starts chats by default if a page of the deploy has the chat', async () => {
    const about = `<!doctype html><title>About</title>${chat}`
    const { token, config } = await siteWith({ 'index.html': bare, 'about.html': about })
    assert.deepEqual([token.daily_conversation_limit, token.daily_spend_limit_eur], [200, 5])
    assert.equal((await config()).body.available, true)
  })

  it('starts none if the chat is only in a comment or has no token', async () => {
    const page = `${bare}<!-- ${chat} --><script src="${public_url}/widget.js"></script>`
    const { token } = await siteWith({ 'index.html': page })
    assert.equal(token.daily_conversation_limit, 0)
  })
})

describe('a form that posts to a closed or unknown collection', () => {
  const page = (name: string) =>
    `<!doctype html><title>Order</title><form data-collection="${name}"><input name="what"></form>`
  const TOKEN = / had no public token, so the token of this site was added\.$/

  async function warnings(name: string, owner: Awaited<ReturnType<typeof newOwner>>) {
    const { warnings: all } = await owner.publish({ 'index.html': page(name) })
    return all.filter((one: string) => !TOKEN.test(one))
  }
  const about = (name: string, fault: string) => [
    `index.html: visitors cannot send the form to "${name}", because the collection ${fault}`,
  ]

  it('causes a warning with the nearest collection name if no collection has the given name', async () => {
    const owner = await newOwner()
    assert.deepEqual(
      await warnings('ordes', owner),
      about('ordes', 'does not exist. Did you mean "orders"?'),
    )
    assert.deepEqual(
      await warnings('tables', owner),
      about('tables', 'does not exist. Create it with public_write: true.'),
    )
  })

  it('causes a warning until a deploy follows the opening of the collection', async () => {
    const owner = await newOwner()
    await owner.call('PATCH /collections/orders', { public_write: false })
    const { id, warnings: first } = await owner.publish({ 'index.html': page('orders') })
    const closed = 'is not open to websites. Change the collection to public_write: true.'
    assert.deepEqual(first.slice(1), about('orders', closed))
    const files = [{ path: 'other.html', content: '<p>Other' }]
    const deploy = () => owner.call(`PUT /sites/${id}`, { files, keep_others: true })
    assert.deepEqual((await deploy()).body.warnings, about('orders', closed))
    await owner.call('PATCH /collections/orders', { public_write: true })
    assert.deepEqual((await deploy()).body.warnings, [])
  })

  it('does not reveal the name of a collection to a limited key without access to it', async () => {
    const owner = await newOwner()
    const { id } = await owner.publish({ 'index.html': 'Soon' })
    const access = { sites: [id], apps: [], collections: [], limited_by: 'api_key' as const }
    const key = await runtime.newKey({ project_id: owner.project_id, access })
    const files = [{ path: 'index.html', content: page('ordes') }]
    const { body } = await owner.call(`PUT /sites/${id}`, { files }, { key })
    assert.deepEqual(
      body.warnings.slice(1),
      about('ordes', 'does not exist. Create it with public_write: true.'),
    )
  })
})

describe('a form with an unusable token', () => {
  const warned = async (token: string, settings: object = {}) => {
    const owner = await newOwner()
    const site = await owner.publish({ 'index.html': withToken(token) }, settings)
    return String(site.warnings[0])
  }

  it('causes a warning if the token does not exist', async () => {
    assert.match(await warned(createTokenText('hm_pub_')), /is not a token of this project/)
  })

  it('causes a warning if the token belongs to another project', async () => {
    const other = await newOwner()
    const made = await other.call('POST /chat-tokens', { allowed_origins: ['https://a.example'] })
    assert.match(await warned(made.body.token), /is not a token of this project/)
  })

  it('causes a warning if the token is revoked or does not allow the site', async () => {
    const owner = await newOwner()
    const { token, id } = (
      await owner.call('POST /chat-tokens', { allowed_origins: ['https://a.example'] })
    ).body
    const site = await owner.publish({ 'index.html': withToken(token) })
    assert.match(site.warnings[0], /does not allow the address of this site/)
    const allowed_origins = ['https://a.example', site.url]
    await owner.call(`PATCH /chat-tokens/${id}`, { allowed_origins })
    const files = [{ path: 'index.html', content: withToken(token) }]
    assert.deepEqual((await owner.call(`PUT /sites/${site.id}`, { files })).body.warnings, [])
    await owner.call(`DELETE /chat-tokens/${id}`)
    const last = await owner.call(`PUT /sites/${site.id}`, { files })
    assert.match(last.body.warnings[0], /is revoked/)
  })

  it('causes a warning if the form posts to its own site', async () => {
    const owner = await newOwner()
    const site = await owner.publish({ 'index.html': bare.replace(public_url, '') })
    assert.match(site.warnings[0], /posts to the site itself.*\/public\/collections\/orders\/docu/)
  })
})

describe('form tokens after a change of the site address', () => {
  const changes = {
    'an unlisted address': { visibility: 'unlisted' },
    'another slug': { slug: 'moved-orders' },
  }
  for (const [what, change] of Object.entries(changes)) {
    it(`are accepted at ${what}, at a version's address, and after a change back`, async () => {
      const owner = await newOwner()
      const site = await owner.publish({ 'index.html': bare })
      assert.equal(await order(site.preview_url), 201)
      const moved = (await owner.call(`PATCH /sites/${site.id}`, change)).body
      assert.notEqual(moved.url, site.url)
      assert.equal(await order(moved.url), 201)
      assert.equal(await order(moved.preview_url), 201)
      const back = { visibility: 'public', slug: site.slug }
      assert.equal((await owner.call(`PATCH /sites/${site.id}`, back)).status, 200)
      assert.equal(await order(site.url), 201)
    })
  }

  it('keep working if they were created for the old address', async () => {
    const owner = await newOwner()
    const slug = newSlug()
    const { sites_domain } = runtime.runtime.config
    const scheme = public_url.split(':')[0]
    const allowed_origins = [`${scheme}://${slug}.${sites_domain}`]
    const { token } = (await owner.call('POST /chat-tokens', { allowed_origins })).body
    const site = await owner.publish({ 'index.html': withToken(token) }, { slug })
    assert.deepEqual(site.warnings, [])
    assert.equal(await order(site.preview_url), 201)
    const files = [{ path: 'index.html', content: withToken(token) }]
    const moved = await owner.call(`PUT /sites/${site.id}`, { files, visibility: 'unlisted' })
    assert.deepEqual(moved.body.warnings, [])
    assert.equal(await order(moved.body.url), 201)
  })

  it('redirect to a page of the address at which the visitor is', async () => {
    const owner = await newOwner()
    const site = await owner.publish({ 'index.html': bare })
    const redirect = '/thanks'
    assert.equal(await order(site.preview_url, { redirect }), 303)
    assert.equal(await order(site.preview_url, { redirect: site.url }), 303)
    assert.equal(await order(site.preview_url, { redirect: 'https://evil.example/' }), 400)
  })

  it('do not redirect to another site, not even of the same project', async () => {
    const owner = await newOwner()
    const site = await owner.publish({ 'index.html': bare })
    const { text } = await visit(runtime, { host: hostOf(site.url), route: 'GET /' })
    const other = await owner.publish({ 'index.html': text })
    assert.match(other.warnings[0], /does not allow the address of this site/)
    assert.equal(await order(other.url), 403)
    const stranger = await (await newOwner()).publish({ 'index.html': text })
    assert.equal(await order(stranger.url), 403)
  })

  it('stop working when the site is deleted', async () => {
    const owner = await newOwner()
    const site = await owner.publish({ 'index.html': bare })
    const { text } = await visit(runtime, { host: hostOf(site.url), route: 'GET /' })
    await owner.call(`DELETE /sites/${site.id}`)
    const next = await (await newOwner()).publish({ 'index.html': text }, { slug: site.slug })
    assert.equal(await order(next.url), 401)
  })

  it('answer the CORS preflight of scripts on each of these pages', async () => {
    const owner = await newOwner()
    const site = await owner.publish({ 'index.html': bare })
    for (const address of [site.url, site.preview_url]) {
      const asked = await runtime.call('OPTIONS /public/collections/orders/documents', {
        key: null,
        headers: { origin: new URL(address).origin, 'access-control-request-method': 'POST' },
      })
      assert.equal(asked.status, 204)
    }
  })
})

describe('a page with forms', () => {
  const own = 'hm_pub_OWN'
  const filled = (page: string) => runAtOnce(findForms(page, public_url)).filledWith(own)
  const field = `<input type="hidden" name="token" value="${own}" />`
  // Longer than one reading step, with surrogate pairs across step boundaries.
  const long = '🍞\r\n'.repeat(10_000)
  const thousand = '<form data-collection="a"></form>'.repeat(1_000)
  const rows: [what: string, page: string, becomes: string][] = [
    [
      'a form in a long page',
      `${long}x<form action="${action}">${long}`,
      `${long}x<form action="${action}">${field}${long}`,
    ],
    [
      'a thousand forms and one more, which stays as it is',
      `${thousand}<form data-collection="b">`,
      `${thousand.replaceAll('"a">', `"a">${field}`)}<form data-collection="b">`,
    ],
    ['a form', `<form action="${action}"><p>`, `<form action="${action}">${field}<p>`],
    ['a form for the script', '<form data-collection="a">', `<form data-collection="a">${field}`],
    [
      'a placeholder in the field',
      `<form action="${action}"><input name=token value='hm_pub_…'>`,
      `<form action="${action}"><input name=token value="${own}">`,
    ],
    [
      'a field without a value',
      `<form action="${action}"><input type=hidden name=token>`,
      `<form action="${action}"><input value="${own}" type=hidden name=token>`,
    ],
    [
      'a placeholder in the attribute',
      '<form data-collection="a" data-token="TOKEN">',
      `<form data-collection="a" data-token="${own}">${field}`,
    ],
    [
      'a placeholder in the address',
      `<form action="${action}?a=b&amp;token=">`,
      `<form action="${action}?a=b&amp;token=${own}">`,
    ],
    [
      'a field elsewhere',
      `<form id=f action="${action}"></form><input form=f name=token value="">`,
      `<form id=f action="${action}"></form><input form=f name=token value="${own}">`,
    ],
  ]
  for (const [what, page, becomes] of rows) {
    it(`gets the token in its forms ${what}`, () => assert.equal(filled(page), becomes))
  }

  const untouched = {
    'a form to another host': `<form action="https://other.example${new URL(action).pathname}">`,
    'another form': '<form action="/search"><input name=q>',
    'a comment': `<!-- <form action="${action}"> -->`,
    'a script': `<script>x = '<form action="${action}">'</script>`,
    'a text area': `<textarea><form action="${action}"></textarea>`,
    'a style': `<style><form data-collection="a"></style>`,
  }
  for (const [what, page] of Object.entries(untouched)) {
    it(`stays unchanged ${what}`, () => assert.equal(filled(page), page))
  }
})

describe('a form that orders products', () => {
  it('gets the token of its site at the deploy, with a warning', async () => {
    const owner = await newOwner()
    const orders = `<!doctype html><title>Shop</title><form method="post" action="${public_url}/api/v1/public/orders"><button>Buy</button></form>`
    const site = await owner.publish({ 'index.html': orders })
    assert.deepEqual(site.warnings, [
      'index.html: the form to orders had no public token, so the token of this site was added.',
    ])
    const { text } = await visit(runtime, { host: hostOf(site.url), route: 'GET /' })
    assert.match(text, /name="token" value="hm_pub_/)
  })

  it('is reported if it posts to the site itself', async () => {
    const owner = await newOwner()
    const page =
      '<!doctype html><title>Shop</title><form method="post" action="/api/v1/public/orders"></form>'
    const site = await owner.publish({ 'index.html': page })
    assert.match(
      site.warnings.join(),
      /Use the whole address .*\/api\/v1\/public\/orders as its action/,
    )
  })
})
