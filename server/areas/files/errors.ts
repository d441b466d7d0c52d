/** Error catalogue entries of the files area. */
import type { ErrorEntry } from '../../contract/catalogue/entries/error-entry.ts'
import { limits } from '../../contract/limits.ts'

export const errors = {
  file_too_large: {
    status: 413,
    about:
      'A file exceeds the size limit of its destination, such as the media library, or ' +
      'the max_bytes with which an app requested an upload link.',
    user: 'This file is too large, so please choose a smaller one.',
    next:
      'Ask for a smaller file, as detail says, then request a new upload link. In an app, ' +
      'max_bytes can be raised in its code.',
  },
  upload_not_received: {
    status: 422,
    about:
      'A file named by sha256 and bytes had an upload link, but no bytes arrived within ' +
      `${limits.upload_link_lifetime_s / 60} minutes.`,
    user: 'One of the files did not arrive in time.',
    next:
      'Ask for a new link with POST /sites/uploads or POST /media/uploads, send the bytes to it ' +
      'at once, then publish again or complete the upload. If the upload address is blocked where ' +
      'you run, send the content of a file of a site as base64 instead.',
  },
} as const satisfies Record<string, ErrorEntry>
