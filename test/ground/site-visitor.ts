/**
 * Visitors of hosted sites: requests to the server of a test under the name of a site, and bytes
 * sent by hand where it matters how a request is written.
 */
import { request } from 'node:http'
import { connect } from 'node:net'
import type { TestHouse } from './house.ts'

export interface Seen {
  status: number
  /** Names in lower case. */
  headers: Record<string, string | undefined>
  /** All values of a header. */
  all(name: string): string[]
  body: Buffer
  text: string
}

export interface Visit {
  headers?: Record<string, string>
  body?: string
}

/** The host of a site's address. */
export function hostOf(url: string): string {
  return new URL(url).host
}

/** `visit(house, { host: 'a.sites.localhost', route: 'GET /path' })`. */
export function visit(
  { url }: Pick<TestHouse, 'url'>,
  { host, route, headers = {}, body }: Visit & { host: string; route: string },
): Promise<Seen> {
  const [method = 'GET', path = '/'] = route.split(' ')
  const { hostname, port } = new URL(url)
  return new Promise((done, fail) => {
    const sent = request(
      { hostname, port, method, path, agent: false, headers: { ...headers, Host: host } },
      (response) => {
        const chunks: Buffer[] = []
        response.on('data', (chunk: Buffer) => chunks.push(chunk))
        response.on('error', fail)
        response.on('end', () => {
          const bytes = Buffer.concat(chunks)
          const { rawHeaders } = response
          const all = (name: string) =>
            rawHeaders.filter((_, at) => at % 2 === 1 && rawHeaders[at - 1]?.toLowerCase() === name)
          const names = rawHeaders.filter((_, at) => at % 2 === 0).map((one) => one.toLowerCase())
          done({
            status: response.statusCode ?? 0,
            headers: Object.fromEntries(names.map((name) => [name, all(name)[0]])),
            all,
            body: bytes,
            text: bytes.toString(),
          })
        })
      },
    )
    sent.on('error', fail)
    sent.end(body)
  })
}

/** Sends bytes as they are and gives all that comes back until the server ends the connection. */
export function exchange({ url }: Pick<TestHouse, 'url'>, bytes: string): Promise<string> {
  const { hostname, port } = new URL(url)
  return new Promise((done, fail) => {
    const socket = connect({ host: hostname, port: Number(port) })
    let said = ''
    socket.setEncoding('latin1')
    socket.on('data', (chunk: string) => (said += chunk))
    socket.on('error', fail)
    socket.on('close', () => done(said))
    socket.write(bytes, 'latin1')
  })
}
