/**
 * Public tokens identify the project of a web page. A token is not a secret, because visitors can
 * read it. It works only on pages of its allowed origins, and only for operations that a collection
 * opens to visitors.
 */
import type { ProjectRow } from '../../contract/caller.ts'
import { Problem } from '../../contract/errors.ts'
import { notEnabled } from '../../contract/problems/not-enabled.ts'
import { sha256 } from '../../kernel/secrets/crypto.ts'
import type { Reader } from '../../kernel/database/database.ts'
import type { Runtime } from '../../kernel/runtime.ts'
import { isTokenText } from '../../kernel/secrets/token-text.ts'
import { listMatchingEntries } from './origin.ts'
import { createToken, present, TOKEN_PREFIX, type NewPublicToken } from './manage.ts'
import type { ChatToken } from './schema.ts'
import * as store from './store.ts'

export {
  correctSpending,
  countConversation,
  isSwitchedOff,
  requireConversationLeft,
  reserveSpending,
  type ReservedSpending,
} from './token-days.ts'
export { allowsOrigin, normalizeOrigin } from './origin.ts'
export {
  findTokens,
  isPublicToken,
  insertSiteToken,
  moveOrigin,
  revokeSiteTokens,
  deriveSiteToken,
  type KnownToken,
} from './site-tokens.ts'
export { TOKEN_NAME_CHARACTERS_MAX as NAME_CHARACTERS_MAX } from './schema.ts'

const DAY_MS = 86_400_000

export type Token = store.TokenRow

/** Finds a token by its id. Throws invalid_chat_token. */
export async function findToken(db: Reader, project_id: string, token_id: string): Promise<Token> {
  const row = await store.find(db, { project_id, id: token_id })
  if (!row) throw invalid('This public token is not known.')
  return row
}

export type TokenFacts = ChatToken & { project_id: string }

/** Creates a token. Only this result contains its text. */
export async function create(
  runtime: Runtime,
  input: NewPublicToken,
): Promise<TokenFacts & { token: string }> {
  const { project_id } = input
  return { ...(await createToken(runtime, input)), project_id }
}

export async function list(runtime: Runtime, project_id: string): Promise<TokenFacts[]> {
  const rows = await store.list(runtime.db, project_id)
  return rows.map((row) => ({ ...present(row), project_id }))
}

/** Revokes a token from the next request on. Returns undefined if the id is unknown. */
export async function revoke(runtime: Runtime, token_id: string): Promise<TokenFacts | undefined> {
  const project_id = await store.findProjectOfToken(runtime.db, token_id)
  if (project_id === undefined) return undefined
  const now = runtime.clock.now()
  const row = await runtime.db.transact((tx) => store.revoke(tx, { project_id, id: token_id, now }))
  return row && { ...present(row), project_id }
}

export interface TokenHolder {
  project: ProjectRow
  token_id: string
  /** The site whose pages may use the token at every address of the site; null for other tokens. */
  site_id: string | null
  allowed_origins: readonly string[]
}

/**
 * Authenticates a public token. Order of checks: missing or malformed, unknown or of a deleted
 * project, revoked, project not enabled.
 */
export async function authenticateToken(
  runtime: Runtime,
  text: string | undefined,
): Promise<TokenHolder> {
  if (text === undefined) throw invalid('The request has no public token.')
  if (!isTokenText(TOKEN_PREFIX, text)) throw invalid('This is not the text of a public token.')
  const found = await store.findByHash(runtime.db, sha256(text))
  if (!found || found.deleted_at) throw invalid('This public token is not known.')
  const { token_id, token_site_id, token_origins, token_revoked_at, token_used_at, ...project } =
    found
  if (token_revoked_at) {
    throw new Problem('chat_token_revoked', 'This public token was revoked.', { status: 401 })
  }
  if (!project.enabled) throw notEnabled(project)
  await noteUse(runtime, { project_id: project.id, token_id }, token_used_at)
  return { project, token_id, site_id: token_site_id, allowed_origins: token_origins }
}

/**
 * Updates `last_used_at` at most once a day, which is precise enough to show whether pages still
 * use the token.
 */
async function noteUse(
  runtime: Runtime,
  token: { project_id: string; token_id: string },
  used_at: Date | null,
): Promise<void> {
  const now = runtime.clock.now()
  if (used_at && now.getTime() - used_at.getTime() < DAY_MS) return
  await runtime.db.transact((tx) => store.setUsed(tx, { ...token, now }))
}

/** Whether any active token allows this origin. */
export function isOriginAllowed(runtime: Runtime, origin: string): Promise<boolean> {
  return store.anyTokenAllows(runtime.db, listMatchingEntries(origin))
}

function invalid(detail: string): Problem {
  return new Problem('invalid_chat_token', detail, { headers: { 'WWW-Authenticate': 'Bearer' } })
}
