/** Tests of ambiguous paths, and of paths in common use. */
import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import fc from 'fast-check'
import { slugOf } from '../../../../test/fixtures/data/data.ts'
import { openTestRuntime } from '../../../../test/fixtures/runtime.ts'
import {
  filesFromTexts,
  newSiteOwner,
  newSlug,
} from '../../../../test/fixtures/sites/site-owner.ts'
import { findClash, normalizePath } from './paths.ts'

const runtime = await openTestRuntime({ work: false })

const attacks = {
  'out of the folder': [
    '..',
    '../index.html',
    '../../etc/passwd',
    '/../index.html',
    'a/../index.html',
    'a/..',
    './index.html',
    'a/./b.html',
    '.',
    'a/.../b.html',
    '..../a.html',
  ],
  'out of the folder, for those who decode': [
    '%2e%2e/index.html',
    '%2E%2E%2Findex.html',
    'a%2fb.html',
    'a%5cb.html',
    'a%00.html',
    '%252e%252e/index.html',
    '..%2findex.html',
    '..%c0%afindex.html',
    '..\\index.html',
    'a\\b.html',
    'C:\\index.html',
    '\\\\host\\share',
  ],
  'empty names': ['', '/', '//', '//index.html', 'a//b.html', 'a/', '/a/', ' ', 'a/ /b'],
  'control and line break characters': [
    'index.html\u0000.png',
    'index\n.html',
    'index\r\n.html',
    'index\t.html',
    'a\u007f.html',
    'a\u0085.html',
    'a\u2028.html',
    'a\u2029.html',
  ],
  'direction, invisible and trailing characters': [
    'a\u202egnp.html',
    'a\u2066b\u2069.html',
    'a\u200b.html',
    'a\u200d.html',
    'a\u00ad.html',
    'a\ufeff.html',
    '\ufeffindex.html',
    'a\ufe0f.html',
    'a\u{e0041}.html',
    'a\ufffe.html',
    'a\u180e.html',
    'index.html ',
    ' index.html',
    'index.html.',
    'a /b.html',
    'a./b.html',
    'index.html\u00a0',
    'index.html\u3000',
  ],
  'hidden files': ['.env', '.git/config', 'a/.htaccess', '.well-known', 'a/.well-known/x', '.a/b'],
  'folders of the service': [
    '_homeport/a.js',
    '_HOMEPORT/a.js',
    'api/index.html',
    'API/x',
    'api',
    '_homeport',
  ],
  'too long': ['a'.repeat(256), `${'a/'.repeat(256)}b`, 'ü'.repeat(128), `${'abc/'.repeat(200)}x`],
}

const good = [
  'index.html',
  'a/b/c/d/e.html',
  'assets/app-4f9k2m.js',
  '.well-known/security.txt',
  '.well-known/acme/deep.txt',
  '_redirects',
  '_headers',
  'a..b.html',
  'a...html',
  '100% pure.html',
  'what?.html',
  'a#b.html',
  "it's (new) [1] {2} & = + , ; : @ $ !.html",
  'über uns/größe.html',
  '日本語/ページ.html',
  'العربية.html',
  '🍞.html',
  'a b.html',
  'apis/a.html',
  'API.html',
  'CON.txt',
  `${'a'.repeat(250)}.html`,
]

suite('a path', () => {
  for (const [about, paths] of Object.entries(attacks)) {
    test(`is refused if it has ${about}`, () => {
      for (const path of paths) assert.ok('message' in normalizePath(path), JSON.stringify(path))
    })
  }

  test('is accepted with or without a leading /', () => {
    for (const path of good) {
      assert.deepEqual(normalizePath(path), { path }, path)
      assert.deepEqual(normalizePath(`/${path}`), { path }, path)
    }
  })

  test('is stored in NFC for every input form', () => {
    assert.deepEqual(normalizePath('gro\u0308ße.html'), { path: 'größe.html' })
    assert.deepEqual(normalizePath('e\u0301\u0323.html'), { path: 'ẹ\u0301.html' })
  })

  test('is unchanged when it is normalized again, and never leaves its folder', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 40 }), (text) => {
        const read = normalizePath(text)
        if ('message' in read) return
        assert.deepEqual(normalizePath(read.path), read)
        const address = new URL(
          `http://site.invalid/${encodeURI(read.path).replaceAll('?', '%3F').replaceAll('#', '%23')}`,
        )
        assert.equal(decodeURIComponent(address.pathname), `/${read.path}`)
      }),
      { numRuns: 500 },
    )
  })

  test('is refused with an unpaired surrogate', () => {
    assert.ok('message' in normalizePath('a\ud800.html'))
  })
})

suite('two paths', () => {
  const clashes = [
    ['Index.html', 'index.html'],
    ['a/B.png', 'A/b.png'],
    ['straße.html', 'STRASSE.html'],
    ['a', 'a/b'],
    ['A', 'a/b'],
    ['a/b', 'a/b/c/d'],
    ['ﬁle.html', 'FILE.html'],
    ['Σ.html', 'ς.html'],
  ]
  for (const [one = '', other = ''] of clashes) {
    test(`are in conflict if they are ${one} and ${other}`, () => {
      assert.ok(findClash([one, 'x', other]))
      assert.ok(findClash([other, 'x', one]))
    })
  }

  test('may share a prefix', () => {
    assert.equal(findClash(['a', 'ab', 'a.b/c', 'ab.html', 'b/a', 'b/ab', 'a-b/c']), null)
  })
})

suite('POST /sites', () => {
  test('refuses every invalid path with 422 validation_failed and creates no site', async () => {
    const { call } = await newSiteOwner(runtime)
    const slug = newSlug()
    for (const path of Object.values(attacks).flat()) {
      // Invalid Unicode is refused before the path is checked.
      const body = { slug, files: [{ path, content: 'x' }] }
      const answer = await call('POST /sites', body)
      assert.equal(answer.status, 422, `${JSON.stringify(path)}: ${answer.text}`)
      assert.equal(slugOf(answer), 'validation_failed', JSON.stringify(path))
    }
    for (const [one = '', other = ''] of [
      ['a/B.png', 'A/b.png'],
      ['a', 'a/b'],
    ]) {
      const answer = await call('POST /sites', {
        slug,
        files: filesFromTexts({ [one]: 'x', [other]: 'x' }),
      })
      assert.deepEqual([answer.status, slugOf(answer)], [422, 'validation_failed'])
    }
    assert.equal((await call('GET /sites')).body.data.length, 0)
  })

  test('accepts the valid paths, and GET returns each file by its path', async () => {
    const { call, publish } = await newSiteOwner(runtime)
    const wanted = good.filter((path) => !['_redirects', '_headers', 'API.html'].includes(path))
    const site = await publish(Object.fromEntries(wanted.map((path) => [path, `I am ${path}`])))
    for (const path of wanted) {
      const answer = await call(`GET /sites/${site.id}/files/${encodeURIComponent(path)}`)
      assert.equal(answer.status, 200, `${path}: ${answer.text}`)
      assert.equal(
        Buffer.from(answer.body.content, answer.body.encoding).toString(),
        `I am ${path}`,
      )
    }
    for (const path of ['..%2f..%2fetc%2fpasswd', '%00', '.env', '%2e%2e', 'a%2f..%2findex.html']) {
      const answer = await call(`GET /sites/${site.id}/files/${path}`)
      assert.equal(answer.status, 404, `${path}: ${answer.text}`)
    }
  })
})
