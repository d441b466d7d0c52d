/** What a request of the count is made of: a place of its own, and a way to ask again and again. */
import assert from 'node:assert/strict'
import * as projects from '../../server/areas/projects/service.ts'
import type { Answer, CallOptions, TestRuntime } from '../fixtures/runtime.ts'
import type { Session } from '../fixtures/sessions.ts'

export interface Place {
  runtime: TestRuntime
  project_id: string
  key: string
  /** A request that prepares; it has to succeed. */
  made(route: string, body?: unknown, headers?: Record<string, string>): Promise<any>
  call(route: string, options?: CallOptions): Promise<Answer>
}

export interface Asked extends CallOptions {
  route: string
  /** Sends the request to the API of the portal; without it, the key of the place sends it. */
  session?: Session
}

/** The request of one turn. Whatever has to be there before it is made here, and is not counted. */
export type Ask = (turn: number) => Asked | Promise<Asked>

/**
 * Makes a place ready, with so many rows of what the operation reads or writes, and says what is
 * asked there.
 */
export interface Scenario {
  ready(place: Place, rows: number): Promise<Ask> | Ask
  /** Few and many, where the count must not depend on how many. */
  rows?: readonly [few: number, many: number]
}

/** A project of its own for each scenario, so that none depends on what another has done. */
export async function newPlace(runtime: TestRuntime): Promise<Place> {
  const { project_id } = await runtime.newProject()
  await projects.change(runtime.runtime.db, project_id, { phone_verified: true })
  const key = await runtime.newKey({ project_id })
  const call: Place['call'] = (route, options = {}) => runtime.call(route, { key, ...options })
  return {
    runtime,
    project_id,
    key,
    call,
    async made(route, body, headers = {}) {
      const answer = await call(route, { headers, ...(body === undefined ? {} : { body }) })
      assert.ok(answer.status < 300, `${route}: ${answer.text}`)
      return answer.body
    },
  }
}

export async function times(count: number, work: (n: number) => Promise<unknown>): Promise<void> {
  for (let n = 0; n < count; n += 1) await work(n)
}
