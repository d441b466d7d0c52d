/**
 * The list of known bad links: bad-links.txt, which comes with the service, and the file of
 * the same form that the operator adds. Looked up by host, so its length costs nothing.
 */
import { readDataFile } from '../../../../kernel/data-file.ts'
import { lastLabels } from './addresses.ts'

export interface BadLink {
  host: string
  /** Empty: everything on the host. */
  path: string
  /** `link`: any mention in an address. `load`: what the page loads by itself. */
  use: 'link' | 'load'
  reason: string
}

export type BadLinks = ReadonlyMap<string, readonly BadLink[]>

/** Reads a list. Lines that cannot be read are named, so that none is lost in silence. */
export function readBadLinks(text: string): { links: BadLink[]; faults: string[] } {
  const links: BadLink[] = []
  const faults: string[] = []
  for (const [index, line] of text.split(/\r?\n/).entries()) {
    const trimmed = line.trim()
    if (trimmed === '' || trimmed.startsWith('#')) continue
    const found = /^((?:[a-z0-9-]+\.){1,7}[a-z0-9-]+)(\/\S*)?\s+(link|load)\s+(\S.*)$/.exec(trimmed)
    if (found === null) {
      faults.push(
        `line ${index + 1} must be "host[/path] link|load reason", with the host in lower case ` +
          `and without http://, not ${JSON.stringify(trimmed.slice(0, 60))}.`,
      )
      continue
    }
    const [, host = '', path = '', use, reason = ''] = found
    links.push({ host, path, use: use === 'load' ? 'load' : 'link', reason })
  }
  return { links, faults }
}

function badLinksOf(...lists: readonly (readonly BadLink[])[]): BadLinks {
  const byHost = new Map<string, BadLink[]>()
  for (const link of lists.flat()) byHost.set(link.host, [...(byHost.get(link.host) ?? []), link])
  return byHost
}

const own = readBadLinks(readDataFile(import.meta.dirname, 'bad-links.txt'))

/** The addresses of bad-links.txt and those of the operator's text. */
export function knownBadLinks(operators_text: string): BadLinks {
  return badLinksOf(own.links, readBadLinks(operators_text).links)
}

/** More labels than a line of the list may have. */
const LABELS_MAX = 8

export function findBadLink(list: BadLinks, url: URL): BadLink | null {
  for (const host of lastLabels(url.hostname, LABELS_MAX)) {
    const links = list.get(host) ?? []
    const found = links.find(({ path }) => `${url.pathname}${url.search}`.startsWith(path))
    if (found !== undefined) return found
  }
  return null
}
