/**
 * The target of a URL, the brand that it shows, and whether it imitates another host. Names are
 * compared by appearance: letters of other alphabets, digits instead of letters, and two letters
 * that look like one.
 */
import { domainToUnicode } from 'node:url'
import { brands, type Brand } from '../brands/brands.ts'

/** Lower-case letters that resemble Latin ones. */
const lookalikes: ReadonlyMap<string, string> = new Map(
  Object.entries({
    а: 'a',
    ɑ: 'a',
    α: 'a',
    ь: 'b',
    с: 'c',
    ϲ: 'c',
    ԁ: 'd',
    е: 'e',
    є: 'e',
    ɡ: 'g',
    һ: 'h',
    і: 'i',
    ı: 'i',
    ι: 'i',
    ј: 'j',
    κ: 'k',
    к: 'k',
    ӏ: 'l',
    ǀ: 'l',
    м: 'm',
    п: 'n',
    ո: 'n',
    о: 'o',
    ο: 'o',
    օ: 'o',
    р: 'p',
    ρ: 'p',
    ԛ: 'q',
    г: 'r',
    ѕ: 's',
    т: 't',
    τ: 't',
    υ: 'u',
    ս: 'u',
    ν: 'v',
    ѵ: 'v',
    ԝ: 'w',
    ω: 'w',
    х: 'x',
    χ: 'x',
    у: 'y',
    γ: 'y',
    ᴢ: 'z',
  }),
)

/**
 * Returns text in lower case, without accents and invisible characters, with look-alike letters
 * replaced by Latin ones.
 */
export function foldLookalikes(text: string): string {
  return text
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[\p{M}\p{Cf}]/gu, '')
    .replace(/[^\0-\u007f]/gu, (letter) => lookalikes.get(letter) ?? letter)
}

const digits: ReadonlyMap<string, string> = new Map(
  Object.entries({ 0: 'o', 1: 'l', 3: 'e', 4: 'a', 5: 's', 7: 't' }),
)

/** Normalizes a name by appearance; names with the same result can be mistaken for each other. */
export function foldAppearance(text: string): string {
  return foldLookalikes(text)
    .replace(/[013457]/g, (digit) => digits.get(digit) ?? digit)
    .replaceAll('rn', 'm')
    .replaceAll('vv', 'w')
}

/** Returns the parsed URL; null if it is invalid or stays on the page. */
export function parseLink(value: string, base: string): URL | null {
  const trimmed = value.trim()
  return trimmed === '' || trimmed.startsWith('#') || !URL.canParse(trimmed, base)
    ? null
    : new URL(trimmed, base)
}

export function isWebUrl(url: URL): boolean {
  return url.protocol === 'https:' || url.protocol === 'http:'
}

export function isBelow(host: string, domain: string): boolean {
  return host === domain || host.endsWith(`.${domain}`)
}

const byDomain: ReadonlyMap<string, Brand> = new Map(
  brands.flatMap((brand) => brand.domains.map((domain) => [domain, brand] as const)),
)

/** Returns the brand that owns the host; null if there is none. */
export function findBrandOfHost(host: string): Brand | null {
  for (const domain of listSuffixes(host, LABELS_MAX)) {
    const brand = byDomain.get(domain)
    if (brand !== undefined) return brand
  }
  return null
}

/** Maximum number of labels of a brand's domain. */
const LABELS_MAX = 3

/** Yields the suffixes of a host: its last label, its last two labels, and so on. */
export function* listSuffixes(host: string, labels_max: number): Generator<string> {
  let at = host.length
  for (let labels = 0; labels < labels_max && at > 0; labels += 1) {
    at = host.lastIndexOf('.', at - 1)
    yield host.slice(at + 1)
  }
}

/** Minimum length of a brand name; a match of a shorter name could be chance. */
const NAME_CHARACTERS_MIN = 5

const byLook: ReadonlyMap<string, Brand> = new Map(
  [...byDomain]
    .filter(([domain]) => domain.indexOf('.') >= NAME_CHARACTERS_MIN)
    .map(([domain, brand]) => [foldAppearance(domain), brand] as const),
)

/** Returns the brand that a host imitates; null for a brand's own host. */
export function findImitatedBrand(host: string): Brand | null {
  if (findBrandOfHost(host) !== null) return null
  const unicode = domainToUnicode(host)
  const shown = unicode === '' ? host : unicode
  for (const domain of listSuffixes(shown, LABELS_MAX)) {
    const alike = byLook.get(foldAppearance(domain))
    if (alike !== undefined) return alike
  }
  return standsBefore(shown.split('.'))
}

/**
 * Finds a brand whose domain precedes the real one: `paypal.com.example.net` begins like PayPal,
 * but `google.com.au` belongs to Google.
 */
function standsBefore(labels: readonly string[]): Brand | null {
  for (let from = 0; from < labels.length; from += 1) {
    for (let to = from + 2; to <= Math.min(from + 3, labels.length - 1); to += 1) {
      const brand = byDomain.get(labels.slice(from, to).join('.'))
      const rest = labels.slice(to)
      if (brand !== undefined && (rest.length > 1 || (rest[0]?.length ?? 0) > 2)) return brand
    }
  }
  return null
}

/** Returns the host in a text that consists of a URL only. */
export function findShownHost(text: string): string | null {
  const found = /^\s*(?:https?:\/\/)?([\p{L}\p{N}.-]+\.\p{L}{2,})(?::\d+)?(?:[/?#]\S*)?\s*$/iu.exec(
    text,
  )
  return found?.[1]?.toLowerCase() ?? null
}
