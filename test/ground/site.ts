/**
 * A web page for the tests of the public routes: its origin, its visitor's address and its token,
 * and forms as browsers send them.
 */
import * as chat from '../../server/areas/chat/service.ts'
import type { Answer, TestHouse } from './house.ts'

export const ORIGIN = 'https://www.example.nl'

export interface Send {
  body?: unknown
  /** Fields of a form, urlencoded. */
  fields?: readonly (readonly [name: string, value: string])[]
  /** Sent as multipart/form-data. */
  form?: FormData
  raw?: string
  type?: string
  origin?: string | null
  token?: string | null
  address?: string
  accept?: string
  headers?: Record<string, string>
}

export interface Site {
  token: string
  token_id: string
  /** `send('POST /public/collections/a/documents', { body })`, from a page on the origin. */
  send(route: string, options?: Send): Promise<Answer>
}

/** What a browser says it accepts when a person sends a form. */
export const BROWSER = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8'

let visitors = 0

/** Another visitor each time, so that limits of one test are not those of the next. */
export function newAddress(): string {
  visitors += 1
  return `198.51.${visitors >> 8}.${visitors & 255}`
}

export async function openSite(
  { house, url, project_id }: TestHouse,
  options: { allowed_origins?: string[]; project_id?: string } = {},
): Promise<Site> {
  const { token, id } = await chat.create(house, {
    project_id: options.project_id ?? project_id,
    name: 'A site',
    allowed_origins: options.allowed_origins ?? [ORIGIN],
  })
  return {
    token,
    token_id: id,
    send: (route, sent = {}) => send(url, route, { token, address: newAddress(), ...sent }),
  }
}

async function send(url: string, route: string, sent: Send): Promise<Answer> {
  const [method = 'GET', path = ''] = route.split(' ')
  const { origin = ORIGIN, token, address, accept, headers } = sent
  const response = await fetch(`${url}/api/v1${path}`, {
    method,
    redirect: 'manual',
    headers: {
      ...(token ? { authorization: `Bearer ${token}` } : {}),
      ...(origin === null ? {} : { origin }),
      ...(address ? { 'x-forwarded-for': address } : {}),
      ...(accept ? { accept } : {}),
      ...typeOf(sent),
      ...headers,
    },
    ...bodyOf(sent),
  })
  const text = await response.text()
  const json = response.headers.get('content-type')?.includes('json') && text !== ''
  const body = json ? JSON.parse(text) : null
  return { status: response.status, headers: response.headers, text, body }
}

function typeOf({ type, body, fields }: Send): Record<string, string> {
  if (type) return { 'content-type': type }
  if (fields) return { 'content-type': 'application/x-www-form-urlencoded' }
  return body === undefined ? {} : { 'content-type': 'application/json' }
}

function bodyOf({ raw, body, fields, form }: Send): { body?: string | FormData } {
  if (raw !== undefined) return { body: raw }
  if (form) return { body: form }
  if (fields) return { body: new URLSearchParams(fields.map(([a, b]) => [a, b])).toString() }
  return body === undefined ? {} : { body: JSON.stringify(body) }
}

export function slugOf({ body }: Answer): string {
  return String(body?.type).split('/').at(-1) ?? ''
}
