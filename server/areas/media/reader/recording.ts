/** Duration and dimensions of recordings, read by MediaInfo in ranges. */
import { mediaInfoFactory } from 'mediainfo.js'
import type { FileInspection } from './messages.ts'

const CHUNK_BYTES = 256 * 1024

/** Reads a range of the file. */
export type ReadPiece = (length: number, offset: number) => Promise<Uint8Array>

type Recording = Pick<FileInspection, 'width' | 'height' | 'duration_sec'>

export async function inspectRecording(bytes: number, read: ReadPiece): Promise<Recording | null> {
  const info = await mediaInfoFactory({ format: 'object', chunkSize: CHUNK_BYTES })
  try {
    const result = await info.analyzeData(bytes, read)
    const tracks = result.media?.track ?? []
    const track = (type: string) => tracks.find((one) => one['@type'] === type)
    const [general, video, audio] = [track('General'), track('Video'), track('Audio')]
    if (!video && !audio) return null
    const size = [whole(valueOf(video, 'Width')), whole(valueOf(video, 'Height'))]
    const lies = Number(valueOf(video, 'Rotation') ?? 0) % 180 !== 0
    const [width = null, height = null] = lies ? size.toReversed() : size
    const durations = [general, video, audio].map((one) => valueOf(one, 'Duration'))
    return { width, height, duration_sec: seconds(durations.find((one) => one !== undefined)) }
  } finally {
    info.close()
  }
}

function valueOf(track: unknown, name: string): number | undefined {
  const value: unknown = Object(track)[name]
  return value === undefined ? undefined : Number(value)
}

function whole(value: number | undefined): number | null {
  return value !== undefined && Number.isInteger(value) && value > 0 && value <= 32_768
    ? value
    : null
}

/** Rounds to milliseconds; returns null for implausible durations. */
function seconds(value: number | undefined): number | null {
  const WEEK_S = 604_800
  if (value === undefined || !(value >= 0 && value <= WEEK_S)) return null
  return Math.round(value * 1000) / 1000
}
