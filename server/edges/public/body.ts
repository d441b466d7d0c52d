/**
 * Parses submissions of visitors' pages: JSON, or a form in either encoding. Bodies are read on
 * demand, up to the limit of a submission.
 */
import type { FastifyRequest } from 'fastify'
import { Problem } from '../../contract/errors.ts'
import type {
  SubmittedForm,
  SubmittedField,
  SubmittedFile,
  TakeFile,
} from '../../contract/operations/guests.ts'
import { limits } from '../../contract/limits.ts'
import { createInvalidBodyProblem, readJsonInSlices } from '../http/request.ts'
import { decodeBody, isGzip } from '../http/bodies/content-encoding.ts'
import { partsOf, type MultipartPart } from './multipart-parts.ts'

const NAME_CHARACTERS_MAX = 200

/** Maximum number of parts of a form: fields, and empty file inputs. */
const PARTS_MAX = limits.form_fields_max * 2

/** Maximum size of a whole form with files. */
export const multipart_bytes_max =
  limits.form_bytes_max + limits.form_files_max * limits.form_file_bytes_max

export type FormEncoding = 'json' | 'urlencoded' | 'multipart'

const encodings: Record<string, FormEncoding> = {
  'application/x-www-form-urlencoded': 'urlencoded',
  'multipart/form-data': 'multipart',
}

export function findEncoding(request: FastifyRequest): FormEncoding | null {
  const type = mediaType(request.headers['content-type'])
  if (/^application\/(?:[\w.+-]+\+)?json$/.test(type)) return 'json'
  return encodings[type] ?? null
}

function mediaType(header: string | undefined): string {
  return (header ?? '').split(';')[0]!.trim().toLowerCase()
}

/** A submission that is parsed on demand. */
export interface SubmissionReader {
  /** Returns the value of a field; parses up to the first file. */
  find(name: string): Promise<string | undefined>
  /** Parses the whole body. */
  readAll(takeFile: TakeFile): Promise<SubmittedForm>
}

export function createSubmissionReader(request: FastifyRequest): SubmissionReader {
  const encoding = findEncoding(request)
  const length = Number(request.headers['content-length'] ?? 0)
  const length_max = encoding === 'multipart' ? multipart_bytes_max : limits.form_bytes_max
  if (length > length_max) throw tooLarge()
  if (encoding === 'multipart') {
    if (isGzip(request))
      throw new Problem('bad_request', 'A form with files cannot be compressed. Send it as it is.')
    return new MultipartReader(request)
  }
  let sent: Promise<SubmittedForm> | null = null
  const readAll = () => (sent ??= readWhole(request, encoding))
  return {
    readAll,
    async find(name) {
      const whole = await readAll()
      return 'fields' in whole ? valueIn(whole.fields, name) : undefined
    },
  }
}

async function readWhole(
  request: FastifyRequest,
  encoding: FormEncoding | null,
): Promise<SubmittedForm> {
  if (encoding === 'json') return { json: await readObject(await readBytes(request)) }
  if (encoding === 'urlencoded') {
    return { fields: readUrlencoded(utf8(await readBytes(request))) }
  }
  throw new Problem(
    'bad_request',
    'The body must be application/json, application/x-www-form-urlencoded or multipart/form-data.',
  )
}

function valueIn(fields: readonly SubmittedField[], wanted: string): string | undefined {
  return fields.find(({ name }) => name === wanted)?.value
}

async function readBytes({ raw, headers }: FastifyRequest): Promise<Buffer> {
  const chunks: Buffer[] = []
  let length = 0
  for await (const chunk of raw) {
    chunks.push(chunk)
    length += chunk.length
    if (length > limits.form_bytes_max) throw tooLarge()
  }
  return decodeBody({ headers }, Buffer.concat(chunks), limits.form_bytes_max)
}

async function readObject(bytes: Buffer): Promise<Record<string, unknown>> {
  if (bytes.length === 0) {
    throw new Problem('invalid_json', 'The request has no body, and this route needs one.')
  }
  const { body } = await readJsonInSlices(bytes, limits.json_depth_max)
  if (isObject(body)) return body
  throw createInvalidBodyProblem([{ path: '', message: 'must be an object' }])
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function readUrlencoded(text: string): SubmittedField[] {
  requireUtf8(text)
  const fields: SubmittedField[] = []
  for (const [name, value] of new URLSearchParams(text)) fields.push({ name, value })
  if (fields.length > limits.form_fields_max) throw tooManyFields()
  if (fields.some(({ name }) => name.length > NAME_CHARACTERS_MAX)) throw longName()
  return fields
}

/** Throws for invalid UTF-8, which URLSearchParams silently replaces. */
function requireUtf8(encoded: string): void {
  try {
    // `decodeURIComponent` throws for invalid UTF-8. A percent sign without two hex digits is
    // literal.
    decodeURIComponent(encoded.replaceAll(/%(?![0-9a-f]{2})/gi, '%25'))
  } catch {
    throw notUtf8()
  }
}

/** A multipart form. Its parts arrive in order; each must be consumed before the next. */
class MultipartReader implements SubmissionReader {
  private readonly request: FastifyRequest
  private readonly fields: SubmittedField[] = []
  private parts: AsyncIterator<MultipartPart> | null = null
  private length = 0
  private files = 0
  /** The first file, not consumed yet. */
  private held: SubmittedFile | null = null

  constructor(request: FastifyRequest) {
    this.request = request
  }

  async find(name: string): Promise<string | undefined> {
    this.held ??= await this.toNextFile(name)
    return valueIn(this.fields, name)
  }

  async readAll(takeFile: TakeFile): Promise<SubmittedForm> {
    for (;;) {
      const file: SubmittedFile | null = this.held ?? (await this.toNextFile())
      this.held = null
      if (!file) return { fields: this.fields }
      this.files += 1
      if (this.files > limits.form_files_max) throw tooManyFiles()
      this.add(file.field, await this.guarded(() => takeFile(file)))
    }
  }

  /**
   * Returns the next non-empty file; null at the end of the form, or once the field `until` is
   * parsed.
   */
  private toNextFile(until?: string): Promise<SubmittedFile | null> {
    return this.guarded(async () => {
      const isMet = () => until !== undefined && valueIn(this.fields, until) !== undefined
      while (!isMet()) {
        const part = await this.nextPart()
        if (part === null) return null
        const name = nameOf(part)
        if (!part.is_file) this.add(name, await this.readText(part))
        else {
          const file = await chosenFile(name, part)
          if (file) return file
        }
      }
      return null
    })
  }

  private async nextPart(): Promise<MultipartPart | null> {
    this.parts ??= partsOf(this.request.raw, { parts_max: PARTS_MAX, tooMany: tooManyFields })
    const { done, value } = await this.parts.next()
    return done ? null : value
  }

  private async readText({ bytes }: MultipartPart): Promise<string> {
    const chunks: Uint8Array[] = []
    let length = this.length
    for await (const chunk of bytes) {
      chunks.push(chunk)
      length += chunk.length
      if (length > limits.form_bytes_max) throw tooLarge()
    }
    return utf8(Buffer.concat(chunks))
  }

  private add(name: string, value: string): void {
    this.length += name.length + value.length
    if (this.length > limits.form_bytes_max) throw tooLarge()
    // Files have their own limit, so they do not count as fields.
    if (this.fields.length - this.files >= limits.form_fields_max) throw tooManyFields()
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

/** The decoded name of a field. Throws for a missing, overlong or invalid name. */
function nameOf({ name }: MultipartPart): string {
  if (name === undefined) throw new Problem('bad_request', 'A part of the form has no name.')
  if (name.length > NAME_CHARACTERS_MAX) throw longName()
  if (name.includes('\ufffd')) throw notUtf8()
  return name
}

/** Returns null for an empty file input, which has no bytes. */
async function chosenFile(
  field: string,
  { filename, bytes }: MultipartPart,
): Promise<SubmittedFile | null> {
  const chunks = bytes[Symbol.asyncIterator]()
  let first = await chunks.next()
  while (!first.done && first.value.length === 0) first = await chunks.next()
  if (first.done) return null
  async function* withinLimit() {
    let length = 0
    for (let chunk = first; !chunk.done; chunk = await chunks.next()) {
      length += chunk.value.length
      if (length > limits.form_file_bytes_max) throw fileTooLarge()
      yield chunk.value
    }
  }
  return { field, name: filename ?? '', bytes: withinLimit() }
}

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

function utf8(bytes: Uint8Array): string {
  try {
    return decoder.decode(bytes)
  } catch {
    throw notUtf8()
  }
}

/** Translates errors of the multipart parser to Problems. */
function refusalOf(error: unknown): unknown {
  const has_code = error instanceof Error && 'code' in error && typeof error.code === 'string'
  if (error instanceof Problem || has_code) return error
  return new Problem('bad_request', 'The form cannot be parsed: its parts are incomplete.', {
    cause: error,
  })
}

function notUtf8(): Problem {
  const detail =
    'The form and its field names must be sent as UTF-8. A page with ' +
    '<meta charset="utf-8"> does so.'
  return new Problem('bad_request', detail)
}

function fileTooLarge(): Problem {
  return new Problem('file_too_large', 'A file of the form is too large.', {
    fields: { limit_bytes: limits.form_file_bytes_max },
  })
}

function tooLarge(): Problem {
  return new Problem('bad_request', 'The submission is too large.')
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
