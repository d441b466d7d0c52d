/**
 * Addresses of sites. A slug is the first label of the address; some slugs are reserved, because
 * they could be mistaken for the service itself. The address of an unlisted site has a random
 * secret after the slug. Every version has its own address, recognisable by two consecutive
 * hyphens.
 */
import { randomInt } from 'node:crypto'
import { Problem } from '../../../contract/errors.ts'
import type { Config } from '../../../kernel/config/config-types.ts'

const SECRET_CHARACTERS = 12
const PREVIEW_CHARACTERS = 10
const alphabet = 'abcdefghijklmnopqrstuvwxyz234567'
const PREVIEW_MARK = '--'

/**
 * Reserved slugs: first those of the specification, then names that imitate a part of the service.
 */
const reserved = new Set(
  `www api app docs test demo
  account accounts admin administrator apps assets auth autoconfig autodiscover billing blog cdn
  connect console dashboard dev developer developers download dns email files ftp help host id imap
  internal localhost login mail mcp media mx ns ns1 ns2 oauth owner pay payment payments pop pop3
  portal postmaster preview previews root security sign-in signin site sites smtp sso staging static
  status support system uploads webhook webhooks webmail wpad`
    .trim()
    .split(/\s+/),
)
const SERVICE_NAME = 'homeport'

export function requireUsableSlug(slug: string): void {
  if (!reserved.has(slug) && !slug.startsWith(SERVICE_NAME)) return
  throw new Problem('slug_reserved', `The slug ${slug} is reserved.`)
}

/** Returns the first label of the address. An unlisted site gets a new secret in it each time. */
export function createLabel(slug: string, visibility: 'public' | 'unlisted' | 'password'): string {
  return visibility === 'unlisted' ? `${slug}-${randomText(SECRET_CHARACTERS)}` : slug
}

export function createPreviewLabel(slug: string): string {
  return `${slug}${PREVIEW_MARK}${randomText(PREVIEW_CHARACTERS)}`
}

/** Returns whether a label belongs to a version. No slug contains two consecutive hyphens. */
export function isPreviewLabel(label: string): boolean {
  return label.includes(PREVIEW_MARK)
}

/**
 * Returns the slug of a site of a deleted project after another site took its slug. It is never
 * served.
 */
export function createUnusableSlug(site_id: string): string {
  return `deleted${PREVIEW_MARK}${site_id}`
}

function randomText(length: number): string {
  return Array.from({ length }, () => alphabet[randomInt(alphabet.length)]).join('')
}

/** Returns the URL of a label. Sites use the scheme of the service, below the sites domain. */
export function toSiteUrl({ public_url, sites_domain }: Config, label: string): string {
  const scheme = public_url.startsWith('https:') ? 'https' : 'http'
  return `${scheme}://${label}.${sites_domain}`
}

/** Returns the default title of a site: `bakery-de-molen` becomes `Bakery de molen`. */
export function toTitle(slug: string): string {
  const words = slug.replaceAll('-', ' ')
  return words.charAt(0).toUpperCase() + words.slice(1)
}
