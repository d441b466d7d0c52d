/**
 * Checks a logo for inboxes (BIMI): SVG Tiny Portable/Secure, a square that loads and runs nothing. Pure.
 */
import type * as parse5 from 'parse5'
import type { DefaultTreeAdapterTypes } from 'parse5'
import { onFirstUse } from '../../../kernel/process/first-use.ts'

const parser = onFirstUse<typeof parse5>('parse5')

type Node = DefaultTreeAdapterTypes.ChildNode
type Element = DefaultTreeAdapterTypes.Element

export const LOGO_BYTES_MAX = 32 * 1024
const forbidden = /^(?:script|image|foreignobject|animate\w*|set|audio|video|iframe|style|a)$/i

/** Returns what is wrong, continuing after "the logo"; null if it can be used. */
export function findLogoFault(svg: string): string | null {
  const root = parser()
    .parseFragment(svg)
    .childNodes.find((node): node is Element => node.nodeName === 'svg' && 'attrs' in node)
  if (!root) return 'must be an SVG file'
  const valueOf = (name: string) =>
    root.attrs.find((one) => one.name.toLowerCase() === name)?.value.trim() ?? ''
  if (valueOf('version') !== '1.2' || valueOf('baseprofile').toLowerCase() !== 'tiny-ps')
    return 'must have version="1.2" and baseProfile="tiny-ps"'
  const [, , width = 0, height = -1] = valueOf('viewbox')
    .split(/[\s,]+/)
    .map(Number)
  if (width !== height) return 'must have a square viewBox'
  const elements = listElements(root)
  if (!elements.some(({ tagName }) => tagName === 'title')) return 'must have a <title>'
  const wrong = elements.find(({ tagName }) => forbidden.test(tagName))
  if (wrong) return `must not have <${wrong.tagName}>`
  const active = elements
    .flatMap(({ attrs }) => attrs)
    .some(({ name, value }) => /^on/i.test(name) || (/href$/i.test(name) && !value.startsWith('#')))
  return active ? 'must have no scripts and no links' : null
}

function listElements(root: Element): Element[] {
  const found: Element[] = []
  const waiting: Node[] = [root]
  for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
    if (!('tagName' in node)) continue
    found.push(node)
    waiting.push(...node.childNodes)
  }
  return found
}
