/**
 * Detects executables: by their first bytes under any name, by extensions that operating systems
 * run, and by the names in ZIP files.
 */

/** Extensions that operating systems run when the file is opened. */
const endings: ReadonlyMap<string, string> = new Map(
  Object.entries({
    exe: 'a Windows program',
    scr: 'a Windows program',
    com: 'a Windows program',
    pif: 'a Windows program',
    cpl: 'a Windows program',
    dll: 'a Windows library',
    msi: 'a Windows installer',
    msix: 'a Windows installer',
    appx: 'a Windows installer',
    bat: 'a Windows command file',
    cmd: 'a Windows command file',
    ps1: 'a Windows command file',
    vbs: 'a Windows script',
    vbe: 'a Windows script',
    wsf: 'a Windows script',
    jse: 'a Windows script',
    hta: 'a Windows script',
    lnk: 'a Windows shortcut',
    reg: 'a change to the Windows registry',
    chm: 'a Windows help file with scripts',
    apk: 'an Android app',
    xapk: 'an Android app',
    jar: 'a Java program',
    jnlp: 'a Java program',
    dmg: 'a macOS installer',
    pkg: 'a macOS installer',
    deb: 'a Linux package',
    rpm: 'a Linux package',
    appimage: 'a Linux program',
    iso: 'a disk image',
    img: 'a disk image',
    vhd: 'a disk image',
    vhdx: 'a disk image',
  }),
)

const macroEndings = new Set([
  'docm',
  'dotm',
  'xlsm',
  'xltm',
  'xlam',
  'pptm',
  'potm',
  'ppam',
  'ppsm',
])

export interface FoundProgram {
  rule: 'program_to_download' | 'document_with_macros'
  what: string
}

export function findProgram(path: string, bytes: Uint8Array): FoundProgram | null {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const kind = kindByBytes(buffer) ?? endings.get(endingOf(path)) ?? null
  if (kind !== null) return { rule: 'program_to_download', what: `This file is ${kind}.` }
  if (macroEndings.has(endingOf(path))) return withMacros
  return isZip(buffer) ? findInZip(buffer) : null
}

const withMacros: FoundProgram = {
  rule: 'document_with_macros',
  what: 'This document contains macros.',
}

const pictures = /^(image|video|audio|font|text)\/|^application\/(pdf|json)\b/
/** Maximum size of a file whose bytes are checked; a larger file is checked only by name. */
const READ_BYTES_MAX = 20 * 1_048_576

/** Whether a file can contain an executable, so that its bytes must be checked. */
export function mayHoldProgram(file: {
  content_type: string
  bytes: number
  media_id: string | null
}): boolean {
  return file.media_id !== null && !pictures.test(file.content_type) && file.bytes <= READ_BYTES_MAX
}

function endingOf(path: string): string {
  return /\.([a-z0-9]+)$/i.exec(path.split('/').at(-1) ?? '')?.[1]?.toLowerCase() ?? ''
}

const MACH_O = new Set([0xfeedface, 0xfeedfacf, 0xcefaedfe, 0xcffaedfe])
const JAVA_VERSION_MIN = 45
/** Offset of the volume descriptor of an ISO 9660 image. */
const ISO_AT = 0x8001

function kindByBytes(bytes: Buffer): string | null {
  if (bytes.length < 4) return null
  const first = bytes.readUInt32BE(0)
  if (first === 0x7f454c46) return 'a Linux program'
  if (MACH_O.has(first)) return 'a macOS program'
  if (first === 0xcafebabe) return kindOfCafebabe(bytes)
  if (first === 0x4c000000 && bytes.subarray(4, 8).toString('hex') === '01140200') {
    return 'a Windows shortcut'
  }
  if (bytes.toString('latin1', ISO_AT, ISO_AT + 5) === 'CD001') return 'a disk image'
  return isWindowsProgram(bytes) ? 'a Windows program' : null
}

/**
 * Whether the bytes are a Windows executable. `MZ` alone could begin a text; an executable also has
 * the offset of its second header.
 */
function isWindowsProgram(bytes: Buffer): boolean {
  if (bytes.toString('latin1', 0, 2) !== 'MZ' || bytes.length < 0x40) return false
  const at = bytes.readUInt32LE(0x3c)
  return ['PE\0\0', 'NE', 'LE', 'LX'].some(
    (mark) => bytes.toString('latin1', at, at + mark.length) === mark,
  )
}

/**
 * Identifies a file with the signature 0xCAFEBABE, which Java and macOS share: it is followed by a
 * Java version or by the number of executables.
 */
function kindOfCafebabe(bytes: Buffer): string | null {
  if (bytes.length < 8) return null
  return bytes.readUInt32BE(4) >= JAVA_VERSION_MIN ? 'a Java program' : 'a macOS program'
}

function isZip(bytes: Buffer): boolean {
  return bytes.toString('latin1', 0, 4) === 'PK\u0003\u0004'
}

const END_OF_LIST = Buffer.from('PK\u0005\u0006', 'latin1')
const ENTRY_OF_LIST = 0x02014b50
const ENTRY_BYTES = 46
const COMMENT_BYTES_MAX = 65_535

/** Yields the names in the central directory of a ZIP file; each entry is read once. */
function* namesInZip(bytes: Buffer): Generator<string> {
  const end = bytes.lastIndexOf(END_OF_LIST)
  if (end < 0 || end < bytes.length - COMMENT_BYTES_MAX - 22 || end + 22 > bytes.length) return
  const list_bytes = bytes.readUInt32LE(end + 12)
  let at = Math.max(0, end - list_bytes)
  while (at + ENTRY_BYTES <= end && bytes.readUInt32LE(at) === ENTRY_OF_LIST) {
    const name_bytes = bytes.readUInt16LE(at + 28)
    yield bytes.toString('utf8', at + ENTRY_BYTES, at + ENTRY_BYTES + name_bytes)
    at += ENTRY_BYTES + name_bytes + bytes.readUInt16LE(at + 30) + bytes.readUInt16LE(at + 32)
  }
}

function findInZip(bytes: Buffer): FoundProgram | null {
  for (const name of namesInZip(bytes)) {
    if (/(^|\/)vbaProject\.bin$/i.test(name)) return withMacros
    if (name === 'AndroidManifest.xml') {
      return { rule: 'program_to_download', what: 'This file is an Android app.' }
    }
    const kind = endings.get(endingOf(name)) ?? (endingOf(name) === 'class' ? 'a Java program' : '')
    if (kind !== '') {
      const what = `This ZIP file contains ${name.slice(0, 100)}, ${kind}.`
      return { rule: 'program_to_download', what }
    }
  }
  return null
}
