/** Rules for managing public tokens, shared by the API and the command line. */
import { isTest, type Caller } from '../../contract/caller.ts'
import { Problem } from '../../contract/errors.ts'
import { limits } from '../../contract/limits.ts'
import { requireModeOf } from '../../contract/problems/mode-mismatch.ts'
import { readPage, type PageQuery } from '../../contract/schema/pages.ts'
import { sha256 } from '../../kernel/secrets/crypto.ts'
import type { Transaction } from '../../kernel/database/database.ts'
import type { Runtime } from '../../kernel/runtime.ts'
import { newId } from '../../kernel/values/ids.ts'
import { euroFromMicro, microFromEuro } from '../../kernel/values/money.ts'
import { createTokenText, tokenStart } from '../../kernel/secrets/token-text.ts'
import * as projects from '../projects/service.ts'
import { normalizeAllowedOrigin } from './origin.ts'
import type {
  ChatToken,
  ChatTokenChange,
  ChatTokenInput,
  ChatTokenList,
  NewChatToken,
  Theme,
} from './schema.ts'
import { readUsedToday, type UsedToday } from './token-days.ts'
import { listChallenges } from '../../providers/challenge/challenge.ts'
import * as store from './store.ts'

export const TOKEN_PREFIX = 'hm_pub_'
const DEFAULT_NAME = 'Public token'

/** Returns the tokens newest first, including revoked ones. */
export async function list(caller: Caller, query: PageQuery): Promise<ChatTokenList> {
  const project_id = caller.project.id
  const sites = caller.access?.sites ?? null
  const { data, next_cursor } = await readPage(caller, {
    list: 'chat-tokens',
    query,
    read: (count, after) => store.listPage(caller.db, { project_id, count, after, sites }),
  })
  const used = await readUsedToday(caller.db, caller.runtime, {
    project_id,
    token_ids: data.map(({ id }) => id),
  })
  return { data: data.map((row) => present(row, used.get(row.id))), next_cursor }
}

export async function find(caller: Caller, id: string): Promise<ChatToken> {
  const { db, project, access } = caller
  const row = await store.find(db, { project_id: project.id, id })
  if (!row) throw unknownToken()
  const is_visible = !access || (row.site_id !== null && access.sites.includes(row.site_id))
  if (!is_visible) throw unknownToken()
  return showToken(caller, row)
}

async function showToken({ db, runtime }: Caller, row: store.TokenRow): Promise<ChatToken> {
  const { project_id, id } = row
  const used = await readUsedToday(db, runtime, { project_id, token_ids: [id] })
  return present(row, used.get(id))
}

export function create(caller: Caller, input: ChatTokenInput): Promise<NewChatToken> {
  const { name = DEFAULT_NAME, allowed_origins, ...settings } = input
  requireChallenge(caller, settings.challenge)
  return createToken(caller.runtime, {
    project_id: caller.project.id,
    name,
    allowed_origins: readOrigins(allowed_origins),
    test: isTest(caller),
    ...settings,
  })
}

export interface NewPublicToken {
  project_id: string
  name: string
  /** Origins in the form that `normalizeOrigin` returns. */
  allowed_origins: readonly string[]
  daily_conversation_limit?: number
  daily_spend_limit_eur?: number
  /** Default: the provider of the operator. */
  challenge?: ChatToken['challenge']
  theme?: Partial<Theme>
  test?: boolean
}

const defaultTheme: Theme = { color: null, position: 'right', greeting: null, language: null }

/** The result contains the token's text, which is not stored. */
export async function createToken(runtime: Runtime, input: NewPublicToken): Promise<NewChatToken> {
  const { allowed_origins, daily_spend_limit_eur, project_id, challenge, theme, ...others } = input
  const token = createTokenText(TOKEN_PREFIX)
  const row = await runtime.db.transact(async (tx) => {
    await requireRoom(tx, project_id)
    return store.insert(tx, {
      ...others,
      ...spending(daily_spend_limit_eur),
      challenge: challenge ?? runtime.config.challenge.provider,
      theme: JSON.stringify({ ...defaultTheme, ...theme }),
      project_id,
      id: newId(runtime.clock),
      hash: sha256(token),
      start: tokenStart(token),
      allowed_origins: [...allowed_origins],
      created_at: runtime.clock.now(),
    })
  })
  const { public_url } = runtime.config
  const chat_tag = `<script src="${public_url}/widget.js" data-chat-token="${token}" defer></script>`
  const form_address = `${public_url}/api/v1/public/collections/{name}/documents`
  return { ...present(row), token, chat_tag, form_address }
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
  caller: Caller,
  id: string,
  { allowed_origins, daily_spend_limit_eur, theme, ...others }: ChatTokenChange,
): Promise<ChatToken> {
  const { db, project } = caller
  requireChallenge(caller, others.challenge)
  const key = { project_id: project.id, id }
  const changes = {
    ...others,
    ...spending(daily_spend_limit_eur),
    ...(allowed_origins && { allowed_origins: readOrigins(allowed_origins) }),
  }
  await requireMode(caller, id)
  const row = await db.transact((tx) => store.change(tx, key, { changes, theme }))
  if (row) return showToken(caller, row)
  if (!(await store.find(db, key))) throw unknownToken()
  throw new Problem('chat_token_revoked', 'This public token was revoked.', { status: 409 })
}

/** Revokes a token. Does nothing if it is revoked already. */
export async function remove(caller: Caller, id: string): Promise<void> {
  const { runtime, db, project } = caller
  await requireMode(caller, id)
  const row = await db.transact((tx) =>
    store.revoke(tx, { project_id: project.id, id, now: runtime.clock.now() }),
  )
  if (!row) throw unknownToken()
}

/** The mode of a token never changes. */
async function requireMode(caller: Caller, id: string): Promise<void> {
  if (!isTest(caller)) return
  const row = await store.find(caller.db, { project_id: caller.project.id, id })
  if (row) requireModeOf(caller, { test: row.test, what: 'public token' })
}

function requireChallenge({ runtime }: Caller, challenge: string | undefined): void {
  const offered = listChallenges(runtime.config)
  if (challenge === undefined || offered.includes(challenge)) return
  const message = `must be one of ${offered.join(', ')}: no other is set up on this server`
  const errors = [{ path: '/challenge', message }]
  throw new Problem('validation_failed', `/challenge ${message}.`, { errors })
}

function spending(euro: number | undefined) {
  return euro === undefined ? {} : { daily_spend_limit_micro: microFromEuro(euro) }
}

/** Normalises and deduplicates origins. Throws one Problem that lists every invalid origin. */
function readOrigins(texts: readonly string[]): string[] {
  const origins = texts.map(normalizeAllowedOrigin)
  const errors = origins.flatMap((origin, index) =>
    origin === null ? [{ path: `/allowed_origins/${index}`, message: NOT_AN_ORIGIN }] : [],
  )
  const [first] = errors
  if (first) throw new Problem('validation_failed', `${first.path} ${first.message}.`, { errors })
  return [...new Set(origins.filter((origin) => origin !== null))]
}

const NOT_AN_ORIGIN =
  'must be an origin such as https://www.example.nl, without a path (http for localhost only), ' +
  'or *.example.nl for its subdomains'

function unknownToken(): Problem {
  return new Problem('not_found', 'This project has no public token with this id.')
}

export function present(row: store.TokenRow, used_today?: UsedToday): ChatToken {
  return {
    id: row.id,
    name: row.name,
    start: row.start,
    allowed_origins: row.allowed_origins,
    site_id: row.site_id,
    daily_conversation_limit: row.daily_conversation_limit,
    daily_spend_limit_eur: euroFromMicro(row.daily_spend_limit_micro),
    challenge: row.challenge,
    theme: row.theme,
    used_today: used_today ?? { conversations: 0, spent_eur: 0 },
    active: row.revoked_at === null,
    last_used_at: row.last_used_at?.toISOString() ?? null,
    created_at: row.created_at.toISOString(),
    revoked_at: row.revoked_at?.toISOString() ?? null,
    test: row.test,
  }
}
