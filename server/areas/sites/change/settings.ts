/**
 * Settings of a site apart from its files: slug, title, visibility. A deploy and PATCH apply the
 * same rules under the row lock of the site.
 */
import type { Updateable } from 'kysely'
import { Problem } from '../../../contract/errors.ts'
import type { Reader, Transaction } from '../../../kernel/database/database.ts'
import { hashPassword } from '../../../kernel/secrets/passwords.ts'
import type { SitesTable } from '../../../kernel/database/tables.ts'
import { createFilesProblem } from '../files/paths.ts'
import { createLabel, requireUsableSlug } from '../address/slug.ts'
import * as store from '../store.ts'

export interface SiteSettings {
  slug?: string
  title?: string
  visibility?: store.SiteRow['visibility']
  password?: string
  spa?: boolean
}

type Current = Pick<store.SiteRow, 'slug' | 'visibility' | 'password_hash'>

/**
 * Throws if a new slug is reserved, or if visibility and password do not fit together or the current
 * state of the site.
 */
export function requireConsistent(
  { slug, visibility: wanted, password }: SiteSettings,
  current: Current | null,
): void {
  const visibility = wanted ?? current?.visibility ?? 'public'
  if (slug !== undefined && slug !== current?.slug) requireUsableSlug(slug)
  if (password !== undefined && visibility !== 'password') {
    throw createFilesProblem([{ path: '/password', message: 'needs the visibility password' }])
  }
  if (visibility === 'password' && password === undefined && !current?.password_hash) {
    throw createFilesProblem([
      { path: '/password', message: 'is missing, and the visibility is password' },
    ])
  }
}

/** Settings that are ready to write: the password is hashed, which takes time. */
export interface ReadySettings extends Omit<SiteSettings, 'password'> {
  password_hash: string | null
}

export async function prepareSettings(
  settings: SiteSettings,
  project_id: string,
): Promise<ReadySettings> {
  const { password, slug, title, visibility, spa } = settings
  return {
    ...(slug !== undefined && { slug }),
    ...(title !== undefined && { title }),
    ...(spa !== undefined && { spa }),
    ...(visibility !== undefined && { visibility }),
    password_hash:
      password === undefined
        ? null
        : await hashPassword(password.normalize('NFC'), { room: 'sites', id: project_id }),
  }
}

/**
 * Returns the columns to write, after reserving a new slug. The label changes only with the slug, or
 * when the site becomes or stops being unlisted.
 */
export async function writeColumns(
  tx: Transaction,
  row: store.SiteRow,
  { slug = row.slug, visibility = row.visibility, password_hash, ...others }: ReadySettings,
): Promise<Updateable<SitesTable>> {
  if (slug !== row.slug) await reserveSlug(tx, slug, { ...row, is_new: false })
  const moves = slug !== row.slug || (visibility === 'unlisted') !== (row.visibility === 'unlisted')
  const kept_hash = password_hash ?? row.password_hash
  if (visibility === 'password' && kept_hash === null) {
    throw new Problem('conflict', 'The password of the site was taken away meanwhile.')
  }
  return {
    ...others,
    slug,
    visibility,
    label: moves ? createLabel(slug, visibility) : row.label,
    password_hash: visibility === 'password' ? kept_hash : null,
    password_version: row.password_version + (password_hash === null ? 0 : 1),
  }
}

/** Throws slug_taken if another site has the slug. */
export async function requireFreeSlug(
  db: Reader,
  slug: string,
  asker: { project_id: string },
): Promise<void> {
  refuseHolders(await store.findHolders(db, slug), { slug, ...asker, is_new: true })
}

/** Reserves a slug until the transaction ends. Throws slug_taken if another site has it. */
export async function reserveSlug(
  tx: Transaction,
  slug: string,
  site: store.SiteKey & { is_new: boolean },
): Promise<void> {
  await store.lockSlug(tx, slug)
  const holders = await store.findHolders(tx, slug)
  const others = holders.filter(({ id }) => id !== site.id)
  refuseHolders(others, { slug, ...site })
}

interface Wish {
  slug: string
  project_id: string
  is_new: boolean
}

function refuseHolders(
  [holder]: readonly store.SiteKey[],
  { slug, project_id, is_new }: Wish,
): void {
  if (!holder) return
  if (holder.project_id !== project_id)
    throw new Problem('slug_taken', `Another site already has the slug ${slug}.`)
  const detail = `The site ${holder.id} of this project already has the slug ${slug}.`
  if (!is_new) throw new Problem('slug_taken', detail, ownSite)
  throw new Problem('slug_taken', detail, {
    ...ownSite,
    fields: { site_id: holder.id },
    next_step:
      `To publish a new version of that site, use PUT /sites/${holder.id}; with keep_others its ` +
      'other files stay. To make a second site, choose another slug.',
  })
}

const ownSite = { user_message: 'Another site of this project already has this address.' }
