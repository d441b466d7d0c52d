/** The words of the media library: sorts of files, sizes and formats of smaller pictures. */
import { limits } from '../../contract/limits.ts'

export const kinds = ['image', 'video', 'audio', 'document', 'other'] as const

/** An allow-list that limits the number of copies per file. */
export const widths = limits.media_widths
export const formats = ['webp', 'avif', 'jpeg'] as const
export type Format = (typeof formats)[number]

/** Of these smaller copies are made, and all that is no part of the picture is taken out. */
export const pictures: readonly string[] = [
  'image/jpeg',
  'image/png',
  'image/webp',
  'image/gif',
  'image/avif',
]

/** Names between slashes. */
export const folderPattern =
  '^(?:[^/\\s\\u0000-\\u001f\\u007f](?:[^/\\u0000-\\u001f\\u007f]*[^/\\s\\u0000-\\u001f\\u007f])?' +
  '(?:/[^/\\s\\u0000-\\u001f\\u007f](?:[^/\\u0000-\\u001f\\u007f]*[^/\\s\\u0000-\\u001f\\u007f])?)*)?$'
