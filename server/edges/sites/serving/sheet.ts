/**
 * One version of a site, laid out for serving: its files by path, its rules made ready, and for
 * each address that was asked for the answer in every form it has had so far. A version never
 * changes, so nothing here is ever corrected; it is only forgotten when memory is needed.
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

/** A file in the form in which it goes out: as it is, or compressed. */
export interface Form {
  encoding: Encoding | null
  /** The name of its bytes among all that are kept in memory. */
  key: string
  bytes: number
  etag: string
  /** Header fields of an answer with the whole body. */
  fields: readonly string[]
  /** Header fields of a 304. */
  not_modified: readonly string[]
}

/** What one address answers with. */
export interface Page {
  file: ServedFile
  /** Of a smaller copy of a picture: which of the bytes beside the file. */
  suffix?: string
  status: 200 | 404
  /** What its forms have in common. */
  fields: readonly string[]
  forms: Partial<Record<Encoding | 'identity', Form>>
}

export interface Sheet {
  project_id: string
  shelf: Shelf
  /** By the address as a browser writes it; only addresses of files, so there are few. */
  pages: Map<string, Page>
  /** The page for a file at a path; made anew each time where the path matters for its headers. */
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
  // A page that says that nothing is there is nobody's copy of anything.
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
