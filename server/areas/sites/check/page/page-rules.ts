/** The rules about one page: its forms, its links and the brand that it claims. */
import {
  parseLink,
  findBrandOfHost,
  findImitatedBrand,
  isBelow,
  isWebUrl,
  findShownHost,
} from '../links/addresses.ts'
import { findBadLink, type BadLinks } from '../links/bad-links.ts'
import type { Brand } from '../brands/brands.ts'
import { isTextInput, type FieldKind } from './fields.ts'
import { findBrandInTitle, type Identity } from '../brands/identity.ts'
import type { PageFacts } from './page-facts.ts'
import type { RuleName } from '../rules.ts'

/** A finding of a rule; the caller adds its place in the file. */
export interface Violation {
  rule: RuleName
  line: number | null
  what: string
  /** Text that identifies the finding even if other parts of the file change. */
  evidence: string
}

export interface PageContext {
  /** Host of the site, including the port. */
  host: string
  bad_links: BadLinks
}

const secrets = new Set<FieldKind>(['password', 'card', 'code', 'wallet'])
const collectionPath = /\/public\/collections\/([^/]+)\/documents\/?$/

/** Whether the page asks visitors for credentials of another service. */
export function asksForSecret({ forms, scripts }: PageFacts): boolean {
  return (
    scripts.asks_password ||
    forms.some(({ fields }) => fields.some(({ kind }) => secrets.has(kind)))
  )
}

export function asksForInput({ forms }: PageFacts): boolean {
  return forms.some(({ fields }) => fields.some(({ field }) => isTextInput(field)))
}

type Destination =
  | { to: 'site' }
  | { to: 'collection'; name: string }
  | { to: 'elsewhere'; host: string }

function destinationOf(action: string, facts: PageFacts, context: PageContext): Destination {
  const url = parseLink(action, facts.base)
  if (url === null || url.protocol === 'javascript:') return { to: 'site' }
  if (url.protocol === 'mailto:') return { to: 'elsewhere', host: url.pathname || 'a mailbox' }
  if (!isWebUrl(url)) return { to: 'elsewhere', host: url.protocol }
  const name = collectionPath.exec(url.pathname)?.[1]
  if (name !== undefined) return { to: 'collection', name }
  return url.host === context.host ? { to: 'site' } : { to: 'elsewhere', host: url.host }
}

const secretNames = { password: 'a password', card: 'the number or code of a payment card' }

export function* checkForms(facts: PageFacts, context: PageContext): Generator<Violation> {
  for (const { form, fields } of facts.forms) {
    for (const { field, kind } of fields) {
      if (kind !== 'wallet') continue
      yield {
        rule: 'wallet_phrase_asked',
        line: facts.line(field.line),
        what: 'This field asks for the recovery phrase or private key of a wallet.',
        evidence: field.words.join(' '),
      }
    }
    const kinds = new Set(fields.map(({ kind }) => kind))
    const kind = kinds.has('password') ? 'password' : kinds.has('card') ? 'card' : null
    if (kind === null) continue
    const actions = [...form.actions]
    if (form.collection !== null) {
      yield secretInCollection(kind, form.collection, facts.line(form.line))
    }
    for (const { value, line } of actions) {
      const destination = destinationOf(value, facts, context)
      if (destination.to === 'collection' && form.collection === null) {
        yield secretInCollection(kind, destination.name, facts.line(line))
      } else if (destination.to === 'elsewhere') {
        yield {
          rule: kind === 'password' ? 'password_sent_elsewhere' : 'card_sent_elsewhere',
          line: facts.line(line),
          what: `This form sends ${secretNames[kind]} to ${destination.host}.`,
          evidence: destination.host,
        }
      }
    }
  }
}

function secretInCollection(kind: 'password' | 'card', name: string, line: number): Violation {
  return {
    rule: 'secret_kept_in_collection',
    line,
    what: `This form writes ${secretNames[kind]} into the collection ${name}.`,
    evidence: name,
  }
}

/** Returns the brand that the page claims: by its title, otherwise by its other names. */
export function findPageIdentity({ page }: PageFacts, site_title: string): Identity | null {
  for (const text of [page.title, ...page.names, ...page.headings, site_title]) {
    const named = findBrandInTitle(text)
    if (named !== null) return named === 'other' ? null : named
  }
  return null
}

/** Whether the page loads images, styles or icons from the brand's own site. */
export function loadsFromBrand(facts: PageFacts, brand: Brand): boolean {
  const linked = new Set(facts.page.links.map(({ href }) => href))
  return facts.page.addresses.some(({ value }) => {
    if (linked.has(value)) return false
    const url = parseLink(value, facts.base)
    return (
      url !== null && isWebUrl(url) && brand.domains.some((domain) => isBelow(url.hostname, domain))
    )
  })
}

export function* checkLinks(facts: PageFacts, context: PageContext): Generator<Violation> {
  for (const { href, text, line } of facts.page.links) {
    const shown = findShownHost(text)
    const brand = shown === null ? null : findBrandOfHost(shown)
    const url = parseLink(href, facts.base)
    if (brand?.shown !== true || url === null || !isWebUrl(url)) continue
    if (brand.domains.some((domain) => isBelow(url.hostname, domain))) continue
    yield {
      rule: 'link_shows_other_address',
      line: facts.line(line),
      what: `This link shows ${shown} and leads to ${url.host}.`,
      evidence: `${shown} ${url.host}`,
    }
  }
  yield* checkAddresses(facts, context)
}

function* checkAddresses(facts: PageFacts, context: PageContext): Generator<Violation> {
  const links = new Set(facts.page.links.map(({ href }) => href))
  for (const { value, line } of facts.page.addresses) {
    const url = parseLink(value, facts.base)
    if (url === null || !isWebUrl(url)) continue
    yield* checkAddress(url, { line: facts.line(line), linked: links.has(value), context })
  }
  for (const { value, line } of facts.scripts.addresses) {
    const url = parseLink(value, facts.base)
    if (url === null) continue
    yield* checkAddress(url, { line: facts.line(line), linked: false, context })
  }
}

interface Place {
  line: number
  /** Whether visitors navigate to the address by a click; otherwise the page loads it. */
  linked: boolean
  context: PageContext
}

export function* checkAddress(url: URL, { line, linked, context }: Place): Generator<Violation> {
  if (url.host === context.host) return
  const before = decodedName(url.username)
  if (/^[\w-]+(\.[\w-]+)*\.[a-z]{2,}$/i.test(before)) {
    yield {
      rule: 'address_hides_host',
      line,
      what: `This address begins with ${before} and leads to ${url.host}.`,
      evidence: `${before} ${url.host}`,
    }
  }
  const bad = findBadLink(context.bad_links, url)
  if (bad !== null && (bad.use === 'link' || !linked)) {
    yield {
      rule: 'known_bad_link',
      line,
      what: `This is an address on ${url.host}: ${bad.reason}.`,
      evidence: `${bad.host}${bad.path}`,
    }
  }
  const imitated = findImitatedBrand(url.hostname)
  if (imitated === null) return
  yield {
    rule: 'address_looks_like_brand',
    line,
    what: `The address ${url.host} looks like one of ${imitated.name}, and is not.`,
    evidence: url.host,
  }
}

function decodedName(name: string): string {
  try {
    return decodeURIComponent(name)
  } catch {
    return name
  }
}
