/**
 * Recognizes this server's names in Host and Origin. After DNS rebinding, the browser takes a
 * hostile page for one of this origin, but the page sends its own host name.
 */
import type { FastifyRequest } from 'fastify'
import type { Config } from '../../kernel/config/config-types.ts'

const loopbackNames = new Set(['localhost', '127.0.0.1', '[::1]'])

/** Whether a Host header names the loopback interface. */
function isLoopbackHost(host: string): boolean {
  return loopbackNames.has(nameIn(`http://${host}`) ?? '')
}

const loopback = /^(?:127\.|::1$|::ffff:127\.)/

/** Headers that proxies and content delivery networks add to a request. */
const proxyHeaders = [
  'forwarded',
  'via',
  'x-forwarded-for',
  'x-forwarded-host',
  'x-forwarded-proto',
  'x-real-ip',
  'x-client-ip',
  'true-client-ip',
  'cf-connecting-ip',
  'fastly-client-ip',
  'fly-client-ip',
]

/**
 * Whether a request is of a program on this machine. Forwarding headers indicate a proxy, and another
 * Host may come from a page in a browser on this machine (DNS rebinding).
 */
export function isLoopbackRequest({ ip, headers }: FastifyRequest): boolean {
  const forwarded = proxyHeaders.some((name) => headers[name] !== undefined)
  return loopback.test(ip) && isLoopbackHost(headers.host ?? '') && !forwarded
}

/** Whether a URL has the host of the public URL or a loopback name. */
export function isOwnAddress({ public_url }: Pick<Config, 'public_url'>, url: string): boolean {
  const name = nameIn(url)
  return name !== null && (loopbackNames.has(name) || name === nameIn(public_url))
}

function nameIn(url: string): string | null {
  return URL.canParse(url) ? new URL(url).hostname : null
}
