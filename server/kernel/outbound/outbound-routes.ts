/**
 * Connections of the guarded fetch, with their limits and keep-alive. A direct route connects to
 * checked addresses only, without another look-up; a proxy route leaves both to the operator's proxy.
 */
import type { LookupFunction } from 'node:net'
import ipaddr from 'ipaddr.js'
import { LRUCache } from 'lru-cache'
import { Pool, ProxyAgent, buildConnector, type Dispatcher } from 'undici'

const connect_timeout_ms = 5_000
/** Shorter than the idle timeout of servers, so that none closes a connection being reused. */
const keep_alive_ms = 1_000
/** Maximum number of addresses that one request tries to connect to. */
const pinned_addresses_max = 8
const pools_max = 500

const limits = {
  allowH2: false,
  maxHeaderSize: 1_048_576,
  keepAliveTimeout: keep_alive_ms,
  keepAliveMaxTimeout: keep_alive_ms,
  // undici restarts these timeouts at every byte or early hint, so slow responses are ended by the
  // total deadline only.
  headersTimeout: 0,
  bodyTimeout: 0,
} as const

export interface Routes {
  towards(origin: string, addresses: readonly string[]): Dispatcher
  close(): Promise<void>
}

/**
 * Keeps one pool per origin and set of checked addresses, so that a name with new addresses never
 * reuses an old connection. The callers limit concurrency: with a limit here, one slow path of a
 * shared receiver would delay the requests of all projects.
 */
export function directRoutes(): Routes {
  const pools = new LRUCache<string, Pool>({
    max: pools_max,
    dispose: (pool) => void pool.close(),
  })
  return {
    towards(origin, addresses) {
      const key = [origin, ...addresses.toSorted()].join(' ')
      const known = pools.get(key)
      if (known !== undefined) return known
      const pool = new Pool(origin, { ...limits, connect: pinnedConnector(addresses) })
      pools.set(key, pool)
      return pool
    },
    async close() {
      await Promise.all(Array.from(pools.values(), (pool) => pool.close()))
    },
  }
}

export function proxyRoutes(proxy_url: string): Routes {
  const agent = new ProxyAgent({
    ...limits,
    uri: proxy_url,
    proxyTunnel: true,
    connectTimeout: connect_timeout_ms,
    proxyTls: { allowH2: false },
    // Without a timeout, a proxy that does not answer would keep the connection and the shutdown
    // for minutes.
    clientFactory: (origin, options) =>
      new Pool(origin, { ...options, headersTimeout: connect_timeout_ms }),
  })
  return { towards: () => agent, close: () => agent.close() }
}

/** Connects to the checked addresses only, and verifies the address after connecting. */
function pinnedConnector(addresses: readonly string[]): buildConnector.connector {
  const pins = new Set(addresses.map(canonical))
  const connect = buildConnector({
    allowH2: false,
    timeout: connect_timeout_ms,
    lookup: pinnedLookup(addresses.slice(0, pinned_addresses_max)),
  })
  return (options, callback) =>
    connect(options, (...[error, socket]) => {
      if (error !== null) return callback(error, null)
      if (pins.has(canonical(socket.remoteAddress ?? '::'))) return callback(null, socket)
      socket.destroy()
      callback(new Error('The connection reached an address that was not checked.'), null)
    })
}

/**
 * Calls back on the next tick, because Node connects inside the callback: after a synchronous call,
 * a connection that fails at once (no route) would emit its error before `tls.connect` has
 * returned the socket, and an error without a listener ends the process.
 */
function pinnedLookup(addresses: readonly string[]): LookupFunction {
  const answers = addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }))
  return (_host, options, callback) => {
    if (options.all === true) process.nextTick(callback, null, answers)
    else process.nextTick(callback, null, answers[0]?.address ?? '', answers[0]?.family)
  }
}

function canonical(address: string): string {
  return ipaddr.parse(address).toNormalizedString()
}
