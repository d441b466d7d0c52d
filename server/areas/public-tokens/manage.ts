/** Rules for managing public tokens, shared by the API and the command line. */
import { isTest, type Caller } from '../../contract/caller.ts'
import { Problem } from '../../contract/errors.ts'
import { limits } from '../../contract/limits.ts'
import { readPage, type PageQuery } from '../../contract/schema/pages.ts'
import { sha256 } from '../../kernel/secrets/crypto.ts'
import type { Transaction } from '../../kernel/database/database.ts'
import type { Runtime } from '../../kernel/runtime.ts'
import { newId } from '../../kernel/values/ids.ts'
import { euroFromMicro, microFromEuro } from '../../kernel/values/money.ts'
import { createTokenText, tokenStart } from '../../kernel/secrets/token-text.ts'
import * as projects from '../projects/service.ts'
import { normalizeOrigin } from './origin/origin.ts'
import type {
  ChatToken,
  ChatTokenChange,
  ChatTokenInput,
  ChatTokenList,
  NewChatToken,
} from './schema.ts'
import * as store from './store.ts'

export const TOKEN_PREFIX = 'hm_pub_'
const DEFAULT_NAME = 'Public token'

/** Returns the tokens newest first, including revoked ones. */
export async function list(caller: Caller, query: PageQuery): Promise<ChatTokenList> {
  const project_id = caller.project.id
  const { data, next_cursor } = await readPage(caller, {
    list: 'chat-tokens',
    query,
    read: (count, after) => store.listPage(caller.db, { project_id, count, after }),
  })
  return { data: data.map(present), next_cursor }
}

export async function find({ db, project }: Caller, id: string): Promise<ChatToken> {
  const row = await store.find(db, { project_id: project.id, id })
  if (!row) throw unknownToken()
  return present(row)
}

export function create(caller: Caller, input: ChatTokenInput): Promise<NewChatToken> {
  const { name = DEFAULT_NAME, allowed_origins, ...daily } = input
  return createToken(caller.runtime, {
    project_id: caller.project.id,
    name,
    allowed_origins: readOrigins(allowed_origins),
    test: isTest(caller),
    ...daily,
  })
}

export interface NewPublicToken {
  project_id: string
  name: string
  /** Origins in the form that `normalizeOrigin` returns. */
  allowed_origins: readonly string[]
  daily_conversation_limit?: number
  daily_spend_limit_eur?: number
  test?: boolean
}

/** The result contains the token's text, which is not stored. */
export async function createToken(runtime: Runtime, input: NewPublicToken): Promise<NewChatToken> {
  const { allowed_origins, daily_spend_limit_eur, project_id, ...others } = input
  const token = createTokenText(TOKEN_PREFIX)
  const row = await runtime.db.transact(async (tx) => {
    await requireRoom(tx, project_id)
    return store.insert(tx, {
      ...others,
      ...spending(daily_spend_limit_eur),
      project_id,
      id: newId(runtime.clock),
      hash: sha256(token),
      start: tokenStart(token),
      allowed_origins: [...allowed_origins],
      created_at: runtime.clock.now(),
    })
  })
  const form_address = `${runtime.config.public_url}/api/v1/public/collections/{name}/documents`
  return { ...present(row), token, form_address }
}

/** Locks the project, so that concurrent requests cannot exceed the maximum. */
async function requireRoom(tx: Transaction, project_id: string): Promise<void> {
  await projects.lock(tx, project_id)
  const count = await store.countActive(tx, project_id)
  if (count < limits.public_tokens_max) return
  throw new Problem('conflict', `The project has ${count} public tokens, which is the maximum.`, {
    user_message: 'This project already has as many public tokens as it may have.',
    next_step:
      'List the public tokens, ask the user which one no page uses any more, revoke it, and try again.',
  })
}

export async function change(
  { db, project }: Caller,
  id: string,
  { allowed_origins, daily_spend_limit_eur, ...others }: ChatTokenChange,
): Promise<ChatToken> {
  const key = { project_id: project.id, id }
  const changes = {
    ...others,
    ...spending(daily_spend_limit_eur),
    ...(allowed_origins && { allowed_origins: readOrigins(allowed_origins) }),
  }
  const row = await db.transact((tx) => store.change(tx, key, changes))
  if (row) return present(row)
  if (!(await store.find(db, key))) throw unknownToken()
  throw new Problem('chat_token_revoked', 'This public token was revoked.', { status: 409 })
}

/** Revokes a token. Does nothing if it is revoked already. */
export async function remove({ runtime, db, project }: Caller, id: string): Promise<void> {
  const row = await db.transact((tx) =>
    store.revoke(tx, { project_id: project.id, id, now: runtime.clock.now() }),
  )
  if (!row) throw unknownToken()
}

function spending(euro: number | undefined) {
  return euro === undefined ? {} : { daily_spend_limit_micro: microFromEuro(euro) }
}

/** Normalises and deduplicates origins. Throws one Problem that lists every invalid origin. */
function readOrigins(texts: readonly string[]): string[] {
  const origins = texts.map(normalizeOrigin)
  const errors = origins.flatMap((origin, index) =>
    origin === null ? [{ path: `/allowed_origins/${index}`, message: NOT_AN_ORIGIN }] : [],
  )
  const [first] = errors
  if (first) throw new Problem('validation_failed', `${first.path} ${first.message}.`, { errors })
  return [...new Set(origins.filter((origin) => origin !== null))]
}

const NOT_AN_ORIGIN =
  'must be an origin such as https://www.example.nl, without a path (http for localhost only)'

function unknownToken(): Problem {
  return new Problem('not_found', 'This project has no public token with this id.')
}

export function present(row: store.TokenRow): ChatToken {
  return {
    id: row.id,
    name: row.name,
    start: row.start,
    allowed_origins: row.allowed_origins,
    site_id: row.site_id,
    daily_conversation_limit: row.daily_conversation_limit,
    daily_spend_limit_eur: euroFromMicro(row.daily_spend_limit_micro),
    active: row.revoked_at === null,
    last_used_at: row.last_used_at?.toISOString() ?? null,
    created_at: row.created_at.toISOString(),
    revoked_at: row.revoked_at?.toISOString() ?? null,
    test: row.test,
  }
}
