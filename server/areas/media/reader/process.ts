/**
 * The reader: a separate process, because it decodes untrusted files. It has no settings, no
 * secrets and no database, and requests ranges of the one file of its task. A crash affects that
 * file only. It exits with its parent.
 */
import assert from 'node:assert/strict'
import { limits } from '../../../contract/limits.ts'
import { pictureTypes } from '../words.ts'
import { isToReader, type FromReader, type FileInspection, type ReaderTask } from './messages.ts'
import { inspectPicture, shrinkImage } from './picture.ts'
import { stripMetadata, strippedTypes } from './strip.ts'
import { findLocations } from './places.ts'
import type { ReadPiece } from './recording.ts'
import { sniffType } from './sniff.ts'
import { Unreadable } from './unreadable.ts'
import { formatSize } from '../../../kernel/values/size.ts'

const HEAD_BYTES = 256 * 1024

let deliver: ((piece: Uint8Array) => void) | null = null

function say(message: FromReader): void {
  process.send?.(message)
}

const read: ReadPiece = (length, offset) => {
  assert(deliver === null, 'One piece is asked for at a time.')
  say({ type: 'read', offset, length })
  return new Promise((resolve) => (deliver = resolve))
}

async function readAll(bytes: number): Promise<Buffer> {
  return Buffer.from(await read(bytes, 0))
}

const nothing = {
  width: null,
  height: null,
  duration_sec: null,
  placeholder: null,
  kept: null,
  erasures: [],
  copies_fault: null,
  fault: null,
  blocked: false,
}

// Image types that are stored unchanged and never decoded: they contain no camera metadata.
const plainPictures = ['image/svg+xml', 'image/x-icon', 'image/bmp']

async function look({
  bytes,
  filename,
}: {
  bytes: number
  filename: string
}): Promise<FileInspection> {
  const head = Buffer.from(await read(Math.min(bytes, HEAD_BYTES), 0))
  const { kind, content_type, runs } = await sniffType(head, filename)
  const about: FileInspection = { ...nothing, kind, content_type }
  if (runs) return { ...about, blocked: true, fault: 'The library does not accept programs.' }
  try {
    if (kind === 'image') return { ...about, ...(await lookAtAnyImage(content_type, bytes)) }
    if (kind !== 'video' && kind !== 'audio') return about
    const { inspectRecording } = await import('./recording.ts')
    const found = await inspectRecording(bytes, read)
    if (!found) throw new Unreadable('The recording is damaged or not whole.')
    return { ...about, ...found, erasures: await findLocations(bytes, read) }
  } catch (error) {
    if (error instanceof Unreadable) return { ...about, fault: error.message }
    throw error
  }
}

/**
 * Inspects a picture. One that cannot be decoded is kept nevertheless, if possible without its
 * metadata.
 */
async function lookAtAnyImage(
  content_type: string,
  bytes: number,
): Promise<Partial<FileInspection>> {
  try {
    return await lookAtImage(content_type, bytes)
  } catch (error) {
    if (!(error instanceof Unreadable)) throw error
    const can_strip =
      strippedTypes.includes(content_type) && bytes <= limits.media_picture_bytes_max
    const kept = can_strip ? stripMetadata(content_type, await readAll(bytes)) : null
    const stays = kept === null ? ', with any camera metadata' : ''
    return { kept, copies_fault: `${error.message} It is kept as it was sent${stays}.` }
  }
}

async function lookAtImage(content_type: string, bytes: number): Promise<Partial<FileInspection>> {
  if (plainPictures.includes(content_type)) return {}
  if (!pictureTypes.includes(content_type)) {
    throw new Unreadable(
      `Pictures can be JPEG, PNG, WebP, GIF or AVIF; this one is ${content_type}. Save it as one of those.`,
    )
  }
  if (bytes > limits.media_picture_bytes_max) {
    throw new Unreadable(
      `The picture is larger than ${formatSize(limits.media_picture_bytes_max)}. Save it smaller.`,
    )
  }
  return inspectPicture(content_type, await readAll(bytes))
}

async function work(task: ReaderTask): Promise<FromReader> {
  if (task.task === 'look') return { type: 'looked', look: await look(task) }
  return { type: 'shrunk', shrunk: { bytes: await shrinkPicture(task) } }
}

/**
 * Shrinks a file of a site. Only its name says that it is an image, so its bytes are checked before
 * they are decoded.
 */
async function shrinkPicture({ bytes, width, format }: Extract<ReaderTask, { task: 'shrink' }>) {
  if (bytes > limits.media_picture_bytes_max) throw new Unreadable('The picture is too large.')
  const picture = await readAll(bytes)
  const { content_type } = await sniffType(picture.subarray(0, HEAD_BYTES), '')
  if (!pictureTypes.includes(content_type)) throw new Unreadable(`It is ${content_type}.`)
  return shrinkImage(picture, width, format)
}

process.on('message', (message: unknown) => {
  assert(isToReader(message))
  if (message.type === 'piece') {
    const resolve = deliver
    deliver = null
    resolve?.(message.piece)
    return
  }
  work(message.task).then(say, (error: unknown) => {
    // An unexpected error ends the reader; the parent reports the file as damaged.
    if (!(error instanceof Unreadable)) process.exit(1)
    say({ type: 'fault', fault: error.message })
  })
})
process.on('disconnect', () => process.exit(0))
// Ctrl+C in a terminal also signals this child, but the parent may still need it while it stops.
process.on('SIGINT', () => {})
say({ type: 'ready' })
