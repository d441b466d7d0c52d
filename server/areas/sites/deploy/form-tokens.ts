/**
 * The public tokens in the forms of a deploy. Forms without one get the token of the site, so that
 * visitors can send them. Tokens that cannot work, and collections that take no form, are reported
 * as warnings.
 */
import type { Caller } from '../../../contract/caller.ts'
import { inSlices } from '../../../kernel/limits/slices.ts'
import { sha256 } from '../../../kernel/secrets/crypto.ts'
import { findNearestName } from '../../../kernel/values/nearest.ts'
import * as publicTokens from '../../public-tokens/service.ts'
import { listFormTargets } from '../../data/service.ts'
import type { DeployFile } from './content.ts'
import { findForms, listTokens, type FormsOfPage, type TokenForm } from '../files/page-forms.ts'
import { quotePath } from '../files/paths.ts'
import { toSiteUrl } from '../address/slug.ts'

/** The site of the deploy. `label` is its current host label; null for a new site. */
export interface FormSite {
  site_id: string
  label: string | null
}

export interface PageFile {
  path: string
  text: string
  /**
   * Whether this deploy contains the page. A page that stays from the live version is not changed.
   */
  is_new: boolean
}

export interface SiteToken {
  token: string
  /** Whether a page has the script tag of the chat widget. Otherwise the token is for forms only. */
  has_chat: boolean
}

export interface FilledForms {
  /** New contents by path, for pages with an inserted token. */
  changed: ReadonlyMap<string, Buffer>
  /** The token that was inserted into forms; null if no form needed one. */
  site_token: SiteToken | null
  warnings: string[]
}

export async function fillForms(
  caller: Caller,
  site: FormSite,
  pages: readonly PageFile[],
): Promise<FilledForms> {
  const all = await readForms(caller, pages)
  const has_chat = all.some((page) => page.has_chat)
  const read = all.filter(({ forms }) => forms.length > 0)
  const warnings = all.flatMap((one) => unansweredWarnings(caller, site, one))
  const filled: FilledForms = { changed: new Map(), site_token: null, warnings }
  if (read.length === 0) return filled
  const { runtime, project } = caller
  const own = await publicTokens.deriveSiteToken(runtime, {
    project_id: project.id,
    site_id: site.site_id,
  })
  const changed = new Map<string, Buffer>()
  for (const { page, forms, filledWith } of read) {
    const bare = forms.filter((form) => !form.is_relative && listTokens(form).length === 0)
    filled.warnings.push(...relativeWarnings(caller, page, forms), ...bareWarnings(page, bare))
    if (!page.is_new) continue
    const text = filledWith(own)
    if (text !== page.text) changed.set(page.path, Buffer.from(text))
    if (bare.length > 0) filled.site_token = { token: own, has_chat }
  }
  filled.warnings.push(...(await targetWarnings(caller, read)))
  const used = read.flatMap(({ page, forms }) => usedTokens(page, forms))
  filled.warnings.push(...(await unusableTokens({ caller, site, used, own })))
  return { ...filled, changed }
}

interface ReadPage extends FormsOfPage {
  page: PageFile
}

/** Returns the pages with their forms that post to this service. */
async function readForms({ runtime }: Caller, pages: readonly PageFile[]): Promise<ReadPage[]> {
  const read: ReadPage[] = []
  for (const page of pages) {
    const found = await inSlices(findForms(page.text, runtime.config.public_url))
    read.push({ page, ...found })
  }
  return read
}

/** Paths of a site that can answer a POST: its app, and the service. */
const answeredPaths = /^\/(?:api|_homeport)(?:\/|$)/

/** Returns warnings about forms that post to the site itself, whose pages take no POST. */
function unansweredWarnings(
  { runtime }: Caller,
  { label }: FormSite,
  { page, other_posts }: ReadPage,
): string[] {
  const { config } = runtime
  const own = new URL(label === null ? 'http://site.invalid' : toSiteUrl(config, label))
  const base = new URL(page.path.split('/').map(encodeURIComponent).join('/'), own)
  const actions = other_posts.filter((action) => {
    const url = URL.parse(action?.trim() ?? '', base)
    return url?.origin === own.origin && !answeredPaths.test(url.pathname)
  })
  return [...new Set(actions)].map((action) => {
    const form = action === null ? 'the form without an action' : `the form to ${quotePath(action)}`
    return (
      `${page.path}: ${form} posts to the site itself, which takes no forms, so visitors get 405. ` +
      `Write action="${config.public_url}/api/v1/public/collections/NAME/documents" with the name ` +
      'of a collection, unless a script of the page sends the form.'
    )
  })
}

/** Returns the files of a deploy with their new contents. */
export function replaceContents(
  files: readonly DeployFile[],
  changed: ReadonlyMap<string, Buffer>,
): DeployFile[] {
  return files.map((file) => {
    const content = changed.get(file.path)
    if (content === undefined) return file
    return { ...file, content, bytes: content.length, sha256: sha256(content).toString('hex') }
  })
}

function bareWarnings({ path, is_new }: PageFile, forms: readonly TokenForm[]): string[] {
  return targetsOf(forms).map((target) =>
    is_new
      ? `${path}: the form to ${nameOf(target)} had no public token, so the token of this site was added.`
      : `${path}: the form to ${nameOf(target)} has no public token, so visitors cannot send it. ` +
        'Publish the page again, and the token of this site is added.',
  )
}

function relativeWarnings(
  { runtime }: Caller,
  { path }: PageFile,
  forms: readonly TokenForm[],
): string[] {
  const root = `${runtime.config.public_url}/api/v1/public`
  return targetsOf(forms.filter(({ is_relative }) => is_relative)).map((target) => {
    const action = target === null ? 'orders' : `collections/${target}/documents`
    return (
      `${path}: the form to ${nameOf(target)} posts to the site itself, which takes no forms. ` +
      `Use the whole address ${root}/${action} as its action.`
    )
  })
}

/** The collections of the forms; null for orders of products. */
function targetsOf(forms: readonly TokenForm[]): (string | null)[] {
  return [...new Set(forms.map(({ collection }) => collection))]
}

function nameOf(target: string | null): string {
  return target === null ? 'orders' : quotePath(target)
}

const CLOSED = 'is not open to websites. Change the collection to public_write: true.'

/**
 * Returns warnings about forms that post to missing collections or to collections closed to
 * websites.
 */
async function targetWarnings(caller: Caller, read: readonly ReadPage[]): Promise<string[]> {
  const { access, db, project } = caller
  const targets = await listFormTargets(db, project.id)
  const is_open = new Map(targets.map(({ name, public_write }) => [name, public_write]))
  // A limited key learns only the names of collections that it may use.
  const names = [...is_open.keys()].filter((name) => !access || access.collections.includes(name))
  return read.flatMap(({ page, forms }) =>
    targetsOf(forms).flatMap((name) => {
      if (name === null) return []
      const open = is_open.get(name)
      if (open === true) return []
      const fault = open === undefined ? missing(name, names) : CLOSED
      return [
        `${page.path}: visitors cannot send the form to ${quotePath(name)}, because the collection ${fault}`,
      ]
    }),
  )
}

function missing(name: string, names: readonly string[]): string {
  const near = findNearestName(name, names)
  if (near !== undefined) return `does not exist. Did you mean ${quotePath(near)}?`
  return 'does not exist. Create it with public_write: true.'
}

interface UsedToken {
  path: string
  collection: string | null
  token: string
}

function usedTokens({ path }: PageFile, forms: readonly TokenForm[]): UsedToken[] {
  return forms.flatMap((form) =>
    listTokens(form).map((token) => ({ path, collection: form.collection, token })),
  )
}

interface Usage {
  caller: Caller
  site: FormSite
  used: readonly UsedToken[]
  own: string
}

async function unusableTokens({ caller, site, used, own }: Usage): Promise<string[]> {
  const tokens = [...new Set(used.map(({ token }) => token))].filter((token) => token !== own)
  if (tokens.length === 0) return []
  const { db, project, runtime } = caller
  const known = await publicTokens.findTokens(db, project.id, tokens)
  const address = site.label === null ? null : toSiteUrl(runtime.config, site.label)
  return used.flatMap(({ path, collection, token }) => {
    if (token === own) return []
    const fault = faultOf(known.get(token), { site_id: site.site_id, address })
    if (fault === null) return []
    const what = `${path}: the public token ${token.slice(0, 12)}… in the form to ${nameOf(collection)}`
    return [`${what} ${fault}`]
  })
}

const ADVICE = 'Leave the token out, and the deploy adds the one of this site.'

function faultOf(
  token: publicTokens.KnownToken | undefined,
  { site_id, address }: { site_id: string; address: string | null },
): string | null {
  if (!token) return `is not a token of this project, so visitors are refused. ${ADVICE}`
  if (token.is_revoked) return `is revoked, so visitors are refused. ${ADVICE}`
  if (token.site_id === site_id) return null
  if (address !== null && publicTokens.allowsOrigin(token.allowed_origins, address)) return null
  return `does not allow the address of this site, so visitors are refused. ${ADVICE}`
}
