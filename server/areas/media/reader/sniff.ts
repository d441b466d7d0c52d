/**
 * Determines the type of a file by its bytes. The file name counts only for plain text, whose types
 * look alike, and never makes a file active content.
 */
import { fileTypeFromBuffer } from 'file-type'
import mime from 'mime'
import type { MediaKind } from '../store.ts'

export interface Sniffed {
  kind: MediaKind
  content_type: string
  /** Whether the file is an executable. */
  runs: boolean
}

/** The usual names on the web of types that the package file-type names differently. */
const usual: Readonly<Record<string, string>> = {
  'audio/x-m4a': 'audio/mp4',
  'video/x-m4v': 'video/mp4',
  'video/matroska': 'video/x-matroska',
  'audio/ogg; codecs=opus': 'audio/ogg',
}

const programs: readonly string[] = [
  'application/x-msdownload',
  'application/x-elf',
  'application/x-mach-binary',
  'application/x-ms-shortcut',
  'application/x-ms-regedit',
  'application/x-ft-windows-registry-hive',
  'application/x-google-chrome-extension',
  'application/java-vm',
  'application/x-deb',
  'application/x-rpm',
  'application/x-shockwave-flash',
  'application/vnd.ms-htmlhelp',
]

const officeDocuments =
  /^application\/(?:pdf|rtf|epub\+zip|x-cfb|vnd\.(?:openxmlformats|oasis|ms-(?:excel|word|powerpoint)).*)$/

/** Matches the HTML signatures of the WHATWG MIME sniffing standard, at the first tag. */
const htmlTag =
  /^<(?:!doctype html|html|head|script|iframe|h1|div|font|table|a|style|title|b|body|br|p)[\s>]/i
const svgTag = /^<(?:\w+:)?svg[\s>]/i
const scriptPattern = /^#!/

/** Text types that the file name can select. */
const textTypes: readonly string[] = [
  'text/csv',
  'text/markdown',
  'text/calendar',
  'text/vcard',
  'text/vtt',
  'text/css',
  'text/javascript',
  'application/json',
]

/** `head` is the beginning of the file, or the whole file. */
export async function sniffType(head: Buffer, filename: string): Promise<Sniffed> {
  const text = readText(head)
  // Browsers that sniff types look for these tags too.
  const start = atFirstTag(new TextDecoder().decode(head))
  if (svgTag.test(start)) return known('image/svg+xml')
  // A page in another encoding than UTF-8 declares its encoding itself.
  if (htmlTag.test(start)) return text === null ? known('text/html') : inUtf8('text/html')
  const found = await fileTypeFromBuffer(head)
  if (found?.mime.startsWith('text/') && text !== null) return inUtf8(found.mime)
  if (found) return known(usual[found.mime] ?? found.mime)
  if (text === null) return known('application/octet-stream')
  if (scriptPattern.test(text)) return { ...inUtf8('text/plain'), runs: true }
  return inUtf8(textTypeOf(filename))
}

function textTypeOf(filename: string): string {
  const named = (mime.getType(`/${filename}`) ?? '').replace('text/x-vcard', 'text/vcard')
  return textTypes.includes(named) ? named : 'text/plain'
}

function inUtf8(content_type: string): Sniffed {
  return { ...known(content_type), content_type: `${content_type}; charset=utf-8` }
}

function known(content_type: string): Sniffed {
  return { kind: kindOf(content_type), content_type, runs: programs.includes(content_type) }
}

function kindOf(content_type: string): MediaKind {
  const [family = ''] = content_type.split('/')
  if (family === 'image' || family === 'video' || family === 'audio') return family
  if (content_type === 'application/ogg') return 'audio'
  const is_document =
    family === 'text' || content_type === 'application/json' || officeDocuments.test(content_type)
  return is_document ? 'document' : 'other'
}

/** Matches constructs that can precede the first tag of a document. */
const preludes = [
  [/^<\?xml\b/i, '?>'],
  [/^<!--/, '-->'],
  [/^<!doctype svg\b[^>[]*\[/i, ']>'],
  [/^<!doctype svg\b/i, '>'],
] as const

/**
 * Returns the text from the first tag on. Uses a loop, because one regular expression could
 * backtrack exponentially.
 */
function atFirstTag(text: string): string {
  let rest = text.trimStart()
  for (;;) {
    const prelude = preludes.find(([pattern]) => pattern.test(rest))
    if (!prelude) return rest
    const [, end] = prelude
    const at = rest.indexOf(end)
    if (at < 0) return ''
    rest = rest.slice(at + end.length).trimStart()
  }
}

/** Returns the head as text; null if it is binary. The head can end within a character. */
function readText(head: Buffer): string | null {
  if (head.includes(0)) return null
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(head, { stream: true })
  } catch {
    return null
  }
}
