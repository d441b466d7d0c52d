/**
 * The text of a DOCX. Its parts are unpacked once within limits before the library reads them,
 * because a small archive can hold any amount of data.
 */
import mammoth from 'mammoth'
import { openArchive } from '../../../../kernel/tables/xlsx/zip.ts'

const PART_BYTES_MAX = 32 * 1_048_576
const parts = [
  '[Content_Types].xml',
  '_rels/.rels',
  ...['document', 'styles', 'numbering', 'footnotes', 'endnotes', 'comments'].map(
    (name) => `word/${name}.xml`,
  ),
  'word/_rels/document.xml.rels',
]

class DocumentTooLarge extends Error {
  override readonly name = 'DocumentTooLarge'
}

export async function readDocx(bytes: Uint8Array): Promise<string> {
  const buffer = Buffer.from(bytes)
  await requireBounded(buffer)
  const { value } = await mammoth.extractRawText({ buffer })
  return value
}

async function requireBounded(buffer: Buffer): Promise<void> {
  const archive = openArchive(buffer)
  let left = PART_BYTES_MAX
  for (const part of parts.filter((name) => archive.has(name))) {
    for await (const piece of archive.read(part, PART_BYTES_MAX)) {
      left -= piece.length
      if (left < 0) throw new DocumentTooLarge()
    }
  }
}
