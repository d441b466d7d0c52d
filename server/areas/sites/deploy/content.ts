/**
 * Validates the files of a deploy: paths checked, contents decoded and counted, all faults reported
 * together. Uploaded files are given by their digest.
 */
import type * as mime from 'mime'
import { Problem } from '../../../contract/errors.ts'
import { limits } from '../../../contract/limits.ts'
import { onFirstUse } from '../../../kernel/process/first-use.ts'
import { sha256 } from '../../../kernel/secrets/crypto.ts'
import {
  findClash,
  createFilesProblem,
  quotePath,
  normalizePath,
  type FileFault,
} from '../files/paths.ts'
import type { FileInput } from '../schema.ts'
import { isConfiguration } from '../versions/serving.ts'
import { formatSize } from '../../../kernel/values/size.ts'

const mediaTypes = onFirstUse<typeof mime>('mime')

/** A file of a deploy, with its contents, or with the digest of an upload. */
export interface DeployFile {
  path: string
  sha256: string
  bytes: number
  content_type: string
  /** The contents; null if the file was uploaded. */
  content: Buffer | null
}

export interface DeployMedia {
  path: string
  media_id: string
}

/** The files that a deploy adds and deletes, by normalized path. */
export interface DeployContent {
  files: DeployFile[]
  media: DeployMedia[]
  deleted: string[]
}

interface Sent {
  files?: readonly FileInput[]
  media?: readonly { media_id: string; path: string }[]
  delete?: readonly string[]
}

/** Reads the files and media of a deploy. Throws one Problem with every fault. */
export function parseContent(sent: Sent): DeployContent {
  const { files = [], media = [] } = sent
  requireCount(files.length)
  const faults: FileFault[] = []
  const path = (place: string, text: string): string => {
    const read = normalizePath(text)
    if ('path' in read) return read.path
    faults.push({ path: place, message: read.message })
    return ''
  }
  const given = {
    files: files.map((file, index) => ({
      ...readFile(file, `/files/${index}`, faults),
      path: path(`/files/${index}/path`, file.path),
    })),
    media: media.map(({ media_id, path: text }, index) => ({
      media_id,
      path: path(`/media/${index}/path`, text),
    })),
    deleted: (sent.delete ?? []).map((text, index) => path(`/delete/${index}`, text)),
  }
  faults.push(...twice(given))
  if (faults.length > 0) throw createFilesProblem(faults)
  const read = given.files.map((file) => ({ ...file, content_type: findContentType(file.path) }))
  requireSizeLimits(read)
  return { ...given, files: read }
}

/** Returns paths that occur more than once, which are ambiguous. */
function twice({
  files,
  media,
  deleted,
}: Pick<DeployContent, 'media' | 'deleted'> & { files: { path: string }[] }): FileFault[] {
  const named = [
    ...files.map(({ path }, index) => ({ path, place: `/files/${index}/path` })),
    ...media.map(({ path }, index) => ({ path, place: `/media/${index}/path` })),
    ...deleted.map((path, index) => ({ path, place: `/delete/${index}` })),
  ]
  const seen = new Map<string, string>()
  return named.flatMap(({ path, place }) => {
    const before = seen.get(path)
    seen.set(path, before ?? place)
    if (path === '' || before === undefined) return []
    return [{ path: place, message: `names the same path as ${before}` }]
  })
}

type Read = Omit<DeployFile, 'path' | 'content_type'>

function readFile(file: FileInput, place: string, faults: FileFault[]): Read {
  const nothing = { sha256: '', bytes: 0, content: null }
  const { content, encoding = 'utf8', sha256: digest, bytes } = file
  if ((content === undefined) === (digest === undefined)) {
    faults.push({ path: place, message: 'must have either content or sha256 and bytes' })
    return nothing
  }
  if (content === undefined) {
    if (bytes === undefined) faults.push({ path: `${place}/bytes`, message: 'is missing' })
    return { sha256: digest ?? '', bytes: bytes ?? 0, content: null }
  }
  const decoded = encoding === 'utf8' ? Buffer.from(content) : decodeBase64(content)
  if (!decoded) {
    faults.push({ path: `${place}/content`, message: 'must be base64, as encoding says' })
    return nothing
  }
  const { length } = decoded
  if (bytes !== undefined && bytes !== length)
    faults.push({ path: `${place}/bytes`, message: `must be ${length}, which is what content has` })
  return { sha256: sha256(decoded).toString('hex'), bytes: length, content: decoded }
}

const base64Pattern = /^[A-Za-z0-9+/]*={0,2}$/

function decodeBase64(text: string): Buffer | null {
  const bare = text.replaceAll(/[\r\n]/g, '')
  if (!base64Pattern.test(bare)) return null
  const padding = bare.indexOf('=')
  const digits = padding < 0 ? bare.length : padding
  return digits % 4 === 1 ? null : Buffer.from(bare, 'base64')
}

const textTypes =
  /^(?:text\/|application\/(?:json|javascript|xml|manifest\+json|[\w.-]+\+(?:json|xml))$|image\/svg\+xml$)/

const JSON_TYPE = 'application/json'

/** Files without an ending whose names are registered as JSON. */
const jsonFiles =
  /^(?:\.well-known\/)?apple-app-site-association$|^\.well-known\/(?:matrix\/(?:client|server)|nodeinfo|openid-configuration|oauth-(?:authorization-server|protected-resource))$/

/** The registered names of types that the table names by former ones. */
const usual: Readonly<Record<string, string>> = {
  'audio/x-flac': 'audio/flac',
  'text/x-vcard': 'text/vcard',
}

/** The content type by file name, with charset=utf-8 for text. */
export function findContentType(path: string): string {
  // The slash makes it a path; the library reads a name without a dot as an ending.
  const found = mediaTypes().default.getType(`/${path}`)
  const named = isConfiguration(path) ? 'text/plain' : jsonFiles.test(path) ? JSON_TYPE : null
  const known = found === null ? named : (usual[found] ?? found)
  const type = known ?? 'application/octet-stream'
  return isText(type) ? `${type}; charset=utf-8` : type
}

/** Whether a content type is text, which is worth compressing. */
export function isText(content_type: string): boolean {
  return textTypes.test(content_type.split(';')[0] ?? '')
}

function requireCount(count: number): void {
  if (count <= limits.site_files_max) return
  throw new Problem(
    'site_too_large',
    `The site has ${count} files, and ${limits.site_files_max} are the most.`,
  )
}

/**
 * Throws if the files exceed the size limits of a site, in decoded bytes. Media files do not count.
 */
export function requireSizeLimits(files: readonly { path: string; bytes: number }[]): void {
  requireCount(files.length)
  const large = files.find(({ bytes }) => bytes > limits.site_file_bytes_max)
  if (large) {
    const most = formatSize(limits.site_file_bytes_max)
    throw new Problem('site_too_large', `${large.path} is larger than ${most}.`)
  }
  const bytes = files.reduce((sum, file) => sum + file.bytes, 0)
  if (bytes <= limits.site_bytes_max) return
  const most = formatSize(limits.site_bytes_max)
  throw new Problem('site_too_large', `The files together are larger than ${most}.`)
}

/** Throws if two paths conflict, at least one of them from this deploy. */
export function requireNoClash(
  kept: readonly { path: string }[],
  { files, media }: DeployContent,
): void {
  const clash = findClash([...kept, ...files, ...media].map(({ path }) => path))
  if (!clash) return
  const { path, other, message } = clash
  const places = new Map([
    ...files.map((file, index) => [file.path, `/files/${index}/path`] as const),
    ...media.map((file, index) => [file.path, `/media/${index}/path`] as const),
  ])
  const place = places.get(path)
  if (place !== undefined) throw createFilesProblem([{ path: place, message }])
  throw createFilesProblem([
    { path: places.get(other) ?? '', message: `is in the way of ${quotePath(path)}` },
  ])
}
