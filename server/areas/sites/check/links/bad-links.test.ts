/** Tests of the list of known bad links: matching, and additions by the operator's own list. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { readKnownBadLinks, readBadLinks } from './bad-links.ts'
import { listFindings, onePage } from '../page-fixtures.ts'

const operators = `
# ours
bad.example            link  phishing for a bank in July
shared.example/evil/   link  malware below one path
scripts.example        load  adds advertisements
`

function found(html: string): string[] {
  const bad_links = readKnownBadLinks(operators)
  return listFindings(onePage(html), { bad_links }).map(({ rule, what }) => `${rule}: ${what}`)
}

describe('the blocklist of an operator', () => {
  it('blocks links to a host and its subdomains, with the reason', () => {
    const says = (host: string) =>
      `known_bad_link: This is an address on ${host}: phishing for a bank in July.`
    assert.deepEqual(found('<a href="https://bad.example/x">x</a>'), [says('bad.example')])
    assert.deepEqual(found('<a href="//login.BAD.example:8443">x</a>'), [
      says('login.bad.example:8443'),
    ])
    assert.deepEqual(found('<a href="https://notbad.example">x</a>'), [])
    assert.deepEqual(found('<a href="https://bad.example.org">x</a>'), [])
  })

  it('blocks links to a path and the paths below it', () => {
    assert.equal(found('<a href="https://shared.example/evil/a.html">x</a>').length, 1)
    assert.deepEqual(found('<a href="https://shared.example/good/">x</a>'), [])
  })

  it('does not block links by entries that only block loading', () => {
    assert.deepEqual(found('<a href="https://scripts.example/">x</a>'), [])
    assert.equal(found('<script src="https://scripts.example/a.js"></script>').length, 1)
    assert.equal(found('<link rel="stylesheet" href="https://scripts.example/a.css">').length, 1)
    assert.equal(found('<script>import("https://scripts.example/a.js")</script>').length, 1)
  })

  it('extends the built-in blocklist', () => {
    assert.equal(found('<a href="https://grabify.link/x">x</a>').length, 1)
  })
})

describe('a blocklist', () => {
  it('reports every unreadable line', () => {
    const { links, faults } = readBadLinks(
      'a.example link x\nhttps://b.example link x\nc.example\nd link x\ne.example load y\r\n',
    )
    assert.deepEqual(
      links.map(({ host }) => host),
      ['a.example', 'e.example'],
    )
    assert.equal(faults.length, 3)
    assert.match(faults[0] ?? '', /^line 2 must be .* not "https:\/\/b\.example link x"\.$/)
  })

  it('is fully readable in its built-in form, with a reason for each entry', () => {
    for (const links of readKnownBadLinks('').values()) {
      for (const { reason } of links) assert.match(reason, /^[\w'].{9,}[^.]$/)
    }
    assert.ok(readKnownBadLinks('').size > 40)
  })
})
