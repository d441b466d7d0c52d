/** Tests of the rules for URLs and addresses, as tables of attack variants. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import ipaddr from 'ipaddr.js'
import { addressRules, describeAddressFault, readDestination } from './outbound-address.ts'

const strict = addressRules({ allow_private: false, allow_cidrs: [] })
const development = addressRules({ allow_private: true, allow_cidrs: [] })
const named_service = addressRules({
  allow_private: false,
  allow_plain: true,
  allow_cidrs: ['192.168.7.0/24', 'fd12:3456::/32'],
})

const words = (text: string): string[] => text.trim().split(/\s+/)

/** Returns the fault of a URL, or `ok`; the reason must be one sentence. */
function judge(url: string, rules = strict): string {
  const reading = readDestination(url, rules)
  if (!('fault' in reading)) return 'ok'
  assert.match(reading.reason, /^[A-Z][^\n]*\.$/)
  return reading.fault
}

function hostOf(url: string): string {
  const reading = readDestination(url, strict)
  return 'fault' in reading ? reading.reason : `${reading.host} ${reading.url.host}`
}

const forbidden_addresses = {
  'this machine': ['127.0.0.1', '127.255.255.255', '0.0.0.0', '0.1.2.3', '::1', '::'],
  'private networks': ['10.0.0.1', '10.255.255.255', '172.16.0.1', '172.31.255.255', '192.168.0.1'],
  'carrier NAT and cloud metadata in it': ['100.64.0.1', '100.100.100.200', '100.127.255.255'],
  'link-local and metadata': ['169.254.0.1', '169.254.169.254', '169.254.170.2', 'fe80::1'],
  'the metadata hosts of single clouds': ['168.63.129.16', '192.0.0.192', 'fd00:ec2::254'],
  'benchmarks and documentation': words(`
    198.18.0.1 198.19.255.255 192.0.2.1 198.51.100.1 203.0.113.1 2001:db8::1 2001:2::1 3fff::1
  `),
  'multicast, broadcast and reserved': words(`
    224.0.0.1 239.255.255.255 240.0.0.1 255.255.255.255 192.88.99.1 ff02::1 192.0.0.1
    192.175.48.1 192.52.193.1
  `),
  'unique local and the old site-local': ['fc00::1', 'fd12:3456::1', 'fec0::1', 'fe00::1'],
  'IPv4 wrapped in IPv6': words(`
    ::ffff:127.0.0.1 ::ffff:7f00:1 ::ffff:8.8.8.8 ::127.0.0.1 ::ffff:0:10.0.0.1
    64:ff9b::127.0.0.1 64:ff9b::8.8.8.8 64:ff9b:1::a00:1 ::5efe:10.0.0.1
  `),
  'tunnels: 6to4 and Teredo': ['2002:7f00:1::', '2002:a00:1::1', '2001:0:7f00:1::', '2001::1'],
  'outside of the public 2000::/3': ['100::1', '100:0:0:1::1', '4000::1', '5f00::1', '8000::1'],
  'no address at all': ['', 'localhost', '127.1', '0x7f000001', '2130706433', '1.2.3.4.5', '8.8.8'],
}

const public_addresses = words(`
  1.1.1.1 8.8.8.8 93.184.215.14 9.255.255.255 11.0.0.1 100.63.255.255 100.128.0.1 172.15.255.255
  172.32.0.1 168.63.129.15 223.255.255.255 2606:4700:4700::1111 2a00:1450:4001:800::200e
  2001:4860:4860::8888 2400:cb00::1
`)

describe('an address', () => {
  for (const [kind, addresses] of Object.entries(forbidden_addresses)) {
    it(`is refused: ${kind}`, () => {
      for (const address of addresses) {
        assert.match(describeAddressFault(address, strict) ?? address, / is not .*\.$/)
      }
    })
  }

  it('is allowed if it is public', () => {
    for (const address of public_addresses) {
      assert.equal(describeAddressFault(address, strict), null, address)
    }
  })

  it('is allowed in development if it is a loopback address, but not another private one', () => {
    for (const address of ['127.0.0.1', '127.8.8.8', '::1', '8.8.8.8']) {
      assert.equal(describeAddressFault(address, development), null, address)
    }
    const others = Object.values(forbidden_addresses).flat()
    const loopback = new Set(['127.0.0.1', '127.255.255.255', '::1'])
    for (const address of others.filter((one) => !loopback.has(one))) {
      assert.notEqual(describeAddressFault(address, development), null, address)
    }
  })

  it("is allowed inside the operator's networks, and refused next to them", () => {
    for (const address of ['192.168.7.1', '192.168.7.255', 'fd12:3456::5']) {
      assert.equal(describeAddressFault(address, named_service), null, address)
    }
    for (const address of ['192.168.6.255', '192.168.8.0', 'fd12:3457::5', '127.0.0.1']) {
      assert.notEqual(describeAddressFault(address, named_service), null, address)
    }
  })

  it('is refused in every IPv6 form of a private IPv4 address', () => {
    const prefixes = ['::ffff:', '::', '64:ff9b::', '::ffff:0:', '::5efe:', '64:ff9b:1::']
    fc.assert(
      fc.property(fc.ipV4(), fc.constantFrom(...prefixes), (address, prefix) => {
        assert.notEqual(describeAddressFault(prefix + address, strict), null)
      }),
    )
  })

  it('is public as IPv6 only if it begins with the bits 001', () => {
    fc.assert(
      fc.property(fc.ipV6(), (address) => {
        const first = ipaddr.parse(address).toByteArray()[0] ?? 0
        if (describeAddressFault(address, strict) === null) assert.equal(first >> 5, 1)
      }),
    )
  })
})

describe('a network of the operator', () => {
  it('must be written in full, so that a mistake stops the start', () => {
    for (const cidr of [
      '',
      '10.0.0.0',
      '10/8',
      '10.0.0.0/33',
      'fd00::/129',
      '012.0.0.0/8',
      'lan',
    ]) {
      const policy = { allow_private: false, allow_cidrs: [cidr] }
      assert.throws(() => addressRules(policy), /is not a network; write one as in/, cidr)
    }
  })
})

const not_an_address = 'The URL must name a domain, not an IP address.'

describe('a URL', () => {
  it('is accepted with https and a domain name', () => {
    const urls = words(`
      https://example.com https://hooks.example.com/a/b?c=d#e HTTPS://EXAMPLE.COM/
      https://example.com:443/ https://example.com:0443/ https://münchen.example/
      https://xn--mnchen-3ya.example/ https://a_b.example/ https://1and1.com/
      https://internal.example.com/ https://local.example/ https://mymetadata.example/
    `)
    for (const url of urls) assert.equal(judge(url), 'ok', url)
  })

  it('loses the final dot of its name, so that the certificate matches', () => {
    assert.equal(hostOf('https://example.com./x'), 'example.com example.com')
    assert.equal(hostOf('https://EXAMPLE.com%2e/x'), 'example.com example.com')
  })

  it('is refused if it is invalid or has another scheme', () => {
    const urls = words(`
      example.com /hooks https:// https://?a http://example.com/ ftp://example.com/
      file:///etc/passwd javascript:alert(1) data:text/plain,a ws://example.com
      gopher://example.com:70/ https://[::1
    `)
    for (const url of urls) assert.equal(judge(url), 'invalid_url', url)
  })

  it('is refused with a user name, a password or a port', () => {
    const urls = words(`
      https://user@example.com/ https://user:secret@example.com/ https://:s@example.com
      https://example.com:8443/ https://example.com:80/ https://example.com:0/
      https://example.com@evil.example:22/
    `)
    for (const url of urls) assert.equal(judge(url), 'invalid_url', url)
  })

  it('is refused with spaces or control characters, which the parser would remove', () => {
    const urls = [
      ' https://example.com',
      'https://exam\nple.com/',
      'https://example.com/\t',
      '\0',
      '',
    ]
    for (const url of urls) assert.equal(judge(url), 'invalid_url', JSON.stringify(url))
  })

  it('may have 2048 characters before parsing, and not one more', () => {
    const start = 'https://example.com/'
    assert.equal(judge(start + 'a'.repeat(2048 - start.length)), 'ok')
    assert.equal(judge(start + 'a'.repeat(2049 - start.length)), 'invalid_url')
    assert.equal(judge(start + '\u{1F600}'.repeat(2048 - start.length)), 'ok')
    assert.equal(judge(start + 'a'.repeat(1_000_000)), 'invalid_url')
    // The parser would shorten this URL below the limit.
    assert.equal(judge(`https://example.com/${'a/../'.repeat(500)}`), 'invalid_url')
  })

  it('is refused with an IP address in any spelling, also a public one', () => {
    const hosts = words(`
      127.0.0.1 8.8.8.8 127.1 127.0.1 0x7f.1 0x7f000001 2130706433 0177.0.0.1 017700000001
      127.0.0.1. ①②⑦.⓪.⓪.① 127。0。0。1 １２７.0.0.1 %31%32%37.0.0.1 127%2e0%2e0%2e1 0 0x
      0x7f.0.0.0x1 00000177.1 169.254.169.254 2852039166 [::1] [::] [::ffff:127.0.0.1]
      [0:0:0:0:0:ffff:7f00:1] [64:ff9b::7f00:1] [2606:4700:4700::1111]
    `)
    for (const host of hosts) {
      const reading = readDestination(`https://${host}/`, strict)
      assert.equal('fault' in reading && reading.reason, not_an_address, host)
    }
  })

  it('is refused with an invalid domain name', () => {
    const hosts = words(`
      example..com .example.com example.com.. -a.example a-.example a$b.example a,b.example
      1.2.3.4.5 ${'a'.repeat(64)}.example ${'abcdefg.'.repeat(32)}example
    `)
    for (const host of hosts) assert.equal(judge(`https://${host}/`), 'invalid_url', host)
  })

  it('is refused with a local name, as not public', () => {
    const hosts = words(`
      localhost localhost. LOCALHOST app.localhost intranet printer.local db.internal
      metadata.google.internal metadata metadata.example nas.home.arpa home.arpa. ⓛⓞⓒⓐⓛⓗⓞⓢⓣ
      kubernetes.default.svc.cluster.local
    `)
    for (const host of hosts) assert.equal(judge(`https://${host}/`), 'not_public_host', host)
  })

  it('may in development be http, have a port and name this machine only', () => {
    const urls = ['http://localhost:3000/', 'http://127.0.0.1:80/', 'https://[::1]:8443/']
    for (const url of [...urls, 'http://laptop:9/', 'http://a.localhost/', 'https://example.com']) {
      assert.equal(judge(url, development), 'ok', url)
    }
    const hosts = ['10.0.0.1', '192.168.1.1', '169.254.169.254', '0.0.0.0', '[::ffff:127.0.0.1]']
    for (const host of [...hosts, '[fe80::1]', 'metadata.google.internal', '0', '0xa000001']) {
      assert.equal(judge(`http://${host}:80/`, development), 'not_public_host', host)
    }
    for (const url of ['ftp://localhost/', 'http://user@localhost/', 'http://a..b/']) {
      assert.equal(judge(url, development), 'invalid_url', url)
    }
  })

  it("may for a service of the operator be http, in the operator's networks only", () => {
    for (const url of ['http://192.168.7.9:11434/v1', 'http://models:11434/', 'https://1.1.1.1/']) {
      assert.equal(judge(url, named_service), 'ok', url)
    }
    for (const url of ['http://192.168.8.9:11434/v1', 'http://127.0.0.1/', 'http://metadata/']) {
      assert.equal(judge(url, named_service), 'not_public_host', url)
    }
  })

  it('never causes an exception, for any text', () => {
    const texts = fc.oneof(
      fc.string(),
      fc.string().map((text) => `https://${text}`),
    )
    fc.assert(
      fc.property(texts, (text) => ['ok', 'invalid_url', 'not_public_host'].includes(judge(text))),
    )
  })

  it('is refused if its host is a number, in every base', () => {
    const numbers = fc
      .nat(0xffffffff)
      .map((number) => [number, `0x${number.toString(16)}`, `0${number.toString(8)}`])
    fc.assert(
      fc.property(numbers, (spellings) => {
        for (const host of spellings) assert.equal(judge(`https://${host}/`), 'invalid_url')
      }),
    )
  })
})
