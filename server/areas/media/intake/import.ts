/**
 * Imports a file from a URL into the library. Every request, redirects included, uses the guarded
 * fetch; all of them share one deadline. The request contains no keys and no cookies.
 */
import { isTest, type Caller } from '../../../contract/caller.ts'
import { Problem } from '../../../contract/errors.ts'
import { limits } from '../../../contract/limits.ts'
import { newId } from '../../../kernel/values/ids.ts'
import type { Runtime } from '../../../kernel/runtime.ts'
import { createSlots } from '../../../kernel/limits/slots.ts'
import { OutboundError, type OutboundResponse } from '../../../kernel/outbound/outbound.ts'
import * as files from '../../files/service.ts'
import type { ImportInput, Media } from '../schema.ts'
import { show } from '../service.ts'
import { addFile } from './take-in.ts'
import { formatSize } from '../../../kernel/values/size.ts'

/** Limits concurrent imports, because each holds a file in memory. */
const slots = createSlots({
  name: 'files are read from addresses',
  units: 6,
  units_each: 2,
  waiting_max: 40,
  waiting_each_max: 8,
  wait_ms_max: 10_000,
  retry_after_s: 5,
})
const redirects: readonly number[] = [301, 302, 303, 307, 308]

export function importFile(caller: Caller, wanted: ImportInput): Promise<Media> {
  return slots.run(caller.project.id, () => bringIn(caller, wanted))
}

async function bringIn(
  caller: Caller,
  { url, filename, ...metadata }: ImportInput,
): Promise<Media> {
  const { runtime, project } = caller
  const { response, from } = await follow(runtime, url)
  if (response.body.length === 0) throw unread('The address gave an empty file.')
  const file = await files.storeFile(runtime, project, response.body)
  const id = newId(runtime.clock)
  const name = filename ?? nameFrom(from)
  // The caller's database handle is used, so that the write joins the caller's transaction, if any.
  await addFile({ ...runtime, db: caller.db }, project, {
    id,
    file,
    filename: name,
    source: 'import',
    test: isTest(caller),
    metadata,
  })
  return show(caller, id)
}

interface Reply {
  response: OutboundResponse
  /** The URL after redirects. */
  from: URL
}

async function follow(runtime: Runtime, address: string): Promise<Reply> {
  const until_ms = performance.now() + limits.media_import_s_max * 1000
  let url = URL.parse(address)
  for (let hops = 0; hops <= limits.media_import_redirects_max; hops += 1) {
    if (!url) throw unread('It is not an address that can be read.')
    const response = await get(runtime, url, until_ms - performance.now())
    if (!redirects.includes(response.status)) return { response: checked(response), from: url }
    const { location } = response.headers
    url = location === undefined ? null : URL.parse(location, url)
  }
  throw unread(`The address leads on more than ${limits.media_import_redirects_max} times.`)
}

async function get(runtime: Runtime, url: URL, left_ms: number): Promise<OutboundResponse> {
  try {
    return await runtime.outbound.request({
      url: url.href,
      headers: { accept: '*/*', 'accept-encoding': 'identity', 'user-agent': 'Homeport' },
      deadline_ms: Math.max(1, Math.round(left_ms)),
      response_bytes_max: limits.media_import_bytes_max,
    })
  } catch (error) {
    if (!(error instanceof OutboundError)) throw error
    if (error.fault !== 'response_too_large') throw unread(error.message)
    const detail = `The file is larger than ${formatSize(limits.media_import_bytes_max)}.`
    throw new Problem('file_too_large', detail, {
      fields: { limit_bytes: limits.media_import_bytes_max },
    })
  }
}

function checked(response: OutboundResponse): OutboundResponse {
  if (response.status !== 200) throw unread(`The address answered with ${response.status}.`)
  const encoding = response.headers['content-encoding'] ?? 'identity'
  if (encoding !== 'identity') throw unread(`The address gave the file packed as ${encoding}.`)
  return response
}

function unread(message: string): Problem {
  const errors = [{ path: '/url', message: `cannot be read: ${message}` }]
  return new Problem('validation_failed', message, { errors })
}

const NAME_CHARACTERS_MAX = 200

function nameFrom({ pathname, hostname }: URL): string {
  const last = decoded(pathname.split('/').at(-1) ?? '')
  const name = last.replaceAll(/[\p{Cc}/\\\u202a-\u202e\u2066-\u2069]/gu, '').trim()
  return (name || hostname).slice(0, NAME_CHARACTERS_MAX)
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
