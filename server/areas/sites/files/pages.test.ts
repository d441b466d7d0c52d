/** Tests of the facts that pages contain about a site: titles, collections and broken links. */
import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { runAtOnce } from '../../../kernel/limits/slices.ts'
import { findBrokenLinks } from './broken-links.ts'
import { listCollections, readPage, findTitle } from './pages.ts'

const page = (text: string, path = 'index.html') => [runAtOnce(readPage(path, text))]

suite('the title of a page', () => {
  test('is the visible text of the title element', () => {
    assert.equal(findTitle('<title>Bread</title>'), 'Bread')
    assert.equal(findTitle('<TITLE lang="en">\n Bread &amp;\n  cake </TITLE>'), 'Bread & cake')
    assert.equal(findTitle(`<title>${'x'.repeat(300)}</title>`)?.length, 200)
  })
  test('is null without a title element', () => {
    for (const text of ['', '<h1>Bread</h1>', '<title></title>', '<title> &nbsp; </title>'])
      assert.equal(findTitle(text), null)
  })
})

suite('the collections used by pages', () => {
  test('are those that forms name or post to, each once, in order', () => {
    const text = `
      <form data-collection="orders"><form data-collection='bookings'>
      <form method=post action="https://api.example/api/v1/public/collections/sign-ups/documents">
      <form action="/api/v1/public/collections/orders/documents?token=hm_pub_x">`
    assert.deepEqual(listCollections(page(text)), ['bookings', 'orders', 'sign-ups'])
  })
  test('exclude invalid collection names', () => {
    const text =
      '<form data-collection="No Name"><form action="/search"><a href="/public/collections/a/documents">'
    assert.deepEqual(listCollections(page(text)), [])
  })
  test('exclude comments, scripts and styles', () => {
    const text = `<!-- <form data-collection="a"> --><script>x = '<form data-collection="b">'</script>
      <style>/* <form data-collection="c"> */</style><form data-collection="d">`
    assert.deepEqual(listCollections(page(text)), ['d'])
  })
})

suite('broken links', () => {
  const paths = ['index.html', 'about.html', 'blog/index.html', 'blog/größe.html', 'a b.png']
  const warningsFor = (text: string, path?: string) =>
    runAtOnce(findBrokenLinks(page(text, path), { paths, redirectFor: null }))

  test('are reported with the page and the link', () => {
    assert.deepEqual(warningsFor('<a href="gone.html">'), [
      'index.html links to "gone.html", and there is no such file.',
    ])
    assert.equal(
      warningsFor('<img src="/no.png"><script src=no.js></script><link href=no.css>').length,
      3,
    )
  })
  test('exclude paths that the site answers', () => {
    const fine = `<a href="/"><a href="about.html"><a href="/about"><a href="about?x=1#y">
      <a href="blog"><a href="blog/"><a href="blog/index.html"><a href="blog/gr%C3%B6%C3%9Fe">
      <img src="a%20b.png"><img src="a b.png"><a href="#top"><a href="">`
    assert.deepEqual(warningsFor(fine), [])
    assert.deepEqual(
      warningsFor('<a href="größe.html"><a href="../about.html"><a href=".">', 'blog/x.html'),
      [],
    )
  })
  test('exclude links to other sites, to the service and to apps', () => {
    const text = `<a href="https://example.com/gone"><a href="//example.com/x"><a href="mailto:a@b.c">
      <a href="tel:+1"><img src="data:image/png;base64,AA=="><script src="/_homeport/forms.js"></script>
      <a href="/api/orders"><a href="javascript:void 0"><a href="http://[broken">`
    assert.deepEqual(warningsFor(text), [])
  })
  test('exclude links in comments, scripts and text', () => {
    assert.deepEqual(
      warningsFor('<p>Write &lt;a href="gone.html"&gt; there, or src=gone.js</p>'),
      [],
    )
    assert.equal(warningsFor('<p>a > b <img alt="x" src="gone.png"></p>').length, 1)
  })
  test('are reported once each, up to a limit', () => {
    assert.equal(warningsFor('<a href="x"><a href="x">').length, 1)
    const many = Array.from({ length: 30 }, (_, n) => `<a href="${n}">`).join('')
    assert.deepEqual(
      [warningsFor(many).length, warningsFor(many).at(-1)],
      [11, '20 more links lead nowhere.'],
    )
  })
})

const hostile = ['<a', '<!--', '<script', '<script>', '<a href="', '<title>', '<a href=x ']
const more = [' href=', ' src="', `' href="`, ' href  ', '&amp;', '</', '<', '"', ' action=<']

test('a hostile page is read in bounded time', { timeout: 60_000 }, () => {
  for (const piece of [...hostile, ...more]) {
    const text = piece.repeat(1_048_576 / piece.length)
    findTitle(text)
    listCollections(page(text))
    const broken = runAtOnce(findBrokenLinks(page(text), { paths: [], redirectFor: null }))
    assert.ok(broken.length <= 11)
  }
})
