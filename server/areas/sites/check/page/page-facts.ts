/**
 * The facts of one page for the rules: parsed content, kinds of its fields, its scripts, and
 * embedded pages parsed in the same way.
 */
import { classifyField, type FormField, type FieldKind } from './fields.ts'
import { readPage, type PageForm, type ParsedPage } from './read-page.ts'
import { readScript, type ScriptFinding, type ScriptFacts } from './scripts.ts'

export interface PageFacts {
  path: string
  /** Converts a line of an embedded page to a line of the file. */
  line: (own: number) => number
  /** Base URL of relative addresses. */
  base: string
  page: ParsedPage
  forms: { form: PageForm; fields: { field: FormField; kind: FieldKind }[] }[]
  scripts: ScriptFacts
}

const INNER_DEPTH_MAX = 3

export interface PagesWithFacts {
  pages: PageFacts[]
  /** Lines with pages that are nested too deeply. */
  too_deep: number[]
}

export function readPages(path: string, text: string, address: string): PagesWithFacts {
  const read: PagesWithFacts = { pages: [], too_deep: [] }
  const todo = [{ text, line: (own: number) => own, depth: 0 }]
  for (let next = todo.pop(); next !== undefined; next = todo.pop()) {
    const { depth, line } = next
    const facts = factsOf(path, readPage(next.text), { line, address })
    read.pages.push(facts)
    for (const inner of [...facts.page.inner, ...facts.scripts.inner]) {
      const outer = line(inner.line)
      if (depth === INNER_DEPTH_MAX) read.too_deep.push(outer)
      else todo.push({ text: inner.text, line: () => outer, depth: depth + 1 })
    }
  }
  return read
}

function factsOf(
  path: string,
  page: ParsedPage,
  place: { line: (own: number) => number; address: string },
): PageFacts {
  const base = page.base ?? ''
  return {
    path,
    line: place.line,
    base: URL.canParse(base, place.address) ? new URL(base, place.address).href : place.address,
    page,
    forms: page.forms.map((form) => ({
      form,
      fields: form.fields.map((field) => ({ field, kind: classifyField(field) })),
    })),
    scripts: readScripts(page),
  }
}

function readScripts(page: ParsedPage): ScriptFacts {
  const all: ScriptFacts = {
    addresses: [],
    chat_line: null,
    asks_password: false,
    command_line: null,
    inner: [],
  }
  for (const script of page.scripts) {
    const facts = readScript(script.text)
    const place = (found: number) => script.line + found - 1
    const placed = (found: ScriptFinding) => ({ ...found, line: place(found.line) })
    all.addresses.push(...facts.addresses.map(placed))
    all.inner.push(...facts.inner.map((inner) => ({ ...inner, line: place(inner.line) })))
    all.asks_password ||= facts.asks_password
    if (facts.chat_line !== null) all.chat_line ??= place(facts.chat_line)
    if (facts.command_line !== null) all.command_line ??= place(facts.command_line)
  }
  return all
}
