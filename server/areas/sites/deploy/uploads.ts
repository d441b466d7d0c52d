/** Upload links for files of a site, so that no file content passes through a chat. */
import type { Caller } from '../../../contract/caller.ts'
import * as files from '../../files/service.ts'
import { findContentType, parseContent, requireSizeLimits } from './content.ts'
import type { SiteUploadsInput, SiteUploads } from './upload-schema.ts'

/** POST /sites/uploads. Refuses invalid files before they are uploaded. */
export async function createUploads(caller: Caller, input: SiteUploadsInput): Promise<SiteUploads> {
  const given = parseContent({ files: input.files.map(({ content_type: _type, ...file }) => file) })
  requireSizeLimits(given.files)
  const announced = given.files.map(({ path, sha256, bytes }, index) => ({
    name: path,
    sha256,
    bytes,
    content_type: input.files[index]?.content_type ?? findContentType(path),
  }))
  const uploads = await files.announceUploads(caller, 'site', announced)
  return {
    uploads: uploads.map((upload) => ({
      upload_id: upload.upload_id,
      path: upload.name,
      url: upload.url,
      method: upload.method,
      headers: upload.headers,
      expires_at: upload.expires_at,
      status: upload.status,
    })),
  }
}
