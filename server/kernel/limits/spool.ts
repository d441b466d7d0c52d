/**
 * Keeps bodies while they arrive: small ones in memory, larger ones in files that have no name and
 * so never outlive the process. Only bytes that have arrived count, against shares of a project and
 * of an address.
 */
import { open, unlink, type FileHandle } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { randomUUID } from 'node:crypto'
import { Readable } from 'node:stream'
import { NoSlot } from './slots.ts'

const MB = 1_048_576
/** Larger bodies go to a file. */
const MEMORY_BYTES_EACH_MAX = 256 * 1024
/** Above it, every body goes to a file. */
const MEMORY_BYTES_MAX = 64 * MB
const BYTES_MAX = 1024 * MB
const BYTES_EACH_MAX = 64 * MB
const busy = { name: 'bodies arrive', retry_after_s: 5 }

/** Bytes kept at the moment, by project or address, and in total. */
const kept = new Map<string, number>()
let kept_all = 0
let in_memory = 0

export interface Spooled {
  bytes: number
  /** Reads from the start, once. */
  read(): Readable
  /** Frees the bytes. May be called twice. */
  release(): Promise<void>
}

/**
 * Keeps all bytes of a body, which count for each of `sharers`. Throws `NoSlot` above a share; then,
 * and if the body breaks off, nothing stays.
 */
export async function spool(
  source: AsyncIterable<Uint8Array>,
  sharers: readonly string[],
): Promise<Spooled> {
  const body = new Body(sharers)
  try {
    for await (const chunk of source) await body.add(chunk)
    return body
  } catch (error) {
    await body.release()
    throw error
  }
}

class Body implements Spooled {
  bytes = 0
  private readonly sharers: readonly string[]
  private chunks: Uint8Array[] = []
  private memory = 0
  private file: FileHandle | null = null

  constructor(sharers: readonly string[]) {
    this.sharers = sharers
  }

  async add(chunk: Uint8Array): Promise<void> {
    this.count(chunk.length)
    if (this.sharers.some((one) => (kept.get(one) ?? 0) > BYTES_EACH_MAX))
      throw new NoSlot(busy, true)
    if (kept_all > BYTES_MAX) throw new NoSlot(busy, false)
    const fits = this.bytes <= MEMORY_BYTES_EACH_MAX && in_memory + chunk.length <= MEMORY_BYTES_MAX
    if (!this.file && !fits) await this.moveToFile()
    if (this.file) return await write(this.file, chunk)
    this.chunks.push(chunk)
    this.memory += chunk.length
    in_memory += chunk.length
  }

  read(): Readable {
    const { file } = this
    if (file) return file.createReadStream({ start: 0, autoClose: false })
    return Readable.from(this.chunks, { objectMode: false })
  }

  async release(): Promise<void> {
    this.count(-this.bytes)
    this.forgetMemory()
    const { file } = this
    this.file = null
    await file?.close()
  }

  private async moveToFile(): Promise<void> {
    const path = join(tmpdir(), `homeport-body-${randomUUID()}`)
    this.file = await open(path, 'wx+', 0o600).catch(refuse)
    await unlink(path)
    await write(this.file, Buffer.concat(this.chunks))
    this.forgetMemory()
  }

  private forgetMemory(): void {
    in_memory -= this.memory
    this.memory = 0
    this.chunks = []
  }

  private count(bytes: number): void {
    this.bytes += bytes
    kept_all += bytes
    for (const one of this.sharers) {
      const sum = (kept.get(one) ?? 0) + bytes
      if (sum > 0) kept.set(one, sum)
      else kept.delete(one)
    }
  }
}

/** Writes at the end. A single `write` of the system may write less than it is given. */
async function write(file: FileHandle, bytes: Uint8Array): Promise<void> {
  await file.writeFile(bytes).catch(refuse)
}

/** A full disk, or too many open files: others may succeed later. */
function refuse(error: unknown): never {
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  throw /^(?:ENOSPC|EDQUOT|EMFILE|ENFILE)$/.test(code) ? new NoSlot(busy, false) : error
}
