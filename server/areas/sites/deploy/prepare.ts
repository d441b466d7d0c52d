/**
 * Prepares a deploy before publication: finds or stores the bytes, compresses them and reads pages
 * and settings. It holds no lock, and leaves at most unreferenced bytes, which the sweep deletes.
 */
import type { Caller } from '../../../contract/caller.ts'
import { Problem } from '../../../contract/errors.ts'
import { inSlices } from '../../../kernel/limits/slices.ts'
import * as files from '../../files/service.ts'
import { copyWidths } from '../../media/service.ts'
import { findBrokenLinks, findBrokenRewrites } from '../files/broken-links.ts'
import { mayHoldProgram } from '../check/programs.ts'
import {
  isText,
  requireSizeLimits,
  requireNoClash,
  type DeployContent,
  type DeployFile,
} from './content.ts'
import {
  fillForms,
  replaceContents,
  type FormSite,
  type PageFile,
  type SiteToken,
} from './form-tokens.ts'
import { parseHeaders } from '../files/headers.ts'
import { listCollections, readPage, findTitle, type LinkedPage } from '../files/pages.ts'
import { createFilesProblem, type FileFault } from '../files/paths.ts'
import { parseRedirects, createRedirectFinder } from '../files/redirects.ts'
import { requirePassedCheck, type ReviewedSite } from '../reviews/reviews.ts'
import { limitCollections, keepCollections } from '../rights.ts'
import { isConfiguration } from '../versions/serving.ts'
import { addSourceSets } from '../files/page-pictures.ts'
import { findShownMedia, findWidePictures } from './shown-media.ts'
import { toTitle } from '../address/slug.ts'
import type { ManifestRow, VersionFile } from '../versions/version-store.ts'

/** The requested deploy and the live version at its start. */
export interface DeployDraft {
  given: DeployContent
  /** The files of the live version; empty at a first deploy. */
  live: readonly VersionFile[]
  /** Collections that limited keys of the site may use by its live version. */
  collections: readonly string[]
  /** Whether live files that the deploy does not name stay. */
  keep_others: boolean
  spa: boolean
  site: ReviewedSite
  forms: FormSite
}

/** A version that is ready to be written. */
export interface PreparedDeploy {
  files: VersionFile[]
  rules: ManifestRow['rules']
  collections: string[]
  warnings: string[]
  /** The public token inserted into forms; null if no form needed one. */
  site_token: SiteToken | null
  /** The title of index.html. */
  title: string | null
}

type Stored = ReadonlyMap<string, files.StoredFile>
type Contents = ReadonlyMap<string, Buffer>

/** Placeholder for bytes that the check does not need. */
const NOT_READ = new Uint8Array()

export async function prepareDeploy(caller: Caller, draft: DeployDraft): Promise<PreparedDeploy> {
  const kept = keptFiles(draft)
  const own = [...kept.filter(({ media_id }) => media_id === null), ...draft.given.files]
  requireSizeLimits(own)
  requireNoClash(kept, draft.given)
  const shown = await findShownMedia(caller, draft.given.media, draft.live)
  const found = await findUploads(caller, draft.given.files)
  const sent = await readContents(caller, { draft, stays: [...kept, ...shown], found })
  const pages = pageFiles(draft.given.files, { kept, sent })
  const drawn = await withSourceSets(caller, pages, [...kept, ...shown])
  const filled = await fillForms(caller, draft.forms, drawn.pages)
  const changed = new Map([...drawn.changed, ...filled.changed])
  const given = replaceContents(draft.given.files, changed)
  const contents = new Map([...sent, ...changed])
  const checked = [...kept, ...shown, ...given].map(({ path, content_type }) => {
    return { path, content_type, bytes: contents.get(path) ?? NOT_READ }
  })
  checked.sort(byPath)
  const { slug, title } = draft.site
  const named = title || findTitle(textAt(contents, 'index.html')) || toTitle(slug)
  const stored = await bothOf(
    requirePassedCheck(caller, { ...draft.site, title: named }, checked),
    storeAll(caller, given, found),
  )
  const manifest = [...kept, ...shown, ...given.map((file) => versionFile(file, stored))]
  if (manifest.length === 0) {
    throw createFilesProblem([{ path: '/files', message: 'must leave the site at least one file' }])
  }
  manifest.sort(byPath)
  const stays = new Set(kept.map(({ path }) => path))
  const { forms, warnings, ...said } = await readPages(manifest, {
    contents,
    spa: draft.spa,
    stays,
  })
  const collections = new Set([
    ...limitCollections(caller, forms.now),
    ...keepCollections(forms.before, draft),
  ])
  return {
    ...said,
    files: manifest,
    collections: [...collections].toSorted(),
    site_token: filled.site_token,
    warnings: shortened([...drawn.warnings, ...filled.warnings, ...warnings]),
  }
}

/** Returns the pages among the new files and the kept files of the live version. */
function pageFiles(
  given: readonly DeployFile[],
  { kept, sent }: { kept: readonly VersionFile[]; sent: Contents },
): PageFile[] {
  const pages = [
    ...given.map((file) => ({ ...file, is_new: true })),
    ...kept.map((file) => ({ ...file, is_new: false })),
  ]
  return pages
    .filter(({ content_type }) => isPage(content_type))
    .map(({ path, is_new }) => ({ path, text: textAt(sent, path), is_new }))
}

interface DrawnPages {
  pages: PageFile[]
  /** New contents by path. */
  changed: Map<string, Buffer>
  warnings: string[]
}

/** Adds smaller sources to the wide pictures of the library in new pages. */
async function withSourceSets(
  caller: Caller,
  pages: readonly PageFile[],
  files: readonly VersionFile[],
): Promise<DrawnPages> {
  const drawn: DrawnPages = { pages: [...pages], changed: new Map(), warnings: [] }
  const has_pictures = pages.some(({ is_new, text }) => is_new && /<img/i.test(text))
  const widths = has_pictures ? await findWidePictures(caller, files) : new Map<string, number>()
  if (widths.size === 0) return drawn
  for (const [index, page] of pages.entries()) {
    if (!page.is_new) continue
    const wide = { widths, copies: copyWidths }
    const { text, count } = await inSlices(addSourceSets(page, wide))
    if (count === 0) continue
    drawn.pages[index] = { ...page, text }
    drawn.changed.set(page.path, Buffer.from(text))
    const what = count === 1 ? '1 wide picture' : `${count} wide pictures`
    drawn.warnings.push(`${page.path}: ${what} got smaller sources (srcset).`)
  }
  return drawn
}

/** Waits for both promises. Throws the error of `check` in preference to that of `work`. */
async function bothOf<T>(check: Promise<void>, work: Promise<T>): Promise<T> {
  const [checked, done] = await Promise.allSettled([check, work])
  if (checked.status === 'rejected') throw checked.reason
  if (done.status === 'rejected') throw done.reason
  return done.value
}

/**
 * Returns the files of the live version that the new one keeps. Throws if a path to delete does not
 * exist.
 */
function keptFiles({ given, live, keep_others }: DeployDraft): VersionFile[] {
  const there = new Set(live.map(({ path }) => path))
  const faults = given.deleted.flatMap((path, index) =>
    there.has(path)
      ? []
      : [{ path: `/delete/${index}`, message: 'is no file of the live version' }],
  )
  if (faults.length > 0) throw createFilesProblem(faults)
  if (!keep_others) return []
  const named = new Set([...given.deleted, ...[...given.files, ...given.media].map(pathOf)])
  return live.filter(({ path }) => !named.has(path))
}

function byPath(one: { path: string }, other: { path: string }): number {
  return one.path < other.path ? -1 : 1
}

function pathOf({ path }: { path: string }): string {
  return path
}

/**
 * Finds the files of the project by digest. Throws if an announced upload is missing or incomplete.
 */
async function findUploads(
  { runtime, project }: Caller,
  given: readonly DeployFile[],
): Promise<Map<string, files.StoredFile>> {
  const digests = [...new Set(given.map(({ sha256 }) => sha256))]
  const found = await files.findFiles(runtime, project.id, digests)
  const stored = new Map(found.map((file) => [file.sha256, file]))
  requireReceived(given, stored)
  return stored
}

function requireReceived(given: readonly DeployFile[], stored: Stored): void {
  const sent = new Map(
    given.flatMap(({ sha256, content }) => (content === null ? [] : [[sha256, content] as const])),
  )
  const missing: FileFault[] = []
  for (const [index, { path, sha256, bytes, content }] of given.entries()) {
    const there = stored.get(sha256)?.bytes ?? sent.get(sha256)?.length
    if (content !== null || there === bytes) continue
    if (there !== undefined) {
      const message = `must be ${there}, which is what the file with this sha256 has`
      throw createFilesProblem([{ path: `/files/${index}/bytes`, message }])
    }
    missing.push({ path: `/files/${index}`, message: `The bytes of ${path} never came.` })
  }
  if (missing.length === 0) return
  const [first] = missing
  const more = missing.length > 1 ? ` The same holds for ${missing.length - 1} more.` : ''
  throw new Problem('upload_not_received', `${first?.message}${more}`, { errors: missing })
}

/** Returns bytes by path: of all new files, and of kept text files. */
async function readContents(
  { runtime, project }: Caller,
  { draft, stays, found }: { draft: DeployDraft; stays: readonly VersionFile[]; found: Stored },
): Promise<Contents> {
  const { given, live } = draft
  const unchanged = new Set(live.map(({ path, sha256 }) => `${sha256} ${path}`))
  const contents = new Map<string, Buffer>()
  const wanted: { path: string; id: string }[] = stays
    .filter((file) => saysSomething(file) || mayHoldProgram(file))
    .map(({ path, file_id }) => ({ path, id: file_id }))
  for (const file of given.files) {
    const id = found.get(file.sha256)?.id
    const known = unchanged.has(`${file.sha256} ${file.path}`) && !saysSomething(file)
    if (file.content) contents.set(file.path, file.content)
    else if (id !== undefined && !known) wanted.push({ path: file.path, id })
  }
  const read = wanted.map(async ({ path, id }) => {
    contents.set(path, await files.readFile(runtime, project.id, { id }))
  })
  await Promise.all(read)
  return contents
}

/** Whether a file affects the whole site and therefore is read at every deploy. */
function saysSomething({ path, content_type }: Pick<VersionFile, 'path' | 'content_type'>) {
  return isText(content_type) || isConfiguration(path)
}

function isPage(content_type: string): boolean {
  return content_type.startsWith('text/html') || content_type.startsWith('application/xhtml')
}

async function storeAll(
  { runtime, project }: Caller,
  given: readonly DeployFile[],
  found: Stored,
): Promise<Stored> {
  const stored = new Map(found)
  const sent = given.flatMap(({ content, sha256 }) =>
    content === null || found.has(sha256) ? [] : [content],
  )
  for (const file of await files.storeFiles(runtime, project, sent)) stored.set(file.sha256, file)
  const texts = given.filter(({ content_type }) => isText(content_type))
  const ids = new Set(texts.map(({ sha256 }) => stored.get(sha256)?.id ?? ''))
  const encoded = await files.encodeFiles(runtime, project.id, [...ids])
  for (const file of encoded) stored.set(file.sha256, file)
  return stored
}

function versionFile(file: DeployFile, stored: Stored): VersionFile {
  const kept = stored.get(file.sha256)
  if (!kept) throw new Error(`The bytes of ${file.path} were not stored.`)
  return {
    path: file.path,
    file_id: kept.id,
    sha256: file.sha256,
    bytes: kept.bytes,
    content_type: file.content_type,
    encodings: isText(file.content_type) ? kept.encodings : {},
    media_id: null,
  }
}

function textAt(contents: Contents, path: string): string {
  return contents.get(path)?.toString('utf8') ?? ''
}

interface WhatPagesSay extends Pick<PreparedDeploy, 'rules' | 'title' | 'warnings'> {
  forms: { now: string[]; before: string[] }
}

/** Reads the pages and the configuration files. */
async function readPages(
  manifest: readonly VersionFile[],
  { contents, spa, stays }: { contents: Contents; spa: boolean; stays: ReadonlySet<string> },
): Promise<WhatPagesSay> {
  const text = (path: string) => textAt(contents, path)
  const pages: LinkedPage[] = []
  for (const { path, content_type } of manifest)
    if (isPage(content_type)) pages.push(await inSlices(readPage(path, text(path))))
  const { redirects, warnings: redirectWarnings } = parseRedirects(text('_redirects'))
  const { headers, warnings: headerWarnings } = parseHeaders(text('_headers'))
  const paths = manifest.map(pathOf).filter((path) => !isConfiguration(path))
  const has_index = paths.includes('index.html')
  const redirectFor = redirects.length === 0 ? null : createRedirectFinder(redirects)
  return {
    rules: { redirects, headers },
    forms: {
      now: listCollections(pages.filter((page) => !stays.has(page.path))),
      before: listCollections(pages.filter((page) => stays.has(page.path))),
    },
    title: findTitle(text('index.html')),
    warnings: [
      ...(has_index ? [] : ['There is no index.html, so the address itself shows nothing.']),
      // A single-page app has no broken links, because index.html answers every unknown path.
      ...(spa ? [] : await inSlices(findBrokenLinks(pages, { paths, redirectFor }))),
      ...redirectWarnings,
      ...findBrokenRewrites(redirects, paths),
      ...headerWarnings,
    ],
  }
}

const WARNINGS_MAX = 50

function shortened(warnings: string[]): string[] {
  const more = warnings.length - WARNINGS_MAX
  return more > 0 ? [...warnings.slice(0, WARNINGS_MAX), `There are ${more} more.`] : warnings
}
