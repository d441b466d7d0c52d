/**
 * Reads what a visitor's page sends: JSON, or a form in one of the two encodings of browsers. It
 * is read only once somebody asks for it, and never more of it than a submission may have.
 */
import type { FastifyRequest } from 'fastify'
import { Problem } from '../../contract/errors.ts'
import type { Sent, SentField, SentFile, TakeFile } from '../../contract/guests.ts'
import { limits } from '../../contract/limits.ts'
import { invalidBody, readJson } from '../http/request.ts'

const NAME_CHARACTERS_MAX = 200

/** The limits of the parser itself, so that nothing is gathered that would be refused anyway. */
export const multipartLimits = {
  fields: limits.form_fields_max,
  fieldSize: limits.form_bytes_max,
  // One more than may be, because the parser cuts what is longer and goes on.
  fieldNameSize: NAME_CHARACTERS_MAX * 4 + 1,
  // Those that were left empty come too.
  files: limits.form_fields_max,
  parts: limits.form_fields_max * 2,
  fileSize: limits.form_file_bytes_max + 1,
  headerPairs: 20,
}

/** Of a whole form, its files included. */
export const multipart_bytes_max =
  limits.form_bytes_max + limits.form_files_max * limits.form_file_bytes_max

export type Encoding = 'json' | 'urlencoded' | 'multipart'

const encodings: Record<string, Encoding> = {
  'application/x-www-form-urlencoded': 'urlencoded',
  'multipart/form-data': 'multipart',
}

export function encodingOf(request: FastifyRequest): Encoding | null {
  const type = mediaType(request.headers['content-type'])
  if (/^application\/(?:[\w.+-]+\+)?json$/.test(type)) return 'json'
  return encodings[type] ?? null
}

function mediaType(header: string | undefined): string {
  return (header ?? '').split(';')[0]!.trim().toLowerCase()
}

/** What a page sends, read as far as somebody wants to know it. */
export interface Reading {
  /** The value of a field of a form, read no further than to the first file. */
  find(name: string): Promise<string | undefined>
  /** All of it. */
  readAll(takeFile: TakeFile): Promise<Sent>
}

export function newReading(request: FastifyRequest): Reading {
  const encoding = encodingOf(request)
  const length = Number(request.headers['content-length'] ?? 0)
  const length_max = encoding === 'multipart' ? multipart_bytes_max : limits.form_bytes_max
  if (length > length_max) throw tooLarge()
  if (encoding === 'multipart') return new MultipartReading(request)
  let sent: Promise<Sent> | null = null
  const readAll = () => (sent ??= readWhole(request, encoding))
  return {
    readAll,
    async find(name) {
      const whole = await readAll()
      return 'fields' in whole ? valueIn(whole.fields, name) : undefined
    },
  }
}

async function readWhole(request: FastifyRequest, encoding: Encoding | null): Promise<Sent> {
  if (encoding === 'json') return { json: readObject(await readBytes(request)) }
  if (encoding === 'urlencoded') {
    return { fields: readUrlencoded((await readBytes(request)).toString('utf8')) }
  }
  throw new Problem(
    'bad_request',
    'The body must be application/json, application/x-www-form-urlencoded or multipart/form-data.',
  )
}

function valueIn(fields: readonly SentField[], wanted: string): string | undefined {
  return fields.find(({ name }) => name === wanted)?.value
}

async function readBytes({ raw }: FastifyRequest): Promise<Buffer> {
  const chunks: Buffer[] = []
  let length = 0
  for await (const chunk of raw) {
    chunks.push(chunk)
    length += chunk.length
    if (length > limits.form_bytes_max) throw tooLarge()
  }
  return Buffer.concat(chunks)
}

function readObject(bytes: Buffer): Record<string, unknown> {
  if (bytes.length === 0) {
    throw new Problem('invalid_json', 'The request has no body, and this route needs one.')
  }
  const { body } = readJson(bytes)
  if (isObject(body)) return body
  throw invalidBody([{ path: '', message: 'must be an object' }])
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function readUrlencoded(text: string): SentField[] {
  const fields: SentField[] = []
  for (const [name, value] of new URLSearchParams(text)) fields.push({ name, value })
  if (fields.length > limits.form_fields_max) throw tooManyFields()
  if (fields.some(({ name }) => name.length > NAME_CHARACTERS_MAX)) throw longName()
  return fields
}

type Parts = ReturnType<FastifyRequest['parts']>

/** Its parts come in their order, and none before the one before it was read. */
class MultipartReading implements Reading {
  private readonly request: FastifyRequest
  private readonly fields: SentField[] = []
  private parts: Parts | null = null
  private length = 0
  private files = 0
  /** The first file, for which nobody was there yet. */
  private held: SentFile | null = null

  constructor(request: FastifyRequest) {
    this.request = request
  }

  async find(name: string): Promise<string | undefined> {
    this.held ??= await this.toNextFile(name)
    return valueIn(this.fields, name)
  }

  async readAll(takeFile: TakeFile): Promise<Sent> {
    for (;;) {
      const file: SentFile | null = this.held ?? (await this.toNextFile())
      this.held = null
      if (!file) return { fields: this.fields }
      this.files += 1
      if (this.files > limits.form_files_max) throw tooManyFiles()
      this.add(file.field, await this.guarded(() => takeFile(file)))
    }
  }

  /** The next file that was chosen; null at the end of the form, or once a field was met. */
  private toNextFile(until?: string): Promise<SentFile | null> {
    return this.guarded(async () => {
      this.parts ??= this.request.parts({ limits: multipartLimits })
      const isMet = () => until !== undefined && valueIn(this.fields, until) !== undefined
      while (!isMet()) {
        const { done, value: part } = await this.parts.next()
        if (done) return null
        if (part.fieldname.length > NAME_CHARACTERS_MAX) throw longName()
        if (part.type !== 'file') this.add(part.fieldname, textOf(part.value))
        else {
          const file = await chosenFile(part)
          if (file) return file
        }
      }
      return null
    })
  }

  private add(name: string, value: string): void {
    this.length += name.length + value.length
    if (this.length > limits.form_bytes_max) throw tooLarge()
    this.fields.push({ name, value })
  }

  private async guarded<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work()
    } catch (error) {
      this.request.raw.unpipe()
      throw refusalOf(error)
    }
  }
}

interface FilePart {
  fieldname: string
  filename: string | undefined
  file: AsyncIterable<Uint8Array>
}

/** A field for files that was left empty has no bytes, and is no file. */
async function chosenFile({ fieldname, filename, file }: FilePart): Promise<SentFile | null> {
  const chunks = file[Symbol.asyncIterator]()
  let first = await chunks.next()
  while (!first.done && first.value.length === 0) first = await chunks.next()
  if (first.done) return null
  async function* bytes() {
    for (let chunk = first; !chunk.done; chunk = await chunks.next()) yield chunk.value
  }
  return { field: fieldname, name: filename ?? '', bytes: bytes() }
}

/** A part that says it is JSON comes parsed; its text is what a field has. */
function textOf(value: unknown): string {
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? '')
}

/** What the parser of forms refuses, in our words. */
function refusalOf(error: unknown): unknown {
  const code = error instanceof Error && 'code' in error ? error.code : null
  if (code === 'FST_FIELDS_LIMIT' || code === 'FST_PARTS_LIMIT' || code === 'FST_FILES_LIMIT')
    return tooManyFields()
  if (code === 'FST_REQ_FILE_TOO_LARGE') {
    return new Problem('file_too_large', 'A file is larger than a form may have.', {
      fields: { limit_bytes: limits.form_file_bytes_max },
    })
  }
  if (error instanceof Problem || typeof code === 'string') return error
  return new Problem('bad_request', 'The form cannot be read: its parts are not complete.', {
    cause: error,
  })
}

function tooLarge(): Problem {
  return new Problem('bad_request', 'What was sent is larger than a submission may be.')
}

function longName(): Problem {
  const detail = `The name of a field has more than ${NAME_CHARACTERS_MAX} characters.`
  return new Problem('bad_request', detail)
}

function tooManyFields(): Problem {
  return new Problem('bad_request', `A form may have at most ${limits.form_fields_max} fields.`)
}

function tooManyFiles(): Problem {
  return new Problem('bad_request', `A form may have at most ${limits.form_files_max} files.`)
}
