/**
 * The list of known bad links: the built-in bad-links.txt and the operator's file in the same
 * format. Lookup is by host, so its length does not matter.
 */
import { readDataFile } from '../../../../kernel/data-file.ts'
import { listSuffixes } from './addresses.ts'

export interface BadLink {
  host: string
  /** The path that is blocked; empty for the whole host. */
  path: string
  /** `link`: blocked in any URL. `load`: blocked only for resources that the page loads. */
  use: 'link' | 'load'
  reason: string
}

export type BadLinks = ReadonlyMap<string, readonly BadLink[]>

/** Parses a list. Invalid lines are reported as faults. */
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

/** The entries of bad-links.txt and of the operator's text. */
export function readKnownBadLinks(operators_text: string): BadLinks {
  return badLinksOf(own.links, readBadLinks(operators_text).links)
}

/** Maximum number of labels that are looked up; no line of the list has more. */
const LABELS_MAX = 8

export function findBadLink(list: BadLinks, url: URL): BadLink | null {
  for (const host of listSuffixes(url.hostname, LABELS_MAX)) {
    const links = list.get(host) ?? []
    const found = links.find(({ path }) => `${url.pathname}${url.search}`.startsWith(path))
    if (found !== undefined) return found
  }
  return null
}
