/**
 * Addresses of sites. A slug is the first label of the address; some slugs are reserved, because
 * they could be mistaken for the service itself. The address of an unlisted site has a random
 * secret after the slug. Every version has its own address, recognisable by two consecutive
 * hyphens.
 */
import { randomInt } from 'node:crypto'
import { Problem } from '../../../contract/errors.ts'
import type { Config } from '../../../kernel/config/config-types.ts'

/** Lower-case letters, digits and single hyphens between them. */
export const SLUG_PATTERN = '^[a-z0-9](?:-?[a-z0-9])+$'
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
  if (!isReserved(slug)) return
  throw new Problem('slug_reserved', `The slug ${slug} is reserved.`)
}

function isReserved(slug: string): boolean {
  return reserved.has(slug) || slug.startsWith(SERVICE_NAME)
}

const slugPattern = new RegExp(SLUG_PATTERN)
const secretPattern = new RegExp(`^-[${alphabet}]{${SECRET_CHARACTERS}}$`)
const previewPattern = new RegExp(
  `^[a-z0-9-]{2,}${PREVIEW_MARK}[${alphabet}]{${PREVIEW_CHARACTERS}}$`,
)

/** Whether `createLabel` can create this label for a slug that is not reserved. */
export function isUsableAddress({ slug, label }: { slug: string; label: string }): boolean {
  if (!slugPattern.test(slug) || isReserved(slug) || !label.startsWith(slug)) return false
  return label === slug || secretPattern.test(label.slice(slug.length))
}

export function isUsablePreviewLabel(label: string): boolean {
  return previewPattern.test(label)
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
