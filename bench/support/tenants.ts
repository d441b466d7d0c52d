/**
 * Fills an installation with projects that each have their own API keys, access token, collection
 * and documents. One project is filled through the API; SQL copies it to the others.
 */
import type pg from 'pg'
import { newAccessTokenText } from '../../server/areas/connections/token-formats.ts'
import { scopeNames } from '../../server/contract/scopes.ts'
import { sha256 } from '../../server/kernel/secrets/crypto.ts'
import { postJson } from '../targets/peer.ts'
import { sample } from '../targets/target.ts'
import { addKeysOf, bearers } from './keys.ts'

const DOCUMENTS_EACH = 40
/** All projects together have at least this many API keys, so that no key reaches its rate limit. */
const KEYS_MIN = 12_000

export interface Tenant {
  /** Authorization headers with its API keys and its access token. */
  headers: readonly { authorization: string }[]
  document_ids: readonly string[]
}

/** Settings of the collection `documents`. */
export const settings = {
  indexes: ['n'],
  schema: {
    type: 'object',
    required: ['name', 'n', 'email', 'text'],
    properties: {
      name: { type: 'string', maxLength: 200 },
      n: { type: 'integer', minimum: 0 },
      email: { type: 'string', format: 'email' },
      text: { type: 'string', maxLength: 2000 },
    },
    additionalProperties: false,
  },
}

interface Filling {
  client: pg.Client
  /** URL of the running server, including the path of the API. */
  base_url: string
  /** The project that the first start of the server created. */
  demo_id: string
  projects: number
}

export async function addTenants({
  client,
  base_url,
  demo_id,
  projects,
}: Filling): Promise<Tenant[]> {
  await client.query('set synchronous_commit = off')
  const { rows } = await client.query(
    `insert into projects (id, name, shape, plan, rails, created_at)
     select uuidv7(), 'bench', 'single', 'enterprise', rails, now()
     from projects, generate_series(1, $2) where id = $1 returning id`,
    [demo_id, projects],
  )
  const [template = '', ...copies] = rows.map(({ id }) => String(id))
  const ids = [template, ...copies]
  const keys = await addKeysEach(client, ids)
  await fillTemplate(base_url, keys[0]?.[0] ?? '')
  await copyDocuments(client, template, copies)
  const tokens = await addTokens(client, ids)
  const { rows: owned } = await client.query(
    `select array_agg(id) as document_ids from documents where project_id = any($1)
     group by project_id order by array_position($1, project_id)`,
    [ids],
  )
  await client.query('vacuum (analyze)')
  return ids.map((_, at) => ({
    headers: bearers([...keys[at]!, tokens[at]!]),
    document_ids: owned[at].document_ids,
  }))
}

async function addKeysEach(client: pg.Client, ids: readonly string[]): Promise<string[][]> {
  const each = Math.ceil(KEYS_MIN / ids.length)
  const keys = await addKeysOf(
    client,
    ids.flatMap((id) => Array.from({ length: each }, () => id)),
  )
  return ids.map((_, at) => keys.slice(at * each, (at + 1) * each))
}

async function fillTemplate(base_url: string, key: string): Promise<void> {
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
  await postJson(`${base_url}/collections`, headers, { name: 'documents', ...settings })
  const operations = Array.from({ length: DOCUMENTS_EACH }, (_, n) => ({
    op: 'create',
    data: sample(n),
  }))
  await postJson(`${base_url}/collections/documents/documents/batch`, headers, { operations })
}

/** The id of a copy is computed from the ids of project and original, so its keys need no lookup. */
async function copyDocuments(
  client: pg.Client,
  template: string,
  copies: readonly string[],
): Promise<void> {
  const idOf = (id: string) => `md5(p.id::text || ${id}::text)::uuid`
  const changes: Record<string, Record<string, string>> = {
    collections: { id: idOf('t.id') },
    documents: { collection_id: idOf('t.collection_id'), id: idOf('t.id') },
    document_keys: {
      collection_id: idOf('t.collection_id'),
      document_id: idOf('t.document_id'),
    },
    data_usage: {},
  }
  for (const [table, changed] of Object.entries(changes)) {
    const { rows } = await client.query(
      `select attname as name from pg_attribute
       where attrelid = $1::regclass and attnum > 0 and not attisdropped`,
      [table],
    )
    const names = rows.map(({ name }) => String(name))
    const values = names.map((name) =>
      name === 'project_id' ? 'p.id' : (changed[name] ?? `t.${name}`),
    )
    await client.query(
      `insert into ${table} (${names.join(', ')}) select ${values.join(', ')}
       from ${table} as t, unnest($2::uuid[]) as p (id) where t.project_id = $1`,
      [template, copies],
    )
  }
}

/** Adds a connection with one access token to each project. */
async function addTokens(client: pg.Client, ids: readonly string[]): Promise<string[]> {
  const { rows } = await client.query(
    `insert into people (id, realm, email, created_at)
     values (uuidv7(), 'portal', 'bench@example.com', now()) returning id`,
  )
  await client.query(
    `insert into members (project_id, person_id, role, created_at)
     select id, $2, 'owner', now() from unnest($1::uuid[]) as p (id)`,
    [ids, rows[0].id],
  )
  await client.query(
    `insert into connections (project_id, id, person_id, client_id, client_name, redirect_host,
       mode, scopes, created_at, used_at, expires_at)
     select id, id, $2, 'bench', 'bench', 'example.com', 'test', $3, now(), now(),
       now() + interval '1 day' from unnest($1::uuid[]) as p (id)`,
    [ids, rows[0].id, scopeNames],
  )
  const tokens = ids.map(newAccessTokenText)
  await client.query(
    `insert into access_tokens (hash, project_id, connection_id, scopes, created_at, expires_at)
     select hash, id, id, $3, now(), now() + interval '1 day'
     from unnest($1::uuid[], $2::bytea[]) as t (id, hash)`,
    [ids, tokens.map(sha256), scopeNames],
  )
  return tokens
}
