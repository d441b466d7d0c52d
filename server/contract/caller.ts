/**
 * The authenticated caller: project, key and permissions. Every service gets a Caller, and every
 * query filters by `caller.project.id`.
 */
import type { Selectable } from 'kysely'
import type { Runtime } from '../kernel/runtime.ts'
import type { Database, Transaction } from '../kernel/database/database.ts'
import type { Tables } from '../kernel/database/tables.ts'
import type { Allowed } from './limited-to.ts'
import type { Scope } from './scopes.ts'

export type Mode = 'live' | 'test'
export type ProjectRow = Selectable<Tables['projects']>

/** What a limited caller may use; null means the whole project. */
export interface Access extends Allowed {
  limited_by: 'api_key' | 'connection' | 'member'
}

/** The caller of a public operation. */
export interface Visitor {
  runtime: Runtime
  db: Database
  request_id: string
}

export interface Caller extends Visitor {
  project: ProjectRow
  /** The mode of the key. A test key never has real effects. */
  mode: Mode
  key_id: string
  scopes: ReadonlySet<Scope>
  access: Access | null
  /** Set for an OAuth connection, which can request more scopes from its person. */
  is_connection?: true
  /** The entry point of the request, if it is not REST; `job` is the work of an agent. */
  entry_point?: 'mcp' | 'portal' | 'job'
  /** Set if the run of an agent makes the request; `key_id` is then the id of the run. */
  agent?: AgentOfCaller
  /** Set if the code of an app makes the request. */
  app_id?: string
  /** The Idempotency-Key; null without one, or if the operation takes none. */
  idempotency_key: string | null
  /**
   * Only if `idempotency_key` is not null: stores the reply with the
   * Idempotency-Key, in the transaction of the effect. `replayed` means that an earlier request
   * with the key had the effect.
   */
  remember(tx: Transaction, reply: unknown, how?: { replayed: boolean }): Promise<void>
}

export interface AgentOfCaller {
  id: string
  name: string
  /** Ids of the agents whose actions led to this run, the earliest first, and of this agent. */
  cause: readonly string[]
}

/** A capability of a project that goes live separately. */
export type Rail = keyof ProjectRow['rails']

/** Whether new data belongs to test mode. For data without a rail, for example a simulated call. */
export function isTest(caller: Pick<Caller, 'mode'>): boolean {
  return caller.mode === 'test'
}

/**
 * Whether an effect outside may be real: the key is live, the project is not the test project of a
 * pair, and the rail is live. Everything else is simulated and marked `test` (specification: Modes
 * and test mode). No other code decides this.
 */
export function mayBeReal(
  { mode, project }: Pick<Caller, 'mode' | 'project'>,
  rail: Rail,
): boolean {
  return mode === 'live' && project.shape !== 'test' && project.rails[rail] === 'live'
}
