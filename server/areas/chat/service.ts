/**
 * Public tokens: what a web page shows to say which project it belongs to. A token is no secret,
 * because everybody can read it in the page; what protects the project is that it works only from
 * pages of its allowed origins, and only for what a collection opens to visitors.
 */
import type { ProjectRow } from '../../contract/caller.ts'
import { Problem } from '../../contract/errors.ts'
import { sha256 } from '../../kernel/crypto.ts'
import type { House } from '../../kernel/house.ts'
import { newId } from '../../kernel/ids.ts'
import { isTokenText, newTokenText, startOf } from '../../kernel/token-text.ts'
import * as store from './store.ts'

export { originOf } from './origin.ts'

const PREFIX = 'hm_pub_'
const DAY_MS = 86_400_000

export interface NewToken {
  project_id: string
  name: string
  /** Already in the form that `originOf` gives. */
  allowed_origins: readonly string[]
}

export type TokenFacts = ReturnType<typeof present>

/** A new token. Its text is in this answer and nowhere else. */
export async function create(
  house: House,
  { project_id, name, allowed_origins }: NewToken,
): Promise<TokenFacts & { token: string }> {
  const token = newTokenText(PREFIX)
  const row = await house.db.transact((tx) =>
    store.insert(tx, {
      project_id,
      id: newId(house.clock),
      hash: sha256(token),
      start: startOf(token),
      name,
      allowed_origins: [...allowed_origins],
      created_at: house.clock.now(),
    }),
  )
  return { ...present(row), token }
}

export async function list(house: House, project_id: string): Promise<TokenFacts[]> {
  return (await store.list(house.db, project_id)).map(present)
}

/** Revokes a token from the next request on. Undefined when there is no such token. */
export function revoke(house: House, token_id: string): Promise<TokenFacts | undefined> {
  return house.db.transact(async (tx) => {
    const row = await store.revoke(tx, token_id, house.clock.now())
    return row && present(row)
  })
}

function present(row: store.TokenRow) {
  return {
    id: row.id,
    project_id: row.project_id,
    start: row.start,
    name: row.name,
    allowed_origins: row.allowed_origins,
    created_at: row.created_at.toISOString(),
    revoked_at: row.revoked_at?.toISOString() ?? null,
    last_used_at: row.last_used_at?.toISOString() ?? null,
  }
}

export interface TokenHolder {
  project: ProjectRow
  token_id: string
  allowed_origins: readonly string[]
}

/**
 * Recognises a public token. In order: no token or not shaped like one, unknown, of a project that
 * was deleted (which is as good as unknown), revoked, of a project that is not enabled.
 */
export async function recognise(house: House, text: string | undefined): Promise<TokenHolder> {
  if (text === undefined) throw invalid('The request has no public token.')
  if (!isTokenText(PREFIX, text)) throw invalid('This is not the text of a public token.')
  const found = await store.findByHash(house.db, sha256(text))
  if (!found || found.deleted_at) throw invalid('This public token is not known.')
  const { token_id, token_origins, token_revoked_at, token_used_at, ...project } = found
  if (token_revoked_at) {
    throw new Problem('chat_token_revoked', 'This public token was revoked.', { status: 401 })
  }
  if (!project.enabled)
    throw new Problem('project_not_enabled', 'This project is not enabled for the API.')
  await noteUse(house, { project_id: project.id, token_id }, token_used_at)
  return { project, token_id, allowed_origins: token_origins }
}

/** Once a day is enough to see whether a token is still in a page. */
async function noteUse(
  house: House,
  token: { project_id: string; token_id: string },
  used_at: Date | null,
): Promise<void> {
  const now = house.clock.now()
  if (used_at && now.getTime() - used_at.getTime() < DAY_MS) return
  await house.db.transact((tx) => store.setUsed(tx, { ...token, now }))
}

/** Whether a page of this origin may ask at all: some token that works allows it. */
export function isAllowedSomewhere(house: House, origin: string): Promise<boolean> {
  return store.someAllows(house.db, origin)
}

function invalid(detail: string): Problem {
  return new Problem('invalid_chat_token', detail, { headers: { 'WWW-Authenticate': 'Bearer' } })
}
