/** Sessions of MCP by hand: what no client would do with one, and a person who takes their time. */
import assert from 'node:assert/strict'
import * as keys from '../../server/areas/keys/service.ts'
import * as keyStore from '../../server/areas/keys/store.ts'
import type { Scope } from '../../server/contract/scopes.ts'
import type { TestHouse } from './house.ts'
import { callMessage, post, type AnswerOfPerson } from './mcp.ts'

export const list = { jsonrpc: '2.0', id: 2, method: 'tools/list', params: {} }

export function initialize(capabilities: object = { elicitation: {} }) {
  const clientInfo = { name: 'by-hand', version: '1' }
  const params = { protocolVersion: '2025-11-25', capabilities, clientInfo }
  return { jsonrpc: '2.0', id: 1, method: 'initialize', params }
}

export function deletion(name: string) {
  const given = { operation: 'collections.delete', arguments: { name } }
  return { name: 'run_write_operation', arguments: given }
}

export function problemOf(result: any): any {
  assert.equal(result.isError, true, JSON.stringify(result))
  return JSON.parse(result.content[0].text)
}

/** A person who is asked, and answers when told to. */
export function thinkingPerson() {
  const asked = Promise.withResolvers<string>()
  const answered = Promise.withResolvers<AnswerOfPerson>()
  const answer = (message: string) => {
    asked.resolve(message)
    return answered.promise
  }
  return { answer, asked: asked.promise, says: answered.resolve }
}

export async function revoke({ house }: TestHouse, key: string): Promise<void> {
  const { key_id } = await keys.recognise(house, `Bearer ${key}`)
  await keys.revoke(house, key_id)
}

/** Leaves a key these scopes alone. */
export async function narrow(
  { house }: TestHouse,
  key: string,
  scopes: readonly Scope[],
): Promise<void> {
  const { key_id, project } = await keys.recognise(house, `Bearer ${key}`)
  await house.db.transact((tx) =>
    keyStore.change(tx, { project_id: project.id, id: key_id, scopes: [...scopes] }),
  )
}

export interface SessionByHand {
  id: string
  key: string
  /** The status of a list in it. */
  list(): Promise<number>
  /** Sends one message in it. */
  send(message: object): ReturnType<typeof post>
  openStream(): Promise<Response>
  /** Deletes a collection, and reads the reply as far as the question. */
  askToDelete(name: string, id?: number): Promise<OpenQuestion>
}

export interface OpenQuestion {
  /** As which the question was sent. */
  id: string | number
  says(action: string): ReturnType<typeof post>
  /** Breaks the connection. */
  leave(): Promise<void>
  /** What comes after the question. */
  rest(): Promise<string>
}

/** A session of this key; its id is empty where there is none. */
export async function beginSession(
  ground: TestHouse,
  given: string | null = null,
): Promise<SessionByHand> {
  const key = given ?? (await ground.newKey())
  const begun = await post(ground, initialize(), { key })
  assert.equal(begun.status, 200, begun.text)
  const id = begun.headers.get('mcp-session-id') ?? ''
  const headers = { authorization: `Bearer ${key}`, 'mcp-session-id': id }
  const send = (message: object) => post(ground, message, { key, headers })
  return {
    id,
    key,
    list: async () => (await send(list)).status,
    send,
    openStream: () =>
      fetch(`${ground.url}/mcp`, { headers: { ...headers, accept: 'text/event-stream' } }),
    async askToDelete(name, call_id = 7) {
      const { arguments: called } = deletion(name)
      const message = { ...callMessage('run_write_operation', called), id: call_id }
      const gone = new AbortController()
      const response = await fetch(`${ground.url}/mcp`, {
        method: 'POST',
        signal: gone.signal,
        headers: {
          ...headers,
          accept: 'application/json, text/event-stream',
          'content-type': 'application/json',
        },
        body: JSON.stringify(message),
      })
      return readQuestion(response, gone, send)
    },
  }
}

async function readQuestion(
  response: Response,
  gone: AbortController,
  send: SessionByHand['send'],
): Promise<OpenQuestion> {
  const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader()
  let text = ''
  while (!text.includes('elicitation/create')) text += (await reader.read()).value ?? assert.fail()
  const { id } = JSON.parse(/^data: (.*)$/m.exec(text)?.[1] ?? '')
  return {
    id,
    says: (action) => send({ jsonrpc: '2.0', id, result: { action, content: { yes: true } } }),
    async leave() {
      gone.abort()
      await reader.closed.catch(() => {})
    },
    async rest() {
      let rest = ''
      for (let part = await reader.read(); !part.done; part = await reader.read())
        rest += part.value
      return rest
    },
  }
}
