/** Reads the attachments of an email: bytes of the request, or files of the media library. */
import type { Caller } from '../../../contract/caller.ts'
import { Problem } from '../../../contract/errors.ts'
import { limits } from '../../../contract/limits.ts'
import { formatSize } from '../../../kernel/values/size.ts'
import { readFile } from '../../files/service.ts'
import { findMedia, type FoundMedia } from '../../media/service.ts'
import type { EmailFields } from '../schema.ts'

export interface ReadAttachment {
  filename: string
  content_type: string
  content_id: string | null
  content: Buffer
}

type Asked = NonNullable<EmailFields['attachments']>[number]
type Given = Asked & { filename: string }

const BASE64_BYTES = 3 / 4
/** Programs, scripts and pages that mailbox providers refuse or that attackers send. */
const refused =
  /\.(?:ade|adp|apk|app|appx|bat|cab|chm|cmd|com|cpl|dll|dmg|exe|hta|htm|html|ins|isp|iso|jar|js|jse|lib|lnk|mde|msc|msi|msix|msp|mst|nsh|pif|ps1|reg|scr|sct|sh|shb|svg|sys|vb|vbe|vbs|vhd|vxd|wsc|wsf|wsh|xhtml|xll)$/i
const types: Readonly<Record<string, string>> = {
  csv: 'text/csv',
  docx: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
  gif: 'image/gif',
  ics: 'text/calendar',
  jpeg: 'image/jpeg',
  jpg: 'image/jpeg',
  pdf: 'application/pdf',
  png: 'image/png',
  txt: 'text/plain',
  webp: 'image/webp',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  zip: 'application/zip',
}

/** Files of the media library by their ids. */
export type AttachedMedia = ReadonlyMap<string, FoundMedia>

export async function findAttached(
  { db, project }: Caller,
  given: readonly Asked[],
): Promise<AttachedMedia> {
  const ids = given.flatMap(({ media_id }) => (media_id === undefined ? [] : [media_id]))
  const found = ids.length === 0 ? [] : await findMedia(db, project.id, [...new Set(ids)])
  return new Map(found.map((one) => [one.id, one]))
}

export async function readAttachments(
  { runtime, project }: Caller,
  asked: readonly Asked[],
  media: AttachedMedia,
): Promise<ReadAttachment[]> {
  if (asked.length > limits.email_attachments_max) throw tooLarge(`${asked.length} attachments`)
  const given = asked.map((one) => ({ ...one, filename: nameOf(one, media) }))
  for (const one of given) requireAllowed(one)
  requireSize(given.reduce((sum, one) => sum + announcedBytes(one, media), 0))
  const read: ReadAttachment[] = []
  for (const one of given) read.push(await readOne({ runtime, project }, one, media))
  requireSize(read.reduce((sum, { content }) => sum + content.length, 0))
  return read
}

/** Empty if the attachment has no name. */
function nameOf({ filename, media_id }: Asked, media: AttachedMedia): string {
  return filename ?? media.get(media_id ?? '')?.filename ?? ''
}

/** A lower bound of the decoded size, because padding of base64 counts as up to two bytes. */
function announcedBytes({ content, media_id }: Given, media: AttachedMedia): number {
  if (content === undefined) return media.get(media_id ?? '')?.bytes ?? 0
  return Math.max(0, Math.floor(content.length * BASE64_BYTES) - 2)
}

function requireSize(bytes: number): void {
  if (bytes > limits.email_attachments_bytes_max) throw tooLarge('attachments that are larger')
}

async function readOne(
  { runtime, project }: Pick<Caller, 'runtime' | 'project'>,
  one: Given,
  media: AttachedMedia,
): Promise<ReadAttachment> {
  const { filename, content_type, content_id = null, media_id } = one
  if (media_id === undefined)
    return {
      filename,
      content_type: content_type ?? typeOf(filename),
      content_id,
      content: decode(one),
    }
  const file = media.get(media_id)
  if (file?.status !== 'ready' || file.file_id === null)
    throw refuse(one, 'is no file of the media library that is ready')
  const content = await readFile(runtime, project.id, { id: file.file_id })
  return { filename, content_type: content_type ?? file.content_type, content_id, content }
}

function requireAllowed(one: Given): void {
  const { filename, content, media_id, content_type = 'a/b' } = one
  if ((content === undefined) === (media_id === undefined))
    throw refuse(one, 'needs either content or media_id')
  if (filename === '' && media_id === undefined) throw refuse(one, 'needs a filename')
  if (/[\p{Cc}/\\\u202a-\u202e\u2066-\u2069]/u.test(filename))
    throw refuse(one, 'has a name with characters that no file name has')
  if (refused.test(filename.trim())) throw refuse(one, 'is of a kind that can carry programs')
  if (!/^[\w.+-]{1,60}\/[\w.+-]{1,80}(?:; ?charset=[\w-]{1,20})?$/.test(content_type))
    throw refuse(one, 'has a content_type that is no media type')
  if (/^(?:message|multipart)\//i.test(content_type))
    throw refuse(one, 'has a content_type that would change the message')
}

function decode(one: Given): Buffer {
  const text = one.content ?? ''
  const content = Buffer.from(text, 'base64')
  const padding = text.endsWith('==') ? 2 : text.endsWith('=') ? 1 : 0
  const characters = text.replaceAll(/[\r\n]/g, '').length - padding
  const is_whole = Math.floor(characters * BASE64_BYTES) === content.length
  if (text === '' || !is_whole) throw refuse(one, 'has content that is not base64')
  return content
}

function typeOf(filename: string): string {
  const end = filename.slice(filename.lastIndexOf('.') + 1).toLowerCase()
  return types[end] ?? 'application/octet-stream'
}

function refuse({ filename }: Given, why: string): Problem {
  const name = filename === '' ? 'An attachment' : JSON.stringify(filename.slice(0, 80))
  return new Problem('attachment_not_allowed', `${name} ${why}.`)
}

function tooLarge(what: string): Problem {
  const { email_attachments_max, email_attachments_bytes_max: limit_bytes } = limits
  const detail = `The email has ${what}; the most is ${email_attachments_max} attachments and ${formatSize(limit_bytes)} together.`
  return new Problem('attachment_too_large', detail, { fields: { limit_bytes } })
}
