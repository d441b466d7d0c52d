/**
 * Recognizes this server's names in Host and Origin. After DNS rebinding, the browser takes a
 * hostile page for one of this origin, but the page sends its own host name.
 */
import type { Config } from '../../kernel/config/config-types.ts'

const loopbackNames = new Set(['localhost', '127.0.0.1', '[::1]'])

/** Whether a Host header names the loopback interface. */
export function isLoopbackHost(host: string): boolean {
  return loopbackNames.has(nameIn(`http://${host}`) ?? '')
}

/** Whether a URL has the host of the public URL or a loopback name. */
export function isOwnAddress({ public_url }: Pick<Config, 'public_url'>, url: string): boolean {
  const name = nameIn(url)
  return name !== null && (loopbackNames.has(name) || name === nameIn(public_url))
}

function nameIn(url: string): string | null {
  return URL.canParse(url) ? new URL(url).hostname : null
}
