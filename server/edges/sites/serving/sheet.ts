/**
 * One version of a site, prepared for serving: its files by path, its parsed rules, and the
 * responses of requested addresses in each encoding. Versions are immutable, so entries are only
 * evicted and never updated.
 */
import {
  headerFinder,
  redirectFinder,
  type Manifest,
  type ServedFile,
  type ServedSite,
} from '../../../areas/sites/service.ts'
import type { FileVariant } from '../../../areas/files/service.ts'
import type { Encoding } from './encodings.ts'
import { fieldsOf } from './fields.ts'
import type { Shelf } from './resolve.ts'

/** A file in one encoding. */
export interface Form {
  encoding: Encoding | null
  /** The key of its bytes in the body cache. */
  key: string
  bytes: number
  etag: string
  /** Header fields of a response with the whole body. */
  fields: readonly string[]
  /** Header fields of a 304. */
  not_modified: readonly string[]
}

/** The file and headers for one address. */
export interface Page {
  file: ServedFile
  /** For a smaller copy of a picture: the suffix of its stored bytes. */
  suffix?: string
  status: 200 | 404
  /** The fields shared by all encodings. */
  fields: readonly string[]
  forms: Partial<Record<Encoding | 'identity', Form>>
}

export interface Sheet {
  project_id: string
  shelf: Shelf
  /** By percent-encoded address. Only addresses of files are stored, so their number is limited. */
  pages: Map<string, Page>
  /** Cached per file, unless the version has _headers, which depend on the path. */
  pageFor(file: ServedFile, status: 200 | 404, path: string): Page
}

export function layOut(site: ServedSite, { files, rules }: Manifest): Sheet {
  const headersFor = headerFinder(rules.headers)
  const shared = new Map<string, Page>()
  const newPage = (file: ServedFile, status: 200 | 404, path: string): Page => ({
    file,
    status,
    fields: fieldsOf(site, file, headersFor(path)),
    forms: {},
  })
  return {
    project_id: site.project_id,
    shelf: {
      files: new Map(files.map((file) => [`/${file.path}`, file])),
      redirectFor: redirectFinder(rules.redirects),
      spa: site.spa,
    },
    pages: new Map(),
    pageFor(file, status, path) {
      if (rules.headers.length > 0) return newPage(file, status, path)
      const key = `${status} ${file.path}`
      const page = shared.get(key) ?? newPage(file, status, path)
      shared.set(key, page)
      return page
    },
  }
}

const TAG_CHARACTERS = 22

export function formOf(sheet: Sheet, page: Page, encoding: Encoding | null): Form {
  return (page.forms[encoding ?? 'identity'] ??= newForm(sheet, page, encoding))
}

function newForm({ project_id }: Sheet, page: Page, encoding: Encoding | null): Form {
  const { file, status } = page
  const bytes = (encoding === null ? undefined : file.encodings[encoding]) ?? file.bytes
  const digest = Buffer.from(file.sha256, 'hex').toString('base64url').slice(0, TAG_CHARACTERS)
  const form = encoding ?? page.suffix
  const etag = form === undefined ? `"${digest}"` : `"${digest}-${form}"`
  // A 404 page has no entity tag, so it is never sent as a 304.
  const not_modified = status === 200 ? [...withoutType(page.fields), 'ETag', etag] : page.fields
  const fields = [
    ...page.fields,
    ...(status === 200 ? ['ETag', etag] : []),
    ...(status === 200 && encoding === null ? ['Accept-Ranges', 'bytes'] : []),
    ...(encoding === null ? [] : ['Content-Encoding', encoding]),
    'Content-Length',
    String(bytes),
  ]
  return {
    encoding,
    key: `${project_id}/${file.file_id}.${form ?? ''}`,
    bytes,
    etag,
    fields,
    not_modified,
  }
}

/** The bytes of a form, for openFile and readFile. */
export function whichOf({ suffix }: Page, { encoding }: Form): FileVariant {
  if (encoding !== null) return { encoding }
  return suffix === undefined ? {} : { suffix }
}

function withoutType(fields: readonly string[]): string[] {
  const at = fields.indexOf('Content-Type')
  return fields.filter((_, place) => place !== at && place !== at + 1)
}
