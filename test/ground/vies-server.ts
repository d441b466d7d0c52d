/**
 * A VIES on loopback that answers what the test tells it to and keeps what it was asked, for the
 * replies that no simulator gives: late ones, broken ones, and those that change.
 */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { after } from 'node:test'

/** `verdict`: a whole reply of VIES; `raw`: this text; `hang`: none for now; `drop`: it hangs up. */
export type ViesScript =
  | { verdict: boolean; with?: Record<string, unknown> }
  | { raw: string; status?: number }
  | 'hang'
  | 'drop'

export interface ViesServer {
  /** What HOMEPORT_VAT_URL is set to. */
  url: string
  /** The numbers it was asked about, with their prefixes. */
  asked: string[]
  /** What it answers from now on. */
  answers(script: ViesScript): void
  /** Comes true when the server is asked next. */
  nextQuestion(): Promise<void>
  /** Ends every `hang` without an answer. */
  hangUp(): void
}

/** Starts a server that ends with the test file, or with the suite it is called in. */
export async function openViesServer(): Promise<ViesServer> {
  const asked: string[] = []
  let script: ViesScript = { verdict: true }
  let heard = Promise.withResolvers<void>()
  const held = new Set<ServerResponse>()
  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const question = await readQuestion(request)
    asked.push(question.countryCode + question.vatNumber)
    if (script === 'hang') held.add(response)
    else respond(response, question, script)
    heard.resolve()
    heard = Promise.withResolvers()
  }
  // A connection that is kept must not be closed under a question of a slow test.
  const server = createServer({ keepAliveTimeout: 60_000 }, (request, response) => {
    serve(request, response).catch((error: unknown) => {
      response.writeHead(500).end(String(error))
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  after(() => {
    server.closeAllConnections()
    server.close()
  })
  const address = server.address()
  assert(typeof address === 'object' && address !== null)
  return {
    url: `http://127.0.0.1:${address.port}/rest-api`,
    asked,
    answers: (next) => void (script = next),
    nextQuestion: () => heard.promise,
    hangUp() {
      for (const response of held) response.destroy()
      held.clear()
    },
  }
}

interface Question {
  countryCode: string
  vatNumber: string
}

/** The request as the interface takes it; what does not fit throws. */
async function readQuestion(request: IncomingMessage): Promise<Question> {
  let text = ''
  for await (const chunk of request) text += String(chunk)
  assert.equal(`${request.method} ${request.url}`, 'POST /rest-api/check-vat-number')
  assert.match(request.headers['content-type'] ?? '', /^application\/json/)
  const body = JSON.parse(text)
  assert.deepEqual(Object.keys(body), ['countryCode', 'vatNumber'])
  assert.match(body.countryCode, /^[A-Z]{2}$/)
  assert.match(body.vatNumber, /^[A-Z0-9+*]+$/)
  return body
}

function respond(
  response: ServerResponse,
  question: Question,
  script: Exclude<ViesScript, 'hang'>,
): void {
  if (script === 'drop') return void response.socket?.destroy()
  const headers = { 'content-type': 'application/json' }
  if ('raw' in script) {
    return void response.writeHead(script.status ?? 200, headers).end(script.raw)
  }
  const reply = {
    ...question,
    requestDate: '2026-11-23T09:30:00.000Z',
    valid: script.verdict,
    requestIdentifier: '',
    name: '---',
    address: '---',
    ...script.with,
  }
  response.writeHead(200, headers).end(JSON.stringify(reply))
}
