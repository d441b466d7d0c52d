/**
 * Decides by the content whether bytes are a document that the operator can read: a PDF, or a picture
 * that decodes whole. Pictures lose their metadata and everything behind the image data.
 */
import { Problem } from '../../../contract/errors.ts'
import { inspectFile } from '../../media/service.ts'
import { findPdfFault } from './pdf.ts'

const documentTypes = ['application/pdf', 'image/jpeg', 'image/png', 'image/webp'] as const
type DocumentType = (typeof documentTypes)[number]

/** Smaller pictures are unreadable. */
const PIXELS_MIN = 200
/** More than the mark at the end of a picture. */
const END_BYTES = 64

export interface InspectedDocument {
  content_type: DocumentType
  bytes: Buffer
}

export async function inspectDocument(
  project_id: string,
  sent: Buffer,
): Promise<InspectedDocument> {
  const source = {
    project_id,
    bytes: sent.length,
    read: ({ start, end }: { start: number; end: number }) =>
      Promise.resolve(sent.subarray(start, end + 1)),
  }
  // The name says nothing about the content.
  const found = await inspectFile(source, '')
  if ('fault' in found && found.fault !== null) throw refuse(found.fault)
  if (!('content_type' in found)) throw refuse('The file cannot be read.')
  const content_type = documentTypes.find((type) => type === found.content_type)
  if (!content_type) throw refuse('Upload a PDF, or a picture as JPEG, PNG or WebP.')
  if (content_type === 'application/pdf') {
    const fault = await findPdfFault(sent)
    if (fault !== null) throw refuse(fault)
    return { content_type, bytes: sent }
  }
  if (found.copies_fault !== null || !isWhole(sent, found.kept))
    throw refuse('The picture is damaged or cut off. Take it again, and upload the whole file.')
  if (Math.min(found.width ?? 0, found.height ?? 0) < PIXELS_MIN) {
    throw refuse(`The picture is too small to be read: use at least ${PIXELS_MIN} pixels each way.`)
  }
  return { content_type, bytes: Buffer.from(found.kept ?? sent) }
}

/** Whether the picture ends in what was sent, and not in an end that the reader had to add. */
function isWhole(sent: Buffer, kept: Uint8Array | null): boolean {
  return kept === null || sent.includes(kept.subarray(-END_BYTES))
}

function refuse(message: string): Problem {
  return new Problem('validation_failed', message, {
    errors: [{ path: '', message }],
    user_message: message,
  })
}
