/**
 * Sends the reads that begin in one task as one request, because a browser opens six connections at
 * once. Each read is answered as soon as the server has its answer.
 */
import { translateMessage } from '../language/server-texts/translate.ts'
import { currentLanguage } from '../language/texts.ts'

const URL_BASE = '/portal/api/v1'
/** Reads in one request; the server refuses more. */
const READS_MAX = 30
const BODILESS = new Set([204, 304])

interface Read {
  request: Request
  answer: PromiseWithResolvers<Response>
}

let waiting: Read[] = []

const UNREACHABLE = 'The server cannot be reached. Check your connection, then try again.'

/** The connection was lost, in words of ours instead of the browser's, such as "Failed to fetch". */
export class Unreachable extends Error {
  constructor(cause: unknown) {
    super(translateMessage(UNREACHABLE, currentLanguage()), { cause })
  }
}

/** A request that is aborted keeps its error, which is no TypeError. */
function explain(error: unknown): unknown {
  return error instanceof TypeError ? new Unreachable(error) : error
}

/** Like fetch. A lost connection is `Unreachable`. */
export function reach(...request: Parameters<typeof fetch>): Promise<Response> {
  return fetch(...request).catch((error: unknown) => {
    throw explain(error)
  })
}

/** A `fetch` for the API. A read that begins alone, and all that is no read, is sent as it is. */
export function fetchTogether(request: Request): Promise<Response> {
  if (request.method !== 'GET') return reach(request)
  const answer = Promise.withResolvers<Response>()
  const { signal } = request
  signal.addEventListener('abort', () => answer.reject(signal.reason))
  if (waiting.push({ request, answer }) === 1) setTimeout(sendWaiting)
  return answer.promise
}

function sendWaiting(): void {
  const reads = waiting.filter(({ request }) => !request.signal.aborted)
  waiting = []
  for (let at = 0; at < reads.length; at += READS_MAX) void send(reads.slice(at, at + READS_MAX))
}

async function send(reads: readonly Read[]): Promise<void> {
  if (reads.length === 1) return sendAlone(reads)
  try {
    const response = await reach(`${URL_BASE}/batch`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify(reads.map(({ request }) => describe(request))),
    })
    // Each learns for itself why it is refused.
    if (!response.ok || response.body === null) return sendAlone(reads)
    for await (const line of linesIn(response.body)) {
      const { index, status, body } = JSON.parse(line)
      const headers = { 'Content-Type': 'application/json' }
      const answer = new Response(BODILESS.has(status) ? null : body, { status, headers })
      reads[index]?.answer.resolve(answer)
    }
    throw new TypeError('The connection was lost.')
  } catch (error) {
    // Those that have an answer keep it.
    for (const { answer } of reads) answer.reject(explain(error))
  }
}

function sendAlone(reads: readonly Read[]): void {
  for (const { request, answer } of reads) reach(request).then(answer.resolve, answer.reject)
}

function describe({ url, headers }: Request) {
  const { pathname, search } = new URL(url)
  const mode = headers.get('Homeport-Mode')
  return { path: pathname.slice(URL_BASE.length) + search, ...(mode !== null && { mode }) }
}

async function* linesIn(body: ReadableStream<BufferSource>): AsyncGenerator<string> {
  let text = ''
  for await (const part of body.pipeThrough(new TextDecoderStream())) {
    const lines = (text + part).split('\n')
    text = lines.pop() ?? ''
    yield* lines
  }
}
