/** A scenario of the statement counts: a project of its own, and repeatable requests. */
import assert from 'node:assert/strict'
import * as projects from '../../server/areas/projects/service.ts'
import type { Answer, CallOptions, TestRuntime } from '../fixtures/runtime.ts'
import type { Session } from '../fixtures/portal/sessions.ts'

export interface Place {
  runtime: TestRuntime
  project_id: string
  key: string
  /** Sends a preparing request, which must succeed. */
  made(route: string, body?: unknown, headers?: Record<string, string>): Promise<any>
  call(route: string, options?: CallOptions): Promise<Answer>
}

export interface Asked extends CallOptions {
  route: string
  /** The session for the portal's API; without it, the key of the project sends the request. */
  session?: Session
}

/** The request of one turn. Creates the records that it needs, uncounted. */
export type Ask = (turn: number) => Asked | Promise<Asked>

/**
 * Prepares a project with this many rows that the operation reads or writes, and returns the
 * request.
 */
export interface Scenario {
  ready(place: Place, rows: number): Promise<Ask> | Ask
  /** A small and a large number of rows, if the count must not depend on it. */
  rows?: readonly [few: number, many: number]
}

/** Creates a project for one scenario, so that scenarios do not depend on each other. */
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
