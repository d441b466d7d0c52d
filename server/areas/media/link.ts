/**
 * Short-lived links to media files. A link is a signed token that names the file, so no row is
 * stored for it, and it ends when the file is deleted. Creating a link to a resized copy makes the
 * copy, which is stored beside the image; a link of `linkToCopy` makes it when the link is opened.
 */
import type { Caller } from '../../contract/caller.ts'
import { Problem } from '../../contract/errors.ts'
import { limits } from '../../contract/limits.ts'
import { holdsUnderAnyKey, sameText, type MacKey } from '../../kernel/secrets/crypto.ts'
import type { Runtime } from '../../kernel/runtime.ts'
import { isUuid } from '../../kernel/values/ids.ts'
import { FileGone } from '../files/service.ts'
import { makeCopy, toCopySuffix, type CopySpec, type Picture } from './copies/copies.ts'
import { makeSiteCopy } from './copies/site-copies.ts'
import type { Link, LinkQuery } from './schema.ts'
import * as store from './store.ts'
import { createUnknownMediaProblem } from './unknown.ts'
import { pictureTypes, type PictureFormat } from './words.ts'

export async function createLink(caller: Caller, id: string, query: LinkQuery): Promise<Link> {
  const { runtime, db, project } = caller
  const row = await store.find(db, { project_id: project.id, id })
  if (!row) throw createUnknownMediaProblem()
  requireReady(row)
  const copy = copyFor(row, query)
  if (copy !== null) await requireCopy(runtime, row, copy)
  return linkTo(runtime, row, copy)
}

/**
 * Creates a link to a copy that is made when the link is first opened. Null unless the file is a
 * ready picture.
 */
export function createLazyLink(runtime: Runtime, row: store.MediaRow, width: number): Link | null {
  const { status, content_type, width: own_width } = row
  if (status !== 'ready' || !pictureTypes.includes(content_type) || own_width === null) return null
  return linkTo(runtime, row, { width: Math.min(width, own_width), format: 'webp' })
}

/** Creates a link without checking the file. */
export function linkTo(
  runtime: Runtime,
  { project_id, id }: store.MediaRow,
  copy: CopySpec | null,
): Link {
  const expires_s = Math.ceil(runtime.clock.now_ms() / 1000) + limits.media_link_lifetime_s
  const expires_ms = expires_s * 1000
  const token = writeToken(runtime, { project_id, id, copy, expires_ms })
  return {
    url: `${runtime.config.public_url}/files/${token}`,
    expires_at: new Date(expires_ms).toISOString(),
  }
}

function requireReady({ status, status_reason }: store.MediaRow): void {
  if (status === 'ready') return
  const detail =
    status === 'processing'
      ? 'The file is still being processed. Try again in a few seconds.'
      : `The file is ${status}: ${status_reason ?? 'it cannot be used.'}`
  throw new Problem('conflict', detail)
}

/** Returns the requested copy; null for the file itself. */
function copyFor(row: store.MediaRow, { width, format }: LinkQuery): CopySpec | null {
  if (width === undefined && format === undefined) return null
  if (width === undefined) {
    throw new Problem(
      'invalid_parameter',
      'format applies to a smaller copy, so it needs width too.',
    )
  }
  if (row.kind === 'image' && row.status_reason !== null)
    throw new Problem('conflict', `The copy cannot be made. ${row.status_reason}`)
  if (!pictureTypes.includes(row.content_type) || row.width === null) {
    const detail = `Smaller copies exist for pictures only; this file is ${row.content_type}.`
    throw new Problem('invalid_parameter', detail)
  }
  return { width: Math.min(width, row.width), format: format ?? 'webp' }
}

async function requireCopy(runtime: Runtime, row: store.MediaRow, copy: CopySpec): Promise<void> {
  const made = await makeCopy(runtime, pictureOf(row), copy).catch((error: unknown) => {
    throw error instanceof FileGone ? createUnknownMediaProblem() : error
  })
  if ('fault' in made) throw new Problem('conflict', `The copy cannot be made. ${made.fault}`)
}

function pictureOf({ project_id, file_id, bytes }: store.MediaRow): Picture {
  return { project_id, file_id, bytes: Number(bytes) }
}

interface Ticket {
  project_id: string
  id: string
  copy: CopySpec | null
  expires_ms: number
}

/** Format: `<project>.<media>.<expiry in base 36>.<copy or ->.<mac>`, with ids without hyphens. */
function writeToken(runtime: Runtime, { project_id, id, copy, expires_ms }: Ticket): string {
  const time = (expires_ms / 1000).toString(36)
  const what = copy === null ? '-' : `${copy.width}${copy.format}`
  const text = [project_id, id]
    .map((one) => one.replaceAll('-', ''))
    .concat(time, what)
    .join('.')
  return `${text}.${macOf(runtime.seal, text)}`
}

const MAC_CHARACTERS = 27

function macOf(key: MacKey, text: string): string {
  return key.mac(text, 'media-link').toString('base64url').slice(0, MAC_CHARACTERS)
}

const tokenPattern =
  /^([0-9a-f]{32})\.([0-9a-f]{32})\.([0-9a-z]{1,9})\.(-|\d{1,5}(?:webp|avif|jpeg))\.[\w-]{27}$/

function readToken(runtime: Runtime, token: string): Ticket | null {
  const [, project = '', media = '', time = '', what = ''] = tokenPattern.exec(token) ?? []
  const end = token.lastIndexOf('.')
  const [text, mac] = [token.slice(0, end), token.slice(end + 1)]
  const is_ours = holdsUnderAnyKey(runtime.seal, (key) => sameText(macOf(key, text), mac))
  if (what === '' || !is_ours) return null
  const format = formatOf(what.replace(/^\d+/, ''))
  const copy = format === null ? null : { width: Number.parseInt(what, 10), format }
  const expires_ms = Number.parseInt(time, 36) * 1000
  return { project_id: uuidOf(project), id: uuidOf(media), copy, expires_ms }
}

function formatOf(text: string): PictureFormat | null {
  return text === 'webp' || text === 'avif' || text === 'jpeg' ? text : null
}

function uuidOf(hex: string): string {
  const text = hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
  return isUuid(text) ? text : ''
}

/** The target of a link. */
export interface OpenedLink {
  project_id: string
  file_id: string
  /** Suffix of a resized copy, for openFile; null for the file itself. */
  suffix: string | null
  bytes: number
  content_type: string
  filename: string
  /** Whether a browser may display it; otherwise it is a download. */
  inline: boolean
  /** Strong ETag without quotes; equal for equal bytes. */
  etag: string
  expires_at: Date
}

/** Types that browsers display or play without running code. */
const shown =
  /^(?:image\/(?:jpeg|png|webp|gif|avif|bmp|x-icon)|(?:video|audio)\/[\w.+-]+|application\/(?:pdf|ogg))$/

/**
 * Reads the token of a link. Throws not_found for an invalid or expired link, or a deleted file.
 */
export async function openLink(runtime: Runtime, token: string): Promise<OpenedLink> {
  const createLink = readToken(runtime, token)
  if (!createLink) throw new Problem('not_found', 'This is not a link to a file.')
  if (createLink.expires_ms <= runtime.clock.now_ms()) {
    throw new Problem('not_found', 'This link has expired. Request a new one.')
  }
  const { project_id, id, copy } = createLink
  const row = await store.findPublic(runtime.db, { project_id, id })
  const copy_bytes = copy && row ? await makeSiteCopy(runtime, pictureOf(row), copy) : null
  if (row?.status !== 'ready' || (copy && copy_bytes === null)) {
    throw new Problem('not_found', 'The file of this link no longer exists.')
  }
  const content_type = copy ? `image/${copy.format}` : row.content_type
  const digest = row.sha256.toString('base64url').slice(0, 22)
  return {
    project_id,
    file_id: row.file_id,
    suffix: copy && toCopySuffix(copy),
    bytes: copy_bytes ?? Number(row.bytes),
    content_type,
    filename: copy ? renamed(row.filename, copy) : row.filename,
    inline: shown.test(content_type),
    etag: copy ? `${digest}-${toCopySuffix(copy)}` : digest,
    expires_at: new Date(createLink.expires_ms),
  }
}

function renamed(filename: string, { width, format }: CopySpec): string {
  return `${filename.replace(/\.[^.]*$/, '')}-${width}.${format === 'jpeg' ? 'jpg' : format}`
}
