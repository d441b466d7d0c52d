/**
 * Checks the HTML and text of an email for what phishing does: forms, scripts, hidden links, links whose text
 * names another domain, link shorteners and links that are known to be bad. The rules are named after
 * those of rspamd. Pure.
 */
import type * as tldts from 'tldts'
import type * as parse5 from 'parse5'
import type { DefaultTreeAdapterTypes } from 'parse5'
import { onFirstUse } from '../../kernel/process/first-use.ts'
import { findBadLink, type BadLinks } from '../sites/service.ts'

const parser = onFirstUse<typeof parse5>('parse5')
const domains = onFirstUse<typeof tldts>('tldts')

export interface ContentFault {
  path: '/html' | '/text' | '/subject'
  code:
    | 'link_text_mismatch'
    | 'link_to_ip'
    | 'form'
    | 'script'
    | 'hidden_link'
    | 'link_shortener'
    | 'known_bad_link'
    | 'password_request'
  message: string
}

export interface CheckedContent {
  subject: string
  text: string | null
  html: string | null
  bad_links: BadLinks
}

type Node = DefaultTreeAdapterTypes.Node
type Element = DefaultTreeAdapterTypes.Element

const FAULTS_MAX = 20
const TEXT_LINKS_MAX = 2_000
const shorteners = new Set([
  'bit.ly',
  'buff.ly',
  'cutt.ly',
  'goo.gl',
  'is.gd',
  'lnkd.in',
  'ow.ly',
  'rb.gy',
  'rebrand.ly',
  's.id',
  'shorturl.at',
  't.co',
  't.ly',
  'tiny.cc',
  'tinyurl.com',
  'v.gd',
])
const scriptElements = new Set(['script', 'iframe', 'object', 'embed', 'applet', 'frame', 'base'])
const formElements = new Set(['form', 'input', 'textarea', 'select', 'button'])
const secretWords =
  /\b(?:password|passcode|pin ?code|cvv|cvc|card number|wachtwoord|pincode|kaartnummer)/gi
const requestVerb = /\b(?:reply|respond|send|email|mail|text|answer|stuur|antwoord|beantwoord)\b/i
/** How many characters before the name of a secret are searched for a verb such as `send`. */
const BEFORE_SECRET = 70
const SECRETS_MAX = 1_000

/** Whether a sentence asks to send a secret. */
function asksForSecret(text: string): boolean {
  let count = 0
  for (const { index } of text.matchAll(secretWords)) {
    const before = text.slice(Math.max(0, index - BEFORE_SECRET), index)
    if (requestVerb.test(before.split(/[.!?\n]/).at(-1) ?? '')) return true
    if ((count += 1) >= SECRETS_MAX) return false
  }
  return false
}

export function checkContent({ subject, text, html, bad_links }: CheckedContent): ContentFault[] {
  const faults: ContentFault[] = []
  const add = (path: ContentFault['path'], code: ContentFault['code'], message: string) => {
    const is_new = !faults.some((one) => one.path === path && one.message === message)
    if (is_new && faults.length < FAULTS_MAX) faults.push({ path, code, message })
  }
  if (html !== null)
    checkHtml(parser().parse(html), bad_links, (code, message) => add('/html', code, message))
  if (text !== null) {
    checkText(text, bad_links, (code, message) => add('/text', code, message))
    if (asksForSecret(text)) add('/text', 'password_request', passwordMessage)
  }
  if (asksForSecret(subject)) add('/subject', 'password_request', passwordMessage)
  return faults
}

const passwordMessage = 'The email asks people to send a password, PIN or card number.'

type Add = (code: ContentFault['code'], message: string) => void

function checkHtml(root: Node, bad_links: BadLinks, add: Add): void {
  const words: string[] = []
  const waiting: Node[] = [root]
  for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
    if (node.nodeName === '#text' && 'value' in node) words.push(node.value)
    if ('tagName' in node) checkElement(node, bad_links, add)
    const children =
      'content' in node ? node.content.childNodes : 'childNodes' in node ? node.childNodes : []
    for (let at = children.length - 1; at >= 0; at--) waiting.push(children[at]!)
  }
  if (asksForSecret(words.join(' '))) add('password_request', passwordMessage)
}

function checkElement(element: Element, bad_links: BadLinks, add: Add): void {
  const { tagName, attrs } = element
  if (scriptElements.has(tagName)) add('script', `<${tagName}> is not allowed in an email.`)
  if (formElements.has(tagName))
    add('form', `<${tagName}> is not allowed in an email. Link to a page with the form.`)
  for (const attribute of attrs) checkAttribute(attribute, add)
  const href = attrs.find(({ name }) => name === 'href')?.value
  if (href !== undefined && (tagName === 'a' || tagName === 'area'))
    checkLink(element, href, { bad_links, add })
  if (
    tagName === 'meta' &&
    attrs.some(({ name, value }) => name === 'http-equiv' && /refresh/i.test(value))
  )
    add('script', 'The email leads to another page by itself.')
}

function checkAttribute({ name, value }: { name: string; value: string }, add: Add): void {
  if (/^on/i.test(name)) add('script', `The attribute ${name} is not allowed in an email.`)
  if (!['href', 'src', 'action', 'background', 'xlink:href'].includes(name)) return
  if (/^(?:javascript|vbscript)/.test(schemeOf(value)))
    add('script', `A link runs a script: ${cut(value)}`)
  if (schemeOf(value) === 'data' && name !== 'src')
    add('script', 'A link with data: is not allowed.')
}

/** Browsers ignore spaces and control characters in the scheme. */
function schemeOf(address: string): string {
  return (
    /^([a-z][a-z0-9+.-]*):/i.exec(address.replaceAll(/[\s\p{Cc}]/gu, ''))?.[1]?.toLowerCase() ?? ''
  )
}

interface LinkRules {
  bad_links: BadLinks
  add: Add
}

function checkLink(element: Element, href: string, { bad_links, add }: LinkRules): void {
  const url = URL.parse(href.trim())
  if (url === null || !/^https?:$/.test(url.protocol)) return
  checkTarget(url, { bad_links, add })
  const shown = textOf(element).trim()
  const style = element.attrs.find(({ name }) => name === 'style')?.value ?? ''
  const is_hidden = /display:none|visibility:hidden|font-size:0(?![.\d])|opacity:0(?![.\d])/i.test(
    style.replaceAll(/\s/g, ''),
  )
  if (is_hidden || (shown === '' && !hasPicture(element)))
    add('hidden_link', `The link to ${url.hostname} cannot be seen.`)
  const { getDomain, parse: parseHost } = domains()
  const target = getDomain(url.hostname, { allowPrivateDomains: true })
  for (const named of hostsIn(shown)) {
    const domain = getDomain(named, { allowPrivateDomains: true })
    if (domain !== null && domain !== target && parseHost(named).isIcann)
      add('link_text_mismatch', `A link shows ${named} and leads to ${url.hostname}.`)
  }
}

/** The hosts in the text of a link, which is an address or contains some. */
function hostsIn(shown: string): Set<string> {
  const whole = /^(?:https?:\/\/)?((?:[\p{L}\p{N}-]+\.)+\p{L}{2,})(?:[/?#:]\S*)?$/u.exec(shown)?.[1]
  if (whole !== undefined) return new Set([whole])
  const found = shown.matchAll(/(?:https?:\/\/|\bwww\.)([\p{L}\p{N}.-]{1,253})/giu)
  return new Set([...found].map(([, host = '']) => host))
}

function checkTarget(url: URL, { bad_links, add }: LinkRules): void {
  const host = url.hostname.replace(/^www\./, '')
  if (/^\d+\.\d+\.\d+\.\d+$|^\[/.test(url.hostname))
    add('link_to_ip', `A link leads to the number ${url.hostname} instead of a name.`)
  if (shorteners.has(host))
    add('link_shortener', `The link shortener ${host} hides where a link leads.`)
  const bad = findBadLink(bad_links, url)
  if (bad !== null)
    add('known_bad_link', `The link to ${bad.host} is known to be bad: ${bad.reason}`)
}

function checkText(text: string, bad_links: BadLinks, add: Add): void {
  let count = 0
  for (const [found] of text.matchAll(/https?:\/\/[^\s<>"']{1,2000}/gi)) {
    const url = URL.parse(found)
    if (url !== null) checkTarget(url, { bad_links, add })
    if ((count += 1) >= TEXT_LINKS_MAX) return
  }
}

function textOf(element: Element): string {
  const parts: string[] = []
  const waiting: Node[] = [element]
  for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
    if (node.nodeName === '#text' && 'value' in node) parts.push(node.value)
    if ('childNodes' in node) waiting.push(...node.childNodes)
  }
  return parts.toReversed().join('')
}

function hasPicture(element: Element): boolean {
  const waiting: Node[] = [element]
  for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
    if (node.nodeName === 'img') return true
    if ('childNodes' in node) waiting.push(...node.childNodes)
  }
  return false
}

function cut(text: string): string {
  return text.slice(0, 60)
}
