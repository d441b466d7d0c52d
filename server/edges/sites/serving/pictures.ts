/**
 * Smaller copies of the pictures of a site: `photo.jpg?width=640&format=webp`. Widths are rounded
 * up to those of a short list, so each picture has few copies. If a copy is not ready in time, the
 * original is sent.
 */
import * as media from '../../../areas/media/service.ts'
import type { Runtime } from '../../../kernel/runtime.ts'
import { growingCache } from '../../../kernel/limits/growing-cache.ts'
import { toTemporaryFields, replaceField } from './fields.ts'
import type { SiteResource, VersionLayout } from './version-layout.ts'

const KNOWN_MAX = 20_000
const WAIT_MS_MAX = 8_000

interface RequestedCopy extends media.CopySpec {
  /** Whether the visitor named a format; then the copy is sent even if it is not smaller. */
  names_format: boolean
}

export interface PictureCopies {
  /** Returns a copy, or the original. */
  copyOf(
    layout: VersionLayout,
    resource: SiteResource,
    wanted: RequestedCopy,
  ): Promise<SiteResource>
}

export function createPictureCopies(runtime: Runtime): PictureCopies {
  /** Sizes of copies in bytes. A copy is deleted only with its picture. */
  const known = growingCache<number>(KNOWN_MAX)

  async function bytesOf(
    { project_id }: VersionLayout,
    { file }: SiteResource,
    copy: media.CopySpec,
  ) {
    const key = `${project_id} ${file.file_id} ${media.toCopySuffix(copy)}`
    const bytes = known.get(key)
    if (bytes !== undefined) return bytes
    const picture = { project_id, file_id: file.file_id, bytes: file.bytes }
    const found = await within(WAIT_MS_MAX, media.makeSiteCopy(runtime, picture, copy))
    if (found !== null) known.set(key, found)
    return found
  }

  return {
    async copyOf(layout, resource, { width, format, names_format }) {
      const bytes = await bytesOf(layout, resource, { width, format })
      if (bytes === null)
        return { ...resource, fields: toTemporaryFields(resource.fields), representations: {} }
      if (bytes >= resource.file.bytes && !names_format) return resource
      const content_type = `image/${format}`
      return {
        ...resource,
        file: { ...resource.file, bytes, content_type },
        suffix: media.toCopySuffix({ width, format }),
        fields: replaceField(resource.fields, 'content-type', content_type),
        representations: {},
      }
    },
  }
}

const named = new Map<string, media.CopySpec['format']>([
  ...media.copyFormats.map((format) => [format, format] as const),
  ['jpg', 'jpeg'],
])

/**
 * Returns the copy that a query requests; null if it requests none or the file is not a picture.
 */
export function readRequestedCopy(
  query: string,
  { file, status }: SiteResource,
): RequestedCopy | null {
  if (status !== 200 || !media.pictureTypes.includes(file.content_type)) return null
  const asked = new URLSearchParams(query)
  const width = asked.get('width') ?? ''
  if (!/^[1-9]\d{0,5}$/.test(width)) return null
  const format = named.get(asked.get('format') ?? '')
  return {
    width: media.copyWidths.find((one) => one >= Number(width)) ?? Math.max(...media.copyWidths),
    format: format ?? 'webp',
    names_format: format !== undefined,
  }
}

/** Resolves with the result, or with null if it takes longer; the work continues. */
async function within<T>(ms: number, work: Promise<T>): Promise<T | null> {
  const late = Promise.withResolvers<null>()
  const timer = setTimeout(late.resolve, ms, null)
  try {
    return await Promise.race([work, late.promise])
  } finally {
    clearTimeout(timer)
  }
}
