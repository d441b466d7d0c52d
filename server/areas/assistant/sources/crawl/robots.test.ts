/** Tests of the interpretation of robots.txt (RFC 9309). */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createRobotsFilter, readCrawlDelay, readSitemapLines } from './robots.ts'

const cases: [string, string, string, boolean][] = [
  ['no rules', '', '/a', true],
  ['a rule for all', 'User-agent: *\nDisallow: /a', '/a/b', false],
  ['a rule for another', 'User-agent: other\nDisallow: /', '/a', true],
  [
    'a group of our own replaces that for all',
    'User-agent: *\nDisallow: /\n\nUser-agent: Homeport\nDisallow: /b',
    '/a',
    true,
  ],
  [
    'several names for one group',
    'User-agent: other\nUser-agent: homeport\nDisallow: /',
    '/a',
    false,
  ],
  ['the longest rule decides', 'User-agent: *\nDisallow: /a\nAllow: /a/b', '/a/b/c', true],
  ['of equals the one that allows', 'User-agent: *\nDisallow: /a\nAllow: /a', '/a', true],
  ['nothing forbidden', 'User-agent: *\nDisallow:', '/a', true],
  ['a star', 'User-agent: *\nDisallow: /*/secret', '/x/secret/y', false],
  ['a star that finds nothing', 'User-agent: *\nDisallow: /*/secret', '/x/open', true],
  ['an end', 'User-agent: *\nDisallow: /*.php$', '/a.php', false],
  ['not at the end', 'User-agent: *\nDisallow: /*.php$', '/a.php?x', true],
  ['an end without a star', 'User-agent: *\nDisallow: /a$', '/ab', true],
  ['comments and case', 'USER-AGENT: * # all\ndisallow: /a # no', '/a', false],
  ['junk', '\u0000::::\nDisallow: /\nfoo', '/a', true],
]

for (const [name, robots, path, allowed] of cases) {
  test(`${allowed ? 'allows' : 'disallows'} ${path}: ${name}`, () =>
    assert.equal(createRobotsFilter(robots)(path), allowed))
}

test('the robots.txt parser parses a file of asterisks in linear time', () => {
  const robots = `User-agent: *\n${'Disallow: /*a*a*a*a*a*a*a*a*a*b\n'.repeat(1_000)}`
  assert.equal(createRobotsFilter(robots)(`/${'a'.repeat(2_000)}`), true)
})

test('robots.txt asks for a pause between requests, of ten seconds at most', () => {
  assert.equal(readCrawlDelay('User-agent: *\nCrawl-delay: 2\nDisallow: /x'), 2)
  assert.equal(readCrawlDelay('User-agent: *\nCrawl-delay: 86400'), 10)
  assert.equal(readCrawlDelay('User-agent: other\nCrawl-delay: 5'), 0)
  assert.equal(readCrawlDelay('User-agent: *\nCrawl-delay: soon'), 0)
})

test('robots.txt names sitemaps, of which the first five count', () => {
  assert.deepEqual(readSitemapLines('Sitemap: https://a.example/s.xml\nUser-agent: *'), [
    'https://a.example/s.xml',
  ])
  assert.equal(readSitemapLines('Sitemap: /s.xml\n'.repeat(20)).length, 5)
})
