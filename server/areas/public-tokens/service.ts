/**
 * Public tokens: what a web page shows to say which project it belongs to. A token is no secret,
 * because everybody can read it in the page; what protects the project is that it works only from
 * pages of its allowed origins, and only for what a collection opens to visitors.
 */
import type { ProjectRow } from '../../contract/caller.ts'
import { Problem } from '../../contract/errors.ts'
import { sha256 } from '../../kernel/secrets/crypto.ts'
import type { Runtime } from '../../kernel/runtime.ts'
import { isTokenText } from '../../kernel/secrets/token-text.ts'
import { createToken, present, TOKEN_PREFIX, type NewToken } from './manage.ts'
import type { ChatToken } from './schema.ts'
import * as store from './store.ts'

export { originOf } from './origin.ts'
export {
  findTokens,
  isPublicToken,
  keepSiteToken,
  moveOrigin,
  revokeSiteTokens,
  siteToken,
  type KnownToken,
} from './site-tokens.ts'
export { TOKEN_NAME_CHARACTERS_MAX as NAME_CHARACTERS_MAX } from './schema.ts'

const DAY_MS = 86_400_000

export type TokenFacts = ChatToken & { project_id: string }

/** A new token. Its text is in this answer and nowhere else. */
export async function create(
  runtime: Runtime,
  input: NewToken,
): Promise<TokenFacts & { token: string }> {
  const { project_id } = input
  return { ...(await createToken(runtime, input)), project_id }
}

export async function list(runtime: Runtime, project_id: string): Promise<TokenFacts[]> {
  const rows = await store.list(runtime.db, project_id)
  return rows.map((row) => ({ ...present(row), project_id }))
}

/** Revokes a token from the next request on. Undefined when there is no such token. */
export async function revoke(runtime: Runtime, token_id: string): Promise<TokenFacts | undefined> {
  const project_id = await store.projectOf(runtime.db, token_id)
  if (project_id === undefined) return undefined
  const now = runtime.clock.now()
  const row = await runtime.db.transact((tx) => store.revoke(tx, { project_id, id: token_id, now }))
  return row && { ...present(row), project_id }
}

export interface TokenHolder {
  project: ProjectRow
  token_id: string
  /** The site whose pages may use the token at every address of the site. */
  site_id: string | null
  allowed_origins: readonly string[]
}

/**
 * Recognises a public token. In order: no token or not shaped like one, unknown, of a project that
 * was deleted (which is as good as unknown), revoked, of a project that is not enabled.
 */
export async function recognise(runtime: Runtime, text: string | undefined): Promise<TokenHolder> {
  if (text === undefined) throw invalid('The request has no public token.')
  if (!isTokenText(TOKEN_PREFIX, text)) throw invalid('This is not the text of a public token.')
  const found = await store.findByHash(runtime.db, sha256(text))
  if (!found || found.deleted_at) throw invalid('This public token is not known.')
  const { token_id, token_site_id, token_origins, token_revoked_at, token_used_at, ...project } =
    found
  if (token_revoked_at) {
    throw new Problem('chat_token_revoked', 'This public token was revoked.', { status: 401 })
  }
  if (!project.enabled)
    throw new Problem('project_not_enabled', 'This project is not enabled for the API.')
  await noteUse(runtime, { project_id: project.id, token_id }, token_used_at)
  return { project, token_id, site_id: token_site_id, allowed_origins: token_origins }
}

/** Once a day is enough to see whether a token is still in a page. */
async function noteUse(
  runtime: Runtime,
  token: { project_id: string; token_id: string },
  used_at: Date | null,
): Promise<void> {
  const now = runtime.clock.now()
  if (used_at && now.getTime() - used_at.getTime() < DAY_MS) return
  await runtime.db.transact((tx) => store.setUsed(tx, { ...token, now }))
}

/** Whether a page of this origin may ask at all: some token that works allows it. */
export function isAllowedSomewhere(runtime: Runtime, origin: string): Promise<boolean> {
  return store.someAllows(runtime.db, origin)
}

function invalid(detail: string): Problem {
  return new Problem('invalid_chat_token', detail, { headers: { 'WWW-Authenticate': 'Bearer' } })
}
