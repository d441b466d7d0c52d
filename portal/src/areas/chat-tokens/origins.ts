/** Reads the addresses of pages that a person types, one a line, as the server will. */

/** Why a line is no origin: the key of a text. */
export type OriginFault = 'fault_path' | 'fault_http' | 'fault_wildcard' | 'fault_origin'

export interface TypedOrigin {
  /** As it was typed. */
  text: string
  /** As the server keeps it; null if it is none. */
  origin: string | null
  fault: OriginFault | null
}

export const ORIGINS_MAX = 20

export function readOrigins(text: string): TypedOrigin[] {
  return text
    .split(/[\s,]+/)
    .filter((line) => line !== '')
    .map(readOrigin)
}

function readOrigin(text: string): TypedOrigin {
  const result = text.startsWith('*.') ? readWildcard(text) : readAddress(text)
  return { text, origin: null, fault: null, ...result }
}

type Read = { origin: string } | { fault: OriginFault }

function readWildcard(text: string): Read {
  const name = text.slice(2).toLowerCase()
  const isName = /^[a-z0-9-]+(?:\.[a-z0-9-]+)+$/.test(name)
  return isName ? { origin: `*.${name}` } : { fault: 'fault_wildcard' }
}

/** People omit the protocol. */
function readAddress(text: string): Read {
  const url = URL.parse(/^[a-z]+:\/\//i.test(text) ? text : `https://${text}`)
  if (url === null || !/^[a-z0-9_.-]+$/.test(url.hostname)) return { fault: 'fault_origin' }
  if (url.pathname + url.search + url.hash !== '/') return { fault: 'fault_path' }
  const isLocal = url.hostname === 'localhost' || url.hostname.endsWith('.localhost')
  if (!isLocal && !url.hostname.includes('.')) return { fault: 'fault_origin' }
  const isTrusted = url.protocol === 'https:' || (isLocal && url.protocol === 'http:')
  return isTrusted ? { origin: url.origin } : { fault: 'fault_http' }
}
