/** Reads a ZIP file in the browser: the directory at its end, and stored or deflated files. */
import type { PickedFile } from './picked-files.ts'

const END_SIGNATURE = 0x06054b50
const ENTRY_SIGNATURE = 0x02014b50
const END_BYTES = 22
const COMMENT_BYTES_MAX = 65_535
const ENTRY_BYTES = 46
const LOCAL_BYTES = 30
const STORED = 0
const DEFLATED = 8
/** More than the maximum number of files of a site; a larger directory is refused. */
const ENTRIES_MAX = 1_000
const UNPACKED_BYTES_MAX = 64_000_000

export class UnreadableZip extends Error {}

interface Entry {
  path: string
  method: number
  packed_bytes: number
  bytes: number
  offset: number
}

/** Throws UnreadableZip if the file is damaged, encrypted or too large. */
export async function readZip(zip: Blob): Promise<PickedFile[]> {
  const entries = await readDirectory(zip)
  const total = entries.reduce((sum, { bytes }) => sum + bytes, 0)
  if (entries.length > ENTRIES_MAX || total > UNPACKED_BYTES_MAX) throw new UnreadableZip()
  const files = entries.filter(({ path }) => !path.endsWith('/'))
  return Promise.all(
    files.map(async (entry) => ({ path: entry.path, file: await unpack(zip, entry) })),
  )
}

async function readDirectory(zip: Blob): Promise<Entry[]> {
  const tail = await viewOf(zip, Math.max(0, zip.size - END_BYTES - COMMENT_BYTES_MAX), zip.size)
  let at = tail.byteLength - END_BYTES
  while (at >= 0 && tail.getUint32(at, true) !== END_SIGNATURE) at -= 1
  if (at < 0) throw new UnreadableZip()
  const count = tail.getUint16(at + 10, true)
  const start = tail.getUint32(at + 16, true)
  return entriesIn(await viewOf(zip, start, start + tail.getUint32(at + 12, true)), count)
}

function entriesIn(view: DataView<ArrayBuffer>, count: number): Entry[] {
  const entries: Entry[] = []
  for (let at = 0; entries.length < count;) {
    if (at + ENTRY_BYTES > view.byteLength || view.getUint32(at, true) !== ENTRY_SIGNATURE) {
      throw new UnreadableZip()
    }
    const isEncrypted = (view.getUint16(at + 8, true) & 1) === 1
    if (isEncrypted) throw new UnreadableZip()
    const name_bytes = view.getUint16(at + 28, true)
    entries.push({
      path: new TextDecoder().decode(new Uint8Array(view.buffer, at + ENTRY_BYTES, name_bytes)),
      method: view.getUint16(at + 10, true),
      packed_bytes: view.getUint32(at + 20, true),
      bytes: view.getUint32(at + 24, true),
      offset: view.getUint32(at + 42, true),
    })
    at += ENTRY_BYTES + name_bytes + view.getUint16(at + 30, true) + view.getUint16(at + 32, true)
  }
  return entries
}

async function unpack(zip: Blob, { method, packed_bytes, offset }: Entry): Promise<Blob> {
  const local = await viewOf(zip, offset, offset + LOCAL_BYTES)
  if (local.byteLength < LOCAL_BYTES) throw new UnreadableZip()
  const start = offset + LOCAL_BYTES + local.getUint16(26, true) + local.getUint16(28, true)
  const packed = zip.slice(start, start + packed_bytes)
  if (method === STORED) return packed
  if (method !== DEFLATED) throw new UnreadableZip()
  const stream = packed.stream().pipeThrough(new DecompressionStream('deflate-raw'))
  return new Response(stream).blob().catch(() => {
    throw new UnreadableZip()
  })
}

async function viewOf(zip: Blob, start: number, end: number): Promise<DataView<ArrayBuffer>> {
  return new DataView(await zip.slice(start, end).arrayBuffer())
}
