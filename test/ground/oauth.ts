/**
 * A program that wants to be connected, as far as HTTP goes, and a person who lets it in. Each step
 * can be taken by itself, so that a test can leave one out, repeat it or bend it.
 */
import assert from 'node:assert/strict'
import { createHash, randomBytes } from 'node:crypto'
import type { TestHouse } from './house.ts'
import type { Visitor } from './portal.ts'

export interface Program {
  client_id: string
  client_secret?: string
  redirect_uri: string
}

export interface Tokens {
  access_token: string
  refresh_token: string
  token_type: string
  expires_in: number
  scope: string
}

export interface Reply {
  status: number
  headers: Headers
  body: any
}

export const CALLBACK = 'https://assistant.example/callback'

export async function register(ground: TestHouse, metadata: unknown): Promise<Reply> {
  return postTo(ground, '/oauth/register', {
    headers: { 'content-type': 'application/json' },
    body: typeof metadata === 'string' ? metadata : JSON.stringify(metadata),
  })
}

let programs = 0

/** A program of its own, which no other test has. */
export async function newProgram(ground: TestHouse, redirect_uri = CALLBACK): Promise<Program> {
  const { status, body } = await register(ground, {
    client_name: `Assistant ${(programs += 1)}`,
    redirect_uris: [redirect_uri],
    token_endpoint_auth_method: 'none',
  })
  assert.equal(status, 201, JSON.stringify(body))
  return { client_id: body.client_id, redirect_uri }
}

export interface Request {
  verifier: string
  query: Record<string, string>
}

export function newRequest({ client_id, redirect_uri }: Program): Request {
  const verifier = randomBytes(32).toString('base64url')
  const code_challenge = createHash('sha256').update(verifier).digest('base64url')
  const query = {
    response_type: 'code',
    client_id,
    redirect_uri,
    state: 'a state',
    code_challenge,
    code_challenge_method: 'S256',
  }
  return { verifier, query }
}

/** Sends the browser to us. Where it is led next is a page of the portal, or back. */
export function ask(visitor: Visitor, query: Record<string, string>) {
  return visitor.get(`/oauth/authorize?${new URLSearchParams(query)}`)
}

export interface Decision {
  project_id: string
  mode?: string
  scopes?: readonly string[]
  sites?: readonly string[]
  decision?: string
}

/** Fills in the page at a path, and follows to where the person is sent back. */
export async function decide(visitor: Visitor, path: string, decision: Decision) {
  const { project_id, mode = 'test', scopes = ['project:read'], sites = [] } = decision
  const form = { project: project_id, mode, scope: scopes, site: sites }
  const decided = await visitor.post(path, { ...form, decision: decision.decision ?? 'allow' })
  if (decided.status !== 303) return decided
  return visitor.get(pathOf(decided.to))
}

export function pathOf(address: string | null): string {
  const { pathname, search } = new URL(address ?? '', 'http://localhost')
  return pathname + search
}

/** The code at the end of all that. */
export async function codeFor(
  visitor: Visitor,
  { query }: Request,
  decision: Decision,
): Promise<string> {
  const asked = await ask(visitor, query)
  assert.match(asked.to ?? '', /^\/portal\/connect\//, asked.text)
  const back = await decide(visitor, asked.to ?? '', decision)
  const { searchParams } = new URL(back.to ?? 'about:blank')
  assert.equal(searchParams.get('state'), 'a state', back.text)
  return searchParams.get('code') ?? ''
}

export function redeem(
  ground: TestHouse,
  program: Program,
  { code, verifier, ...rest }: { code: string; verifier: string; [name: string]: string },
): Promise<Reply> {
  const { client_id, client_secret, redirect_uri } = program
  const secret = client_secret === undefined ? {} : { client_secret }
  const form = { client_id, redirect_uri, code, code_verifier: verifier, ...secret, ...rest }
  return token(ground, { grant_type: 'authorization_code', ...form })
}

export function renew(
  ground: TestHouse,
  { client_id }: Program,
  { refresh_token }: Pick<Tokens, 'refresh_token'>,
): Promise<Reply> {
  return token(ground, { grant_type: 'refresh_token', client_id, refresh_token })
}

export function token(ground: TestHouse, form: Record<string, string>): Promise<Reply> {
  return postTo(ground, '/oauth/token', { body: new URLSearchParams(form) })
}

export async function postTo(ground: TestHouse, path: string, init: RequestInit): Promise<Reply> {
  const response = await fetch(ground.url + path, { ...init, method: 'POST', redirect: 'manual' })
  const text = await response.text()
  const is_json = response.headers.get('content-type')?.includes('json') ?? false
  return {
    status: response.status,
    headers: response.headers,
    body: is_json && text !== '' ? JSON.parse(text) : text,
  }
}

/** A program that a person has let in, with what it holds. */
export async function connect(
  ground: TestHouse,
  visitor: Visitor,
  decision: Decision & { program?: Program },
): Promise<Tokens & { program: Program }> {
  const program = decision.program ?? (await newProgram(ground))
  const request = newRequest(program)
  const code = await codeFor(visitor, request, decision)
  const { status, body } = await redeem(ground, program, { code, verifier: request.verifier })
  assert.equal(status, 200, JSON.stringify(body))
  return { ...body, program }
}
