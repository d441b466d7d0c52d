/**
 * The check before publication: finds where the files of a site break a rule (rules.ts). Pure: the
 * same files always give the same findings. Its time is linear in the bytes.
 */
import { createHash } from 'node:crypto'
import { parseLink } from './links/addresses.ts'
import { readKnownBadLinks, type BadLinks } from './links/bad-links.ts'
import { checkSettings } from './configuration.ts'
import { findBrandInSlug, type Identity } from './brands/identity.ts'
import { readPages, type PageFacts } from './page/page-facts.ts'
import {
  asksForInput,
  asksForSecret,
  checkAddress,
  checkForms,
  checkLinks,
  loadsFromBrand,
  findPageIdentity,
  type PageContext,
  type Violation,
} from './page/page-rules.ts'
import { findProgram } from './programs.ts'
import { checkRules, type RuleName } from './rules.ts'
import { readScript, type ScriptFacts } from './page/scripts.ts'

export interface CheckedFile {
  path: string
  content_type: string
  bytes: Uint8Array
}

export interface CheckContext {
  slug: string
  title: string
  sites_domain: string
  /** URL of the site. */
  url: string
  /** The list of bad links; the built-in one by default. */
  bad_links?: BadLinks
}

export interface Finding {
  rule: RuleName
  path: string
  line: number | null
  what: string
  why: string
  /**
   * Identifies the finding in later deploys of the same file, even if other parts of the file
   * change.
   */
  digest: string
}

/** Maximum number of reported findings per site. */
const FINDINGS_MAX = 50

const builtIn = readKnownBadLinks('')

interface Site {
  context: CheckContext
  page_context: PageContext
  pages: PageFacts[]
  scripts: { path: string; facts: ScriptFacts }[]
}

export function checkFiles(files: readonly CheckedFile[], context: CheckContext): Finding[] {
  const findings = new Map<string, Finding>()
  const site = readSite(files, context, (path, remark) => keep(findings, path, remark))
  for (const facts of site.pages) {
    const keepHere = (remark: Violation) => keep(findings, facts.path, remark)
    for (const remark of checkForms(facts, site.page_context)) keepHere(remark)
    for (const remark of checkLinks(facts, site.page_context)) keepHere(remark)
    for (const remark of checkIdentity(facts, site)) keepHere(remark)
    for (const remark of checkScripts(facts, site)) keepHere(remark)
  }
  for (const { path, facts } of site.scripts) {
    for (const remark of checkScriptFile(facts, site)) keep(findings, path, remark)
  }
  return [...findings.values()]
}

function keep(findings: Map<string, Finding>, path: string, remark: Violation): void {
  const { rule, line, what, evidence } = remark
  const digest = createHash('sha256').update(`${rule}\n${path}\n${evidence}`).digest('base64url')
  if (findings.has(digest) || findings.size >= FINDINGS_MAX) return
  findings.set(digest, { rule, path, line, what, why: checkRules[rule].why, digest })
}

type Keep = (path: string, remark: Violation) => void

function readSite(files: readonly CheckedFile[], context: CheckContext, tell: Keep): Site {
  const host = parseLink('/', context.url)?.host ?? ''
  const site: Site = {
    context,
    page_context: { host, bad_links: context.bad_links ?? builtIn },
    pages: [],
    scripts: [],
  }
  for (const file of files) {
    const program = findProgram(file.path, file.bytes)
    if (program !== null) {
      const evidence = createHash('sha256').update(file.bytes).digest('hex')
      tell(file.path, { ...program, line: null, evidence })
    }
    for (const remark of checkSettings(file, { url: context.url, context: site.page_context }))
      tell(file.path, remark)
    readFile(file, site, tell)
  }
  return site
}

function readFile({ path, content_type, bytes }: CheckedFile, site: Site, tell: Keep): void {
  if (isPage(content_type)) {
    const address = new URL(
      path.split('/').map(encodeURIComponent).join('/'),
      `${site.context.url}/`,
    )
    const { pages, too_deep } = readPages(path, textOf(bytes), address.href)
    site.pages.push(...pages)
    for (const line of too_deep) {
      const what = 'Here is a page inside a page inside a page inside a page inside another.'
      tell(path, { rule: 'page_hidden_too_deep', line, what, evidence: '' })
    }
  } else if (/javascript|ecmascript|\/css\b|\/json\b/.test(content_type)) {
    site.scripts.push({ path, facts: readScript(textOf(bytes)) })
  }
}

/** Whether browsers show the type as a document with forms, links and scripts. */
function isPage(content_type: string): boolean {
  return /^(text\/html|text\/xml|application\/xml)\b|\+xml\b/.test(content_type)
}

/** Decodes like browsers: a byte order mark takes precedence over the header. */
function textOf(bytes: Uint8Array): string {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return new TextDecoder('utf-16le').decode(bytes)
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return new TextDecoder('utf-16be').decode(bytes)
  return new TextDecoder().decode(bytes)
}

function siteAsksSecret(site: Site): boolean {
  return site.pages.some(asksForSecret) || site.scripts.some(({ facts }) => facts.asks_password)
}

/** Reports an imitated brand in the page or its address, if the page asks for a secret. */
function* checkIdentity(facts: PageFacts, site: Site): Generator<Violation> {
  const page = findPageIdentity(facts, site.context.title)
  const slug = findBrandInSlug(site.context.slug)
  const scripted = asksForInput(facts) || facts.page.addresses.length > 0
  const asks =
    asksForSecret(facts) || (scripted && site.scripts.some(({ facts }) => facts.asks_password))
  const line = facts.line(facts.forms[0]?.form.line ?? 1)
  if (page !== null && isImitation(page, { facts, slug, asks })) {
    yield {
      rule: 'imitates_brand',
      line,
      what: `This page calls itself ${page.brand.name} and asks for what belongs on its site alone.`,
      evidence: page.brand.name,
    }
    return
  }
  if (slug === null || !asks) return
  if (slug.common && !loadsFromBrand(facts, slug.brand)) return
  yield {
    rule: 'imitates_brand_address',
    line,
    what: `The address ${site.context.slug} reads like ${slug.brand.name}, and this page asks for what belongs on its site alone.`,
    evidence: slug.brand.name,
  }
}

interface Signs {
  facts: PageFacts
  slug: Identity | null
  asks: boolean
}

function isImitation(page: Identity, { facts, slug, asks }: Signs): boolean {
  const same_slug = slug?.brand === page.brand
  // On a two-step sign-in the password is on a later page. Such a page counts only if its address
  // matches the brand too.
  if (!asks) return same_slug && !page.common && asksForInput(facts)
  return !page.common || loadsFromBrand(facts, page.brand) || (same_slug && slug?.common === false)
}

function* checkScripts(facts: PageFacts, site: Site): Generator<Violation> {
  const { chat_line, command_line } = facts.scripts
  if (chat_line !== null && siteAsksSecret(site)) yield sentToChat(facts.line(chat_line))
  if (command_line !== null && tellsToRun(facts.page.text))
    yield commandToPaste(facts.line(command_line))
}

function* checkScriptFile(facts: ScriptFacts, site: Site): Generator<Violation> {
  if (facts.chat_line !== null && siteAsksSecret(site)) yield sentToChat(facts.chat_line)
  if (facts.command_line !== null && site.pages.some(({ page }) => tellsToRun(page.text))) {
    yield commandToPaste(facts.command_line)
  }
  for (const { value, line } of facts.addresses) {
    const url = parseLink(value, site.context.url)
    if (url === null) continue
    yield* checkAddress(url, { line, linked: false, context: site.page_context })
  }
}

/** Whether a text instructs visitors to open the Run window or a terminal and paste a command. */
function tellsToRun(text: string): boolean {
  const run =
    /\b(win(dows)?([\s-]*(key|toets|taste))?|⊞)\s*(\+|and|en|und|plus)\s*[rx]\b|\brun dialog\b|\bspotlight\b/i
  const paste =
    /\b(ctrl|control|cmd|command|strg)\s*(\+|and|-)\s*v\b|\bpaste\b|\bplak\b|\beinfügen\b/i
  return run.test(text) && paste.test(text)
}

function sentToChat(line: number): Violation {
  return {
    rule: 'secret_sent_to_chat',
    line,
    what: 'This script posts to a chat bot or a chat channel, on a site with password fields.',
    evidence: 'chat',
  }
}

function commandToPaste(line: number): Violation {
  return {
    rule: 'command_to_paste',
    line,
    what: 'This script puts a command into the clipboard, and the page has visitors run it.',
    evidence: 'command',
  }
}
