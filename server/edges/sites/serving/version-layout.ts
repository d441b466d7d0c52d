/**
 * One version of a site, prepared for serving: its files by path, its parsed rules, and the
 * responses of requested addresses in each encoding. Versions are immutable, so entries are only
 * evicted and never updated.
 */
import {
  createHeaderFinder,
  createRedirectFinder,
  type Manifest,
  type ServedFile,
  type ServedSite,
} from '../../../areas/sites/service.ts'
import type { FileVariant } from '../../../areas/files/service.ts'
import type { ContentEncoding } from './encodings.ts'
import { createFields } from './fields.ts'
import type { RoutingTable } from './resolve.ts'

/** A file in one encoding. */
export interface Representation {
  encoding: ContentEncoding | null
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
export interface SiteResource {
  file: ServedFile
  /** For a smaller copy of a picture: the suffix of its stored bytes. */
  suffix?: string
  status: 200 | 404
  /** Whether it is an HTML page with status 200, whose views are counted. */
  is_page: boolean
  /** The fields shared by all encodings. */
  fields: readonly string[]
  representations: Partial<Record<ContentEncoding | 'identity', Representation>>
}

export interface VersionLayout {
  project_id: string
  routing: RoutingTable
  /**
   * Resources by percent-encoded path. Only paths of files are stored, so their number is limited.
   */
  resources: Map<string, SiteResource>
  /**
   * Returns the resource of a file. Cached per file, unless the version has _headers, which depend
   * on the path.
   */
  resourceFor(file: ServedFile, status: 200 | 404, path: string): SiteResource
}

export function prepareVersion(site: ServedSite, { files, rules }: Manifest): VersionLayout {
  const headersFor = createHeaderFinder(rules.headers)
  const shared = new Map<string, SiteResource>()
  const newResource = (file: ServedFile, status: 200 | 404, path: string): SiteResource => ({
    file,
    status,
    is_page: status === 200 && file.content_type.startsWith('text/html'),
    fields: createFields(site, file, headersFor(path)),
    representations: {},
  })
  return {
    project_id: site.project_id,
    routing: {
      files: new Map(files.map((file) => [`/${file.path}`, file])),
      redirectFor: createRedirectFinder(rules.redirects),
      spa: site.spa,
    },
    resources: new Map(),
    resourceFor(file, status, path) {
      if (rules.headers.length > 0) return newResource(file, status, path)
      const key = `${status} ${file.path}`
      const resource = shared.get(key) ?? newResource(file, status, path)
      shared.set(key, resource)
      return resource
    },
  }
}

const TAG_CHARACTERS = 22

export function prepareRepresentation(
  layout: VersionLayout,
  resource: SiteResource,
  encoding: ContentEncoding | null,
): Representation {
  return (resource.representations[encoding ?? 'identity'] ??= newRepresentation(
    layout,
    resource,
    encoding,
  ))
}

function newRepresentation(
  { project_id }: VersionLayout,
  resource: SiteResource,
  encoding: ContentEncoding | null,
): Representation {
  const { file, status } = resource
  const bytes = (encoding === null ? undefined : file.encodings[encoding]) ?? file.bytes
  const digest = Buffer.from(file.sha256, 'hex').toString('base64url').slice(0, TAG_CHARACTERS)
  const variant = encoding ?? resource.suffix
  const etag = variant === undefined ? `"${digest}"` : `"${digest}-${variant}"`
  // A 404 page has no entity tag, so it is never sent as a 304.
  const not_modified =
    status === 200 ? [...withoutType(resource.fields), 'ETag', etag] : resource.fields
  const fields = [
    ...resource.fields,
    ...(status === 200 ? ['ETag', etag] : []),
    ...(status === 200 && encoding === null ? ['Accept-Ranges', 'bytes'] : []),
    ...(encoding === null ? [] : ['Content-Encoding', encoding]),
    'Content-Length',
    String(bytes),
  ]
  return {
    encoding,
    key: `${project_id}/${file.file_id}.${variant ?? ''}`,
    bytes,
    etag,
    fields,
    not_modified,
  }
}

/** Returns which bytes of the file to read, for openFile and readFile. */
export function toFileVariant({ suffix }: SiteResource, { encoding }: Representation): FileVariant {
  if (encoding !== null) return { encoding }
  return suffix === undefined ? {} : { suffix }
}

function withoutType(fields: readonly string[]): string[] {
  const at = fields.indexOf('Content-Type')
  return fields.filter((_, place) => place !== at && place !== at + 1)
}
