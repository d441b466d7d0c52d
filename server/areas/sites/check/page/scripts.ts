/**
 * Extracts the input of the rules from scripts: URLs, chat bots, commands for the clipboard, and
 * pages written from an encoded text. Scripts are never run, so anything computed at run time is
 * not found.
 */
import { decodePercent } from './read-page.ts'

export interface ScriptFinding {
  line: number
  value: string
}

const chatAddress =
  /(?:api\.telegram\.org\/bot|discord(?:app)?\.com\/api\/webhooks\/|hooks\.slack\.com\/services\/)/
const passwordField = /type["']?\s*[,:=]\s*\\?["'`]password\\?["'`]/i
const webAddress = /https?:\/\/[^\s"'<>`\\)]{4,500}/g
const clipboard = /clipboard\s*\.\s*writeText|execCommand\s*\(\s*["']copy|clipboardData/
const shellCommand =
  /\b(?:powershell(?:\.exe)?\s+-|mshta(?:\.exe)?\s+\\?["']?https?:|cmd(?:\.exe)?\s+\/c|iex\s*\(|rundll32|certutil\s+-urlcache|curl\s[^"'`\n]{0,200}\|\s*(?:ba|z)?sh\b|osascript\s+-e)/i
const encodedText = /\b(unescape|decodeURIComponent|atob)\s*\(\s*(["'`])([^"'`]{40,})\2/g

/** Replaces escaped slashes: scripts write slashes plain or escaped. */
function plain(text: string): string {
  return text.includes('\\/') ? text.replaceAll('\\/', '/') : text
}

function lineAt(text: string, index: number): number {
  let line = 1
  for (let at = text.indexOf('\n'); at >= 0 && at < index; at = text.indexOf('\n', at + 1))
    line += 1
  return line
}

function firstLine(text: string, pattern: RegExp): number | null {
  const found = pattern.exec(text)
  return found === null ? null : lineAt(text, found.index)
}

export interface ScriptFacts {
  addresses: ScriptFinding[]
  /** Line of a chat bot's URL. */
  chat_line: number | null
  asks_password: boolean
  /** Line where a command is copied to the clipboard. */
  command_line: number | null
  /** Pages that the script contains as an encoded text. */
  inner: { line: number; text: string }[]
}

export function readScript(source: string): ScriptFacts {
  const text = plain(source)
  const addresses: ScriptFinding[] = []
  const lines = lineCounter(text)
  for (const found of text.matchAll(webAddress)) {
    addresses.push({ line: lines(found.index), value: found[0] })
  }
  return {
    addresses,
    chat_line: firstLine(text, chatAddress),
    asks_password: passwordField.test(text),
    command_line: clipboard.test(text) ? firstLine(text, shellCommand) : null,
    inner: readInner(text),
  }
}

/** Returns a function that converts ascending offsets to lines, in linear time for all of them. */
function lineCounter(text: string): (index: number) => number {
  let line = 1
  let next = text.indexOf('\n')
  return (index) => {
    while (next >= 0 && next < index) {
      line += 1
      next = text.indexOf('\n', next + 1)
    }
    return line
  }
}

function readInner(text: string): ScriptFacts['inner'] {
  const inner: ScriptFacts['inner'] = []
  const lines = lineCounter(text)
  for (const found of text.matchAll(encodedText)) {
    const [, how, , encoded = ''] = found
    const decoded =
      how === 'atob' ? Buffer.from(encoded, 'base64').toString() : decodePercent(encoded)
    if (/<\s*(?:form|input|iframe|script|a|meta|html|body)\b/i.test(decoded)) {
      inner.push({ line: lines(found.index), text: decoded })
    }
  }
  return inner
}
