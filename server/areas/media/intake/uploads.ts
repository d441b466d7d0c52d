/** Uploads by link: announced, sent directly to the blob store, and then completed. */
import { isTest, type Caller } from '../../../contract/caller.ts'
import { Problem } from '../../../contract/errors.ts'
import * as files from '../../files/service.ts'
import type { Media, MediaUploads, MediaUploadsInput } from '../schema.ts'
import { show } from '../service.ts'
import * as store from '../store.ts'
import { addFile, waitUntilRead } from './take-in.ts'

/**
 * Creates an upload link for each file. A file whose original bytes are already known needs no
 * upload.
 */
export async function createUploads(
  caller: Caller,
  { files: wanted }: MediaUploadsInput,
): Promise<MediaUploads> {
  const digests = wanted.map(({ sha256 }) => Buffer.from(sha256, 'hex'))
  const known = await store.findByOriginal(caller.db, caller.project.id, digests)
  const kept = new Map(known.map((row) => [row.sent_sha256.toString('hex'), row]))
  const announced = await files.announceUploads(
    caller,
    'media',
    wanted.map(({ filename, sha256, bytes, content_type }) => {
      const row = kept.get(sha256)
      const file = row
        ? { sha256: row.sha256.toString('hex'), bytes: Number(row.bytes) }
        : { sha256, bytes }
      return { name: filename, content_type, ...file }
    }),
  )
  return { uploads: announced.map(({ name, ...rest }) => ({ filename: name, ...rest })) }
}

/**
 * Adds an uploaded file to the library under the id of its upload, so repeated calls return the
 * same file.
 */
export async function complete(caller: Caller, id: string): Promise<Media> {
  const { runtime, db, project } = caller
  // Read before the media row: a completed upload without a media row means that the file was
  // deleted.
  const upload = await files.findUpload(runtime, project.id, id)
  if (await store.find(db, { project_id: project.id, id })) {
    await waitUntilRead(runtime, project, id)
    return show(caller, id)
  }
  if (upload?.purpose !== 'media' || upload.completed) {
    throw new Problem('not_found', 'There is no upload to the media library with this id.')
  }
  const [file] = await files.findFiles(runtime, project.id, [upload.sha256])
  if (!file) throw notReceived()
  try {
    await addFile(runtime, project, {
      id,
      file,
      filename: upload.name,
      source: caller.entry_point === 'portal' ? 'portal' : 'upload',
      test: isTest(caller),
      metadata: {},
    })
  } catch (error) {
    if (error instanceof files.FileGone) throw notReceived()
    throw error
  }
  return show(caller, id)
}

function notReceived(): Problem {
  return new Problem('upload_not_received', 'The bytes of this upload have not arrived yet.')
}
