/** The content security policy of the portal: its own scripts and styles only. */
import { uploadOrigins } from '../../kernel/blobs/s3.ts'
import type { Config } from '../../kernel/config/config-types.ts'

/**
 * Uploads and media may be at other origins: at a bucket, and at `public_url` while the portal is open
 * at another name of the same server, such as its IP address.
 */
export function createPortalPolicy({ public_url, blobs }: Config): string {
  const { origin } = new URL(public_url)
  const uploads = uploadOrigins(blobs.address)
  return [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "font-src 'self'",
    ["connect-src 'self'", origin, ...uploads].join(' '),
    `img-src 'self' data: blob: ${origin}`,
    `media-src 'self' ${origin}`,
    "form-action 'self'",
    "frame-src 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; ')
}
