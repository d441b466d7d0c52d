/**
 * Tests that executables are recognized by their bytes, their extensions, and the contents of ZIP
 * files.
 */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { zipSync } from 'fflate'
import { listFindings, listBrokenRules } from './page-fixtures.ts'

const text = new TextEncoder().encode('hello')

function windowsProgram(): Buffer {
  const bytes = Buffer.alloc(512)
  bytes.write('MZ')
  bytes.writeUInt32LE(0x80, 0x3c)
  bytes.write('PE\0\0', 0x80)
  return bytes
}

function zip(...names: string[]): Uint8Array {
  return zipSync(Object.fromEntries(names.map((name) => [name, text])))
}

const programs: [name: string, path: string, bytes: Uint8Array, what: RegExp][] = [
  ['a Windows program', 'setup.exe', windowsProgram(), /is a Windows program/],
  ['a Windows program named like a picture', 'cat.jpg', windowsProgram(), /is a Windows program/],
  [
    'a Windows program without an extension',
    'download/update',
    windowsProgram(),
    /is a Windows program/,
  ],
  ['a Linux program', 'tool', Buffer.from('\x7fELF\x02\x01\x01', 'latin1'), /Linux program/],
  ['a macOS program', 'tool', Buffer.from('cffaedfe07000001', 'hex'), /macOS program/],
  [
    'a macOS program for two processors',
    'tool',
    Buffer.from('cafebabe00000002', 'hex'),
    /macOS program/,
  ],
  ['a Java class', 'A.class', Buffer.from('cafebabe00000041', 'hex'), /Java program/],
  ['a Windows shortcut', 'doc', Buffer.from('4c0000000114020000000000', 'hex'), /Windows shortcut/],
  [
    'a disk image',
    'photos.bin',
    Buffer.concat([Buffer.alloc(0x8001), Buffer.from('CD001')]),
    /disk image/,
  ],
  ['a command file', 'start.BAT', text, /Windows command file/],
  ['a Windows script', 'invoice.pdf.vbs', text, /Windows script/],
  ['an installer', 'a/b/app.dmg', text, /macOS installer/],
  ['a package', 'app.deb', text, /Linux package/],
  ['an Android app', 'shop.apk', zip('classes.dex'), /Android app/],
  [
    'an Android app named like a ZIP file',
    'shop.zip',
    zip('AndroidManifest.xml', 'x'),
    /Android app/,
  ],
  [
    'a program in a ZIP file',
    'photos.zip',
    zip('a/readme.txt', 'a/photo.jpg.exe'),
    /contains a\/photo\.jpg\.exe, a Windows program/,
  ],
  ['a Java program in a ZIP file', 'x.zip', zip('A.class'), /contains A\.class, a Java program/],
]

describe('blocks an executable', () => {
  for (const [name, path, bytes, what] of programs) {
    it(name, () => {
      const [finding, ...more] = listFindings({ [path]: bytes })
      assert.equal(finding?.rule, 'program_to_download')
      assert.match(finding.what, what)
      assert.deepEqual([finding.path, finding.line, more], [path, null, []])
    })
  }

  it('blocks a document with macros, by its extension and by its contents', () => {
    assert.deepEqual(listBrokenRules({ 'a.docm': zip('word/document.xml') }), [
      'document_with_macros a.docm:',
    ])
    assert.deepEqual(listBrokenRules({ 'a.docx': zip('word/vbaProject.bin') }), [
      'document_with_macros a.docx:',
    ])
  })
})

describe('accepts a file that is not executable', () => {
  const files: [name: string, path: string, bytes: Uint8Array][] = [
    ['a document', 'menu.docx', zip('[Content_Types].xml', 'word/document.xml')],
    ['a ZIP file of pictures', 'press.zip', zip('logo.svg', 'photo.jpg')],
    ['WebAssembly', 'app.wasm', Buffer.from('0061736d01000000', 'hex')],
    ['a shell script to read', 'install.sh', Buffer.from('#!/bin/sh\necho hi\n')],
    ['a text that begins with MZ', 'mz.txt', Buffer.from('MZ is a prefix')],
    ['a long text that begins with MZ', 'mz.txt', Buffer.from(`MZ${'a'.repeat(500)}`)],
    ['a PDF', 'menu.pdf', Buffer.from('%PDF-1.7')],
    ['a page about a program', 'setup.exe.html', text],
    ['a name that contains an extension within a word', 'my.exercise', text],
    ['a truncated ZIP file', 'half.zip', zip('a.exe').subarray(0, 20)],
    ['a ZIP file with an invalid directory', 'lies.zip', liar()],
    ['an empty file', 'empty.bin', new Uint8Array()],
    ['two bytes', 'two.bin', Buffer.from('MZ')],
  ]
  for (const [name, path, bytes] of files) {
    it(name, () => assert.deepEqual(listFindings({ [path]: bytes }), []))
  }

  it('the bytes of a file that is a view on a larger buffer are read', () => {
    const larger = Buffer.concat([windowsProgram(), Buffer.from('hello')])
    assert.deepEqual(listFindings({ 'a.txt': larger.subarray(512) }), [])
  })
})

/** Creates a ZIP whose central directory claims to be longer than the file. */
function liar(): Uint8Array {
  const bytes = Buffer.from(zip('a.txt'))
  bytes.writeUInt32LE(0xffffffff, bytes.length - 10)
  return bytes
}
