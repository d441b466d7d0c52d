/** Tests of the scripts of the chat widget: their sizes, and how they are cached. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { openTestRuntime } from '../../../test/fixtures/runtime.ts'

const { url } = await openTestRuntime({ work: false })

const load = (path: string, headers: Record<string, string> = { 'accept-encoding': 'gzip' }) =>
  fetch(`${url}${path}`, { headers })
const bytesOf = ({ headers }: Response) => Number(headers.get('content-length'))

describe('the scripts of the chat widget', () => {
  test('have at most 6 kB for the button, and 25 kB when the chat is opened', async () => {
    const loader = await load('/widget.js')
    const panel = await load('/widget-panel.js')
    assert.equal(loader.headers.get('content-encoding'), 'gzip')
    assert.ok(bytesOf(loader) <= 6_000, `${bytesOf(loader)} bytes`)
    assert.ok(bytesOf(loader) + bytesOf(panel) <= 25_000, `${bytesOf(panel)} bytes`)
  })

  test('can be loaded by pages of any origin, as modules too', async () => {
    for (const path of ['/widget.js', '/widget-panel.js']) {
      const { headers } = await load(path)
      assert.equal(headers.get('access-control-allow-origin'), '*')
      assert.equal(headers.get('cross-origin-resource-policy'), 'cross-origin')
      assert.match(headers.get('content-type') ?? '', /^text\/javascript/)
      assert.equal(headers.get('vary'), 'Accept-Encoding')
    }
  })

  test('are cached: the loader for an hour, the panel by its version for ever', async () => {
    const loader = await load('/widget.js')
    assert.match(loader.headers.get('cache-control') ?? '', /^public, max-age=3600, stale-while/)
    const etag = loader.headers.get('etag') ?? ''
    assert.equal((await load('/widget.js', { 'if-none-match': etag })).status, 304)
    const [path = ''] = /\/widget-panel\.js\?v=[0-9a-f]{12}/.exec(await loader.text()) ?? []
    const panel = await load(path)
    assert.match(panel.headers.get('cache-control') ?? '', /max-age=31536000, immutable/)
    const old = await load('/widget-panel.js?v=0123456789ab')
    assert.doesNotMatch(old.headers.get('cache-control') ?? '', /immutable/)
    assert.equal(await old.text(), await panel.text())
  })

  test('contain nothing that a strict policy refuses', async () => {
    for (const path of ['/widget.js', '/widget-panel.js']) {
      const text = await (await load(path)).text()
      const refused = /\beval\(|new Function|innerHTML|insertAdjacentHTML|document\.cookie|<iframe/
      assert.doesNotMatch(text, refused)
      assert.doesNotMatch(text, /createObjectURL|new Worker|setAttribute\(["'`]style/)
    }
  })
})
