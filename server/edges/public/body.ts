/**
 * Reads what a visitor's page sends: JSON, or a form in one of the two encodings of browsers. It
 * is read only once somebody asks for it, and never more of it than a submission may have.
 */
import type { FastifyRequest } from 'fastify'
import { Problem } from '../../contract/errors.ts'
import type { Sent, SentField } from '../../contract/guests.ts'
import { limits } from '../../contract/limits.ts'
import { pointerPart } from '../../kernel/json.ts'
import { invalidBody, readJson } from '../http/request.ts'

/** A file of a form, while it arrives. */
export interface SentFile {
  field: string
  name: string
  media_type: string
  bytes: AsyncIterable<Uint8Array>
}

/** What becomes of a file: the value of its field, or null when none was chosen. */
export type TakeFile = (file: SentFile) => Promise<string | null>

const NAME_CHARACTERS_MAX = 200

/** The limits of the parser itself, so that nothing is gathered that would be refused anyway. */
export const multipartLimits = {
  fields: limits.form_fields_max,
  fieldSize: limits.form_bytes_max,
  // One more than may be, because the parser cuts what is longer and goes on.
  fieldNameSize: NAME_CHARACTERS_MAX * 4 + 1,
  files: 20,
  parts: limits.form_fields_max + 20,
  fileSize: limits.form_bytes_max,
  headerPairs: 20,
}

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

export async function readSent(request: FastifyRequest, takeFile: TakeFile): Promise<Sent> {
  const length = Number(request.headers['content-length'] ?? 0)
  if (length > limits.form_bytes_max) throw tooLarge()
  switch (encodingOf(request)) {
    case 'json':
      return { json: readObject(await readBytes(request)) }
    case 'urlencoded':
      return { fields: readUrlencoded((await readBytes(request)).toString('utf8')) }
    case 'multipart':
      return { fields: await readMultipart(request, takeFile) }
    case null:
      throw new Problem(
        'bad_request',
        'The body must be application/json, application/x-www-form-urlencoded or multipart/form-data.',
      )
  }
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

async function readMultipart(request: FastifyRequest, takeFile: TakeFile): Promise<SentField[]> {
  const fields: SentField[] = []
  let length = 0
  try {
    for await (const part of request.parts({ limits: multipartLimits })) {
      const name = part.fieldname
      if (name.length > NAME_CHARACTERS_MAX) throw longName()
      const value = part.type === 'file' ? await takeFile(fileOf(part)) : textOf(part.value)
      if (value === null) continue
      length += name.length + value.length
      if (length > limits.form_bytes_max) throw tooLarge()
      fields.push({ name, value })
    }
  } catch (error) {
    request.raw.unpipe()
    throw refusalOf(error)
  }
  return fields
}

interface FilePart {
  fieldname: string
  filename: string | undefined
  mimetype: string
  file: AsyncIterable<Uint8Array>
}

function fileOf({ fieldname, filename, mimetype, file }: FilePart): SentFile {
  return { field: fieldname, name: filename ?? '', media_type: mimetype, bytes: file }
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
  if (error instanceof Problem || typeof code === 'string') return error
  return new Problem('bad_request', 'The form cannot be read: its parts are not complete.', {
    cause: error,
  })
}

/**
 * What is done with files while there is no place to keep them: one that was chosen is refused, so
 * that nobody believes it arrived; a field for files that was left empty is no fault.
 */
export const refuseFiles: TakeFile = async ({ field, bytes }) => {
  for await (const chunk of bytes) if (chunk.length > 0) throw filesNotTaken(field)
  return null
}

function filesNotTaken(field: string): Problem {
  return invalidBody([
    { path: `/${pointerPart(field)}`, message: 'is a file, and forms take no files yet' },
  ])
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
