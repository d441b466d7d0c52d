/** Vocabulary of the media library: kinds of files, widths and formats of copies. */
import { limits } from '../../contract/limits.ts'

export const mediaKinds = ['image', 'video', 'audio', 'document', 'other'] as const

/** The allowed widths of copies. A fixed list limits the number of copies per file. */
export const copyWidths = limits.media_widths
export const copyFormats = ['webp', 'avif', 'jpeg'] as const
export type PictureFormat = (typeof copyFormats)[number]

/** Image types with resized copies and removal of metadata. */
export const pictureTypes: readonly string[] = [
  'image/jpeg',
  'image/png',
  'image/webp',
  'image/gif',
  'image/avif',
]

/** Matches folder names separated by slashes. */
export const folderPattern =
  '^(?:[^/\\s\\u0000-\\u001f\\u007f](?:[^/\\u0000-\\u001f\\u007f]*[^/\\s\\u0000-\\u001f\\u007f])?' +
  '(?:/[^/\\s\\u0000-\\u001f\\u007f](?:[^/\\u0000-\\u001f\\u007f]*[^/\\s\\u0000-\\u001f\\u007f])?)*)?$'
