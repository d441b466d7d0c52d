/**
 * The public token of a site: embedded in the forms of its pages and valid at every address of the
 * site. Its text is derived from the master key, so each deploy can embed it although the database
 * holds only its hash.
 */
import { sha256 } from '../../kernel/secrets/crypto.ts'
import type { Reader, Transaction } from '../../kernel/database/database.ts'
import type { Runtime } from '../../kernel/runtime.ts'
import { newId } from '../../kernel/values/ids.ts'
import { deriveTokenText, isTokenText, tokenStart } from '../../kernel/secrets/token-text.ts'
import { TOKEN_PREFIX } from './manage.ts'
import * as store from './store.ts'

const PURPOSE = 'site-public-token'

interface SiteOfToken {
  project_id: string
  site_id: string
}

export function isPublicToken(text: string): boolean {
  return isTokenText(TOKEN_PREFIX, text)
}

/** Returns the token that a deploy of the site embeds now. It changes after each revocation. */
export async function deriveSiteToken(
  { db, seal }: Runtime,
  { project_id, site_id }: SiteOfToken,
): Promise<string> {
  const revoked = await store.countRevokedOfSite(db, { project_id, site_id })
  return deriveTokenText(TOKEN_PREFIX, seal.mac(`${project_id}\n${site_id}\n${revoked}`, PURPOSE))
}

interface SiteToken extends SiteOfToken {
  token: string
  name: string
  origin: string
  /** Whether the pages have a chat. Otherwise the daily limits of the chat are 0. */
  has_chat: boolean
  test: boolean
}

/**
 * Anyone can read the token of a form in its page. It must not start chats that the owner pays, so
 * the chat is switched off until the owner raises these limits.
 */
const chatOff = { daily_conversation_limit: 0, daily_spend_limit_micro: 0n }

/** Inserts the token. Does nothing if it exists, revoked or not. */
export async function insertSiteToken(
  tx: Transaction,
  { clock }: Runtime,
  { token, origin, has_chat, ...row }: SiteToken,
): Promise<void> {
  await store.insertIfMissing(tx, {
    ...row,
    ...(has_chat ? {} : chatOff),
    id: newId(clock),
    hash: sha256(token),
    start: tokenStart(token),
    allowed_origins: [origin],
    created_at: clock.now(),
  })
}

/** Replaces the origin `from` by `to` in all tokens of the project. */
export function moveOrigin(
  tx: Transaction,
  project_id: string,
  origins: { from: string; to: string },
): Promise<void> {
  return store.replaceOrigin(tx, { project_id, ...origins })
}

/** Revokes the tokens of a deleted site. */
export function revokeSiteTokens(
  tx: Transaction,
  { clock }: Runtime,
  site: SiteOfToken,
): Promise<void> {
  return store.revokeOfSite(tx, { ...site, now: clock.now() })
}

export interface KnownToken {
  site_id: string | null
  allowed_origins: readonly string[]
  is_revoked: boolean
}

/** Finds those of the token texts that belong to the project. */
export async function findTokens(
  db: Reader,
  project_id: string,
  tokens: readonly string[],
): Promise<Map<string, KnownToken>> {
  const textOf = new Map(tokens.map((token) => [sha256(token).toString('hex'), token]))
  const rows = await store.findByHashes(db, project_id, [...textOf.keys()])
  return new Map(
    rows.map(({ hash, site_id, allowed_origins, revoked_at }) => [
      textOf.get(hash.toString('hex')) ?? '',
      { site_id, allowed_origins, is_revoked: revoked_at !== null },
    ]),
  )
}
