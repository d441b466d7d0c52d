/**
 * Starts an agent by a signed request to its own URL. The secret is derived from the master key and
 * the number of its version, so it is stored nowhere. A repeated request starts one run.
 */
import type { Caller } from '../../../contract/caller.ts'
import { Problem } from '../../../contract/errors.ts'
import { limits } from '../../../contract/limits.ts'
import { enqueue } from '../../../kernel/jobs/jobs.ts'
import type { Runtime } from '../../../kernel/runtime.ts'
import { sha256 } from '../../../kernel/secrets/crypto.ts'
import { isUuid, newId } from '../../../kernel/values/ids.ts'
import { verifySignature } from '../../webhooks/service.ts'
import { requireAgentMode } from '../agent-mode.ts'
import { requireScopes } from '../definition/rights.ts'
import type { AgentUrl, Definition } from '../schema.ts'
import { keyOf, unknownAgent } from '../present.ts'
import * as agents from '../store.ts'
import { advanceRunJob } from './jobs.ts'
import * as store from './store.ts'
import { countQueued } from './usage-store.ts'

/** Outlives a rotation of the master key, because other programs store the secret. */
const PURPOSE = 'agent-url'

type Secret = Pick<agents.AgentRow, 'project_id' | 'id' | 'url_version'>

function deriveSecret({ seal }: Runtime, { project_id, id, url_version }: Secret): string {
  return `whsec_${seal.mac(`${project_id}\n${id}\n${url_version}`, PURPOSE).toString('base64')}`
}

/** Returns the URL and the secret. The caller has the scopes of the agent, as for a manual start. */
export async function readUrl(caller: Caller, id: string, rotate: boolean): Promise<AgentUrl> {
  const { runtime, db } = caller
  const row = await db.transact(async (tx) => {
    const locked = await agents.lock(tx, keyOf(caller, id))
    if (!locked) throw unknownAgent()
    requireAgentMode(caller, locked)
    requireScopes(caller, JSON.parse(locked.definition))
    if (!rotate) return locked
    return agents.update(tx, locked, { url_version: locked.url_version + 1 })
  })
  const { project_id } = row!
  const url = `${runtime.config.public_url}/hooks/agents/${project_id}/${id}`
  return { url, secret: deriveSecret(runtime, row!) }
}

export interface SignedRequest {
  project_id: string
  id: string
  body: Uint8Array
  /** The header Service-Signature. */
  signature: string
}

/** Returns the id of the run; the earlier one if the same request came before. */
export async function startBySignedRequest(
  runtime: Runtime,
  { project_id, id, body, signature }: SignedRequest,
): Promise<string> {
  const key = { project_id, id }
  const found = isUuid(project_id) && isUuid(id) ? await agents.find(runtime.db, key) : undefined
  const now_s = Math.floor(runtime.clock.now_ms() / 1000)
  const secrets = found ? [deriveSecret(runtime, found)] : []
  if (!verifySignature({ header: signature, raw_body: body, secrets, now_s })) throw unsigned()
  const input = readBody(body)
  const request_hash = hashSigned(signature, body)
  return runtime.db.transact(async (tx) => {
    const agent = await agents.lock(tx, key)
    const { trigger }: Partial<Definition> = JSON.parse(agent?.definition ?? '{}')
    if (agent?.status !== 'active' || trigger?.type !== 'webhook') throw switchedOff()
    const known = await store.findByRequest(tx, { project_id, agent_id: id, request_hash })
    if (known) return known.id
    if ((await countQueued(tx, { project_id, agent_id: id })) >= limits.agent_queued_runs_max)
      throw new Problem('conflict', 'Too many runs of this agent wait to start.')
    const run = await store.insertRun(tx, {
      project_id,
      id: newId(runtime.clock),
      agent_id: id,
      status: 'queued',
      trigger_type: 'webhook',
      request_hash,
      origins: [],
      context: JSON.stringify({ input }),
      created_at: runtime.clock.now(),
    })
    const payload = { project_id, id: run.id }
    await enqueue(tx, runtime, advanceRunJob, { project_id, payload, dedupe_key: run.id })
    return run.id
  })
}

/** Of what is signed, time and body: the header can be varied without the secret. It has one time. */
function hashSigned(signature: string, body: Uint8Array): string {
  const [, t = ''] = /(?:^|,)t=(\d+)/.exec(signature) ?? []
  return sha256(Buffer.concat([Buffer.from(`${t}.`), body])).toString('hex')
}

function readBody(body: Uint8Array): object {
  try {
    const value: unknown = JSON.parse(Buffer.from(body).toString())
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value
  } catch {
    throw noObject()
  }
  throw noObject()
}

function noObject(): Problem {
  return new Problem('bad_request', 'The body is not a JSON object.')
}

/** The same for an unknown agent, so that nobody can find out which agents exist. */
function unsigned(): Problem {
  return new Problem('forbidden', 'The signature of this request is missing, wrong or too old.')
}

function switchedOff(): Problem {
  return new Problem('conflict', 'This agent is not active, or a URL does not start it.')
}
