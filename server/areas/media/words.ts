/** Vocabulary of the media library: kinds of files, widths and formats of copies. */
import { limits } from '../../contract/limits.ts'

export const kinds = ['image', 'video', 'audio', 'document', 'other'] as const

/** An allow-list that limits the number of copies per file. */
export const widths = limits.media_widths
export const formats = ['webp', 'avif', 'jpeg'] as const
export type PictureFormat = (typeof formats)[number]

/** Image types with resized copies and removal of metadata. */
export const pictures: readonly string[] = [
  'image/jpeg',
  'image/png',
  'image/webp',
  'image/gif',
  'image/avif',
]

/** Folder names separated by slashes. */
export const folderPattern =
  '^(?:[^/\\s\\u0000-\\u001f\\u007f](?:[^/\\u0000-\\u001f\\u007f]*[^/\\s\\u0000-\\u001f\\u007f])?' +
  '(?:/[^/\\s\\u0000-\\u001f\\u007f](?:[^/\\u0000-\\u001f\\u007f]*[^/\\s\\u0000-\\u001f\\u007f])?)*)?$'
