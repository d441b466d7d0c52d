/**
 * The connections of the guarded fetch: who is dialled, what is kept open, what a reply may cost.
 * A direct route dials judged addresses alone and never looks a name up again; a proxy route
 * leaves both to the operator's proxy.
 */
import type { LookupFunction } from 'node:net'
import ipaddr from 'ipaddr.js'
import { LRUCache } from 'lru-cache'
import type { buildConnector, Dispatcher } from 'undici'
import methods from 'undici/lib/api/index.js'
import newConnector from 'undici/lib/core/connect.js'
import AnyDispatcher from 'undici/lib/dispatcher/dispatcher.js'
import Pool from 'undici/lib/dispatcher/pool.js'
import ProxyAgent from 'undici/lib/dispatcher/proxy-agent.js'

// The index of undici, which is not loaded, adds `request` and `connect` to its dispatchers like this.
Object.assign(AnyDispatcher.prototype, methods)

const connect_timeout_ms = 5_000
/** Shorter than servers wait with an idle connection, so that none closes under a new request. */
const keep_alive_ms = 1_000
/** A name with hundreds of addresses must not make one call knock on hundreds of doors. */
const pinned_addresses_max = 8
const pools_max = 500

const limits = {
  allowH2: false,
  maxHeaderSize: 8_192,
  keepAliveTimeout: keep_alive_ms,
  keepAliveMaxTimeout: keep_alive_ms,
  // Both restart at every byte or early hint that comes in: only the total deadline ends a drip.
  headersTimeout: 0,
  bodyTimeout: 0,
} as const

export interface Routes {
  towards(origin: string, addresses: readonly string[]): Dispatcher
  close(): Promise<void>
}

/**
 * Connections are kept per origin and set of judged addresses. A name that now leads elsewhere
 * therefore never gets an old connection, while deliveries to a steady receiver reuse theirs.
 * Their number is bounded by whoever sends: a cap here would let one slow path of a shared
 * receiver hold up everybody else's.
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
    // A proxy that keeps silent would otherwise hold its connection, and the end, for minutes.
    clientFactory: (origin, options) =>
      new Pool(origin, { ...options, headersTimeout: connect_timeout_ms }),
  })
  return { towards: () => agent, close: () => agent.close() }
}

/** Connects to the judged addresses alone, and looks afterwards whether it did. */
function pinnedConnector(addresses: readonly string[]): buildConnector.connector {
  const pins = new Set(addresses.map(canonical))
  const connect = newConnector({
    allowH2: false,
    timeout: connect_timeout_ms,
    lookup: pinnedLookup(addresses.slice(0, pinned_addresses_max)),
  })
  return (options, callback) =>
    connect(options, (...[error, socket]) => {
      if (error !== null) return callback(error, null)
      if (pins.has(canonical(socket.remoteAddress ?? '::'))) return callback(null, socket)
      socket.destroy()
      callback(new Error('The connection reached an address that was not judged.'), null)
    })
}

/**
 * Answers on the next tick, as a real look-up does. Node connects inside the callback: called
 * synchronously, a connection that fails at once (no route) would emit its error before
 * `tls.connect` has returned the socket, when nobody can listen for it yet.
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
