/**
 * Bounds open connections: of one address, and of all, so that file descriptors are left for files, the
 * database and outbound requests. Without it the system would close connections unnoticed (EMFILE).
 */
import type { Server } from 'node:http'
import { limits } from '../../contract/limits.ts'
import type { Runtime } from '../../kernel/runtime.ts'
import { findNetwork, isTrusted } from './visitor-address.ts'
import { readFileSync } from 'node:fs'

/** An address has at most this part of all connections. */
const PART_OF_ADDRESS = 4
const LOG_EVERY_MS = 60_000

export function boundConnections({ config, log }: Runtime, server: Server): void {
  const files_max = readOpenFilesMax()
  // Half, because a connection may hold a second descriptor: a file, or a socket of an app.
  const all_max = Math.floor(files_max / 2)
  const each_max = Math.min(limits.connections_per_address_max, all_max / PART_OF_ADDRESS)
  const counts = new Map<string, number>()
  let refused = 0
  let logged_ms = -Infinity
  const onRefusal = (more: { network?: string }) => {
    refused += 1
    const now_ms = performance.now()
    if (now_ms - logged_ms < LOG_EVERY_MS) return
    log.error({ refused, connections_max: all_max, each_max, ...more }, 'connections were refused')
    refused = 0
    logged_ms = now_ms
  }
  server.on('connection', (socket) => {
    const network = findNetwork(socket.remoteAddress ?? '')
    const count = (counts.get(network) ?? 0) + 1
    // A trusted proxy may have any number.
    if (count > each_max && !isTrusted(socket.remoteAddress ?? '', config.trusted_proxies)) {
      socket.destroy()
      onRefusal({ network })
      return
    }
    counts.set(network, count)
    socket.once('close', () => {
      const left = (counts.get(network) ?? 0) - 1
      if (left > 0) counts.set(network, left)
      else counts.delete(network)
    })
  })
  if (all_max < Infinity) server.maxConnections = all_max
  server.on('drop', () => onRefusal({}))
  // The server goes on with the connections that it has.
  server.on('error', (error) => log.error({ err: error }, 'a connection could not be accepted'))
}

/** Infinity where the system does not tell or has no limit. */
function readOpenFilesMax(): number {
  try {
    const [, soft] =
      /^Max open files +(\d+)/m.exec(readFileSync('/proc/self/limits', 'latin1')) ?? []
    return Number(soft ?? Infinity)
  } catch {
    return Infinity
  }
}
