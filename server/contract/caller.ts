/**
 * Who asks, settled before the body is read: the project, the key and what it may do. Every
 * service gets a Caller, and every lookup it makes names `caller.project.id`.
 */
import type { Selectable } from 'kysely'
import type { Runtime } from '../kernel/runtime.ts'
import type { Database, Transaction } from '../kernel/database/database.ts'
import type { Tables } from '../kernel/database/tables.ts'
import type { Scope } from './scopes.ts'

export type Mode = 'live' | 'test'
export type ProjectRow = Selectable<Tables['projects']>

/** The sites, apps and collections a limited key may use; null means the whole project. */
export interface Access {
  sites: string[]
  apps: string[]
  collections: string[]
  limited_by: 'api_key' | 'connection' | 'member'
}

/** Somebody who brought no key, at an operation that needs none. */
export interface Visitor {
  runtime: Runtime
  db: Database
  request_id: string
}

export interface Caller extends Visitor {
  project: ProjectRow
  /** The mode of the key. A test key never does anything real. */
  mode: Mode
  key_id: string
  scopes: ReadonlySet<Scope>
  access: Access | null
  /** A program that a person let in asks, which can ask that person for more. */
  is_connection?: true
  /** Only in operations with `idempotency_key: 'required'`: the caller's Idempotency-Key. */
  idempotency_key: string | null
  /**
   * Only in operations with `idempotency_key: 'required'`: keeps the reply with the caller's
   * Idempotency-Key, in the transaction that makes it true. `replayed` says that an earlier request
   * with the key made it true.
   */
  remember(tx: Transaction, reply: unknown, how?: { replayed: boolean }): Promise<void>
}

/** A capability of a project that goes live by itself. */
export type Rail = keyof ProjectRow['rails']

/** True for what a test key reads and writes where no rail is concerned, such as a simulated call. */
export function isTest(caller: Pick<Caller, 'mode'>): boolean {
  return caller.mode === 'test'
}

/**
 * Whether an effect on the outside may be real: the one place that decides it. It may when the key
 * is live, the project is not the test half of a pair, and the rail has gone live. Everything
 * else is simulated, and what it leaves is marked `test` (specification: Modes and test mode).
 */
export function mayBeReal(
  { mode, project }: Pick<Caller, 'mode' | 'project'>,
  rail: Rail,
): boolean {
  return mode === 'live' && project.shape !== 'test' && project.rails[rail] === 'live'
}
