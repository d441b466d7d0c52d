/**
 * The environment of a task: a real server with a database, a project of its own and the key of the
 * agent. Setup and checks also have another key, the clock and receivers of webhooks.
 */
import { createServer } from 'node:http'
import { once } from 'node:events'
import * as projects from '../server/areas/projects/service.ts'
import { scopeNames, type Scope } from '../server/contract/scopes.ts'
import { openTestRuntime, type TestRuntime } from '../test/fixtures/runtime.ts'
import { openSite, type SiteFixture } from '../test/fixtures/sites/site.ts'
import { visit, type SiteReply } from '../test/fixtures/sites/site-visitor.ts'
import { createRandomFacts, type RandomFacts } from './luck.ts'

/** The body of an API reply, untyped because checks read single fields. */
export type ReplyValue = Awaited<ReturnType<TestRuntime['call']>>['body']

export interface World {
  runtime: TestRuntime
  luck: RandomFacts
  /** The agent's key: a test key with every scope by default. */
  agent_key: string
  /** Sends a request with a key that the agent does not have. Throws unless it succeeds. */
  ask(route: string, body?: unknown, headers?: Record<string, string>): Promise<ReplyValue>
  /** Requests a page of a hosted site, as a visitor. */
  visit(host: string, route?: string): Promise<SiteReply>
  /** Opens a page on another origin with a public token. */
  openPage(origin?: string): Promise<SiteFixture>
  /** Starts an HTTP server that records its requests. */
  openReceiver(answer?: (received: ReceivedRequest) => Answered): Promise<WebhookReceiver>
}

export interface ReceivedRequest {
  path: string
  headers: Record<string, string>
  body: string
}

interface Answered {
  status: number
  text?: string | Uint8Array
  type?: string
}

export interface WebhookReceiver {
  /** Its origin. */
  url: string
  received: ReceivedRequest[]
}

/** Registers cleanup for the end of the task, or of the test file if the server is shared. */
export type AtEnd = (close: () => Promise<void>) => void

export interface WorldOptions {
  seed: number
  /** The scopes of the agent's key; all by default. */
  scopes?: readonly Scope[]
  /** A live key, for operations that cost money. */
  mode?: 'test' | 'live'
  /** A server to share with other tasks, each with its own project; a new server by default. */
  server?: TestRuntime | undefined
}

export async function openWorld(
  { seed, scopes = scopeNames, mode = 'test', server }: WorldOptions,
  atEnd: AtEnd,
): Promise<World> {
  const runtime = server ? await inNewProject(server) : await openTestRuntime({ atEnd })
  const { project_id } = runtime
  await projects.change(runtime.runtime.db, project_id, { phone_verified: true })
  const own_key = await runtime.newKey()
  return {
    runtime,
    luck: createRandomFacts(seed),
    agent_key: await runtime.newKey({ scopes, mode }),
    async ask(route, body, headers = {}) {
      const answer = await runtime.call(route, { key: own_key, body, headers })
      if (answer.status >= 300) throw new Error(`${route} answered ${answer.text}`)
      return answer.body
    },
    visit: (host, route = 'GET /') => visit(runtime, { host, route }),
    openPage: (origin) =>
      openSite(runtime, origin === undefined ? {} : { allowed_origins: [origin] }),
    openReceiver: (answer = () => ({ status: 204 })) => openReceiver(answer, atEnd),
  }
}

/** The same server with the key, calls and visitors of another project. */
async function inNewProject(server: TestRuntime): Promise<TestRuntime> {
  const { project_id } = await server.newProject()
  const newKey: TestRuntime['newKey'] = (options) => server.newKey({ project_id, ...options })
  const key = await newKey()
  return {
    ...server,
    project_id,
    key,
    newKey,
    call: (route, options = {}) => server.call(route, { key, ...options }),
    look: (route, of = project_id) => server.look(route, of),
  }
}

async function openReceiver(
  answer: (received: ReceivedRequest) => Answered,
  atEnd: AtEnd,
): Promise<WebhookReceiver> {
  const received: ReceivedRequest[] = []
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    const headers = Object.entries(request.headers).map(([name, value]) => [name, String(value)])
    const one = {
      path: request.url ?? '',
      headers: Object.fromEntries(headers),
      body: Buffer.concat(chunks).toString(),
    }
    received.push(one)
    const { status, text = '', type = 'text/plain; charset=utf-8' } = answer(one)
    response.writeHead(status, { 'content-type': type }).end(text)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  atEnd(async () => {
    server.closeAllConnections()
    server.close()
  })
  const address = server.address()
  const port = typeof address === 'object' && address ? address.port : 0
  return { url: `http://127.0.0.1:${port}`, received }
}
