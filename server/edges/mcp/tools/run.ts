/**
 * Runs an operation with the arguments of a tool as REST runs it: the same validators, Idempotency-Key,
 * If-Match and refusals. The arguments are first arranged as path, query, headers and body.
 */
import { Readable } from 'node:stream'
import { runOperation } from '../../../areas/activity/service.ts'
import type { Caller } from '../../../contract/caller.ts'
import { withEventCause } from '../../../contract/event-cause.ts'
import { Problem } from '../../../contract/errors.ts'
import { limits } from '../../../contract/limits.ts'
import type { AnyInput, Loss, Operation } from '../../../contract/operation.ts'
import type { MemberCaller } from '../../../contract/people.ts'
import { mediaOf, type StreamInput } from '../../../contract/operations/streams.ts'
import type { Attempt } from '../../../kernel/idempotency/idempotency.ts'
import { createPause } from '../../../kernel/limits/slices.ts'
import { INEXACT_NUMBER } from '../../../kernel/values/exact-number.ts'
import { serialize } from '../../../kernel/database/driver/verbatim.ts'
import {
  findAttempt,
  findStoredReply,
  runOnce,
  runsOnce,
  type Claimant,
  type OnceRequest,
} from '../../http/idempotency.ts'
import {
  createInvalidBodyProblem,
  parseLargeBody,
  createTooLargeProblem,
  type RequestParts,
} from '../../http/request.ts'
import { API_ROOT } from '../../http/routes.ts'
import type { InputFault } from '../../http/validate.ts'
import { asText, isRecord } from './record.ts'
import type { JsonRecord } from '../../../contract/manifest/state-section.ts'
import type { OperationTool, ArgumentPlace } from './tool.ts'
import { formatSize } from '../../../kernel/values/size.ts'

/** An operation with validated arguments. */
export interface PreparedCall {
  operation: Operation
  /**
   * Returns the reply as JSON text, empty without a reply. `keep` receives the reply of an operation
   * with an Idempotency-Key within the transaction of its effect.
   */
  run(caller: Caller, keep?: OnceRequest['keep']): Promise<string>
  /**
   * Returns the stored reply for a repeated Idempotency-Key, as JSON text; null for a first
   * attempt.
   */
  findKept(caller: Caller): Promise<string | null>
  /** What became of the last attempt with the same Idempotency-Key; null without one. */
  findAttempt(caller: Claimant): Promise<Attempt>
  /**
   * Returns what the operation would delete now, which a person has to approve; null if nothing.
   */
  findLoss(caller: Caller): Promise<Loss | null>
  /** Returns the name of the target; null if there is none or it does not exist. */
  findSubject(caller: Caller): Promise<string | null>
  /** Runs the operation without storing the reply, for a transaction that is rolled back. */
  dryRun(caller: Caller): Promise<void>
}

/** Validates the arguments. Throws a Problem with every fault. */
export function prepareCall(tool: OperationTool, given: unknown): PreparedCall {
  const parts = sortOut(tool, given)
  return prepareParts(tool, parts, requestOf(tool, parts))
}

/** Like prepareCall, in time slices, because large arguments would block other requests. */
export async function prepareInSlices(tool: OperationTool, given: unknown): Promise<PreparedCall> {
  const pause = createPause()
  const parts = sortOut(tool, given)
  await pause()
  const request = requestOf(tool, parts)
  await pause()
  return prepareParts(tool, parts, await parseLargeBody(request, tool.operation))
}

function prepareParts(tool: OperationTool, parts: Parts, request: RequestParts): PreparedCall {
  const { operation } = tool
  const input = withText(tool, tool.readInput(request), parts)
  const key = request.headers['idempotency-key']
  const address = addressOf(tool, parts)
  return {
    operation,
    async run(asker, keep) {
      const caller = { ...asker, entry_point: asker.entry_point ?? ('mcp' as const) }
      if (!runsOnce(operation, key)) return textOf(await runRecorded(operation, input, caller))
      const done = await runOnce({
        operation,
        address,
        key,
        readInput: () => input,
        run: (given, as) => runRecorded(operation, given, as),
        caller,
        ...(keep && { keep }),
      })
      return 'value' in done ? textOf(done.value) : done.kept.reply
    },
    async findAttempt(caller) {
      if (!runsOnce(operation, key)) return null
      return findAttempt({ operation, address, key, readInput: () => input, caller })
    },
    async findKept(caller) {
      if (!runsOnce(operation, key)) return null
      return findStoredReply({ operation, address, key, readInput: () => input, caller })
    },
    findLoss: async (caller) => (await operation.consent?.loses?.(input, caller)) ?? null,
    findSubject: async (caller) => (await operation.consent?.subject?.(input, caller)) ?? null,
    async dryRun(caller) {
      const idempotency_key = runsOnce(operation, key) ? String(key) : null
      await runKeyed(operation, input, { ...caller, idempotency_key, remember: async () => {} })
    },
  }
}

function runRecorded(operation: Operation, input: AnyInput, caller: Caller): Promise<unknown> {
  const run = (as: Caller) => runKeyed(operation, input, as)
  const recorded = () => runOperation({ operation, input, asker: caller, run })
  return caller.agent ? withEventCause(caller.agent.cause, recorded) : recorded()
}

/** The input of an operation that takes a body, with the body that the argument is. */
function withText({ operation }: OperationTool, input: AnyInput, { text_body }: Parts): AnyInput {
  const as_text = mediaOf(operation)?.takes?.as_text
  if (!as_text) return input
  const { argument, media_type, bytes_max, larger } = as_text
  const text = text_body[argument]
  const path = `/${argument}`
  if (typeof text !== 'string') throw createInvalidBodyProblem([{ path, message: 'must be text' }])
  const bytes = Buffer.from(text)
  if (bytes.length > bytes_max) {
    const message = `has ${bytes.length} bytes, and may have ${bytes_max}: send it in parts, or ${larger}`
    throw createInvalidBodyProblem([{ path, message }])
  }
  const takeBody = () => ({ media_type, bytes: Readable.from([bytes]) })
  return Object.assign(input, { takeBody })
}

function hasBody(input: AnyInput): input is AnyInput & Pick<StreamInput, 'takeBody'> {
  return 'takeBody' in input
}

/**
 * Runs an operation that takes and gives JSON, or a small body as text. Other streams and guests have no tools that run, and
 * operations for people run only for a person, with the portal assistant.
 */
async function runKeyed(operation: Operation, input: AnyInput, caller: Caller): Promise<unknown> {
  if (operation.kind === 'people' && isMember(caller)) return operation.run(input, caller)
  if (operation.kind === 'keyed' || operation.kind === 'public') return operation.run(input, caller)
  if (operation.kind === 'stream' && hasBody(input)) {
    const flow = { signal: new AbortController().signal, last_event_id: null }
    return operation.run({ ...input, ...flow, recheck: async () => caller }, caller)
  }
  throw new Error(`${operation.name} is ${operation.kind} and cannot be run as a tool.`)
}

function isMember(caller: Caller): caller is MemberCaller {
  return 'person' in caller && 'session_id' in caller
}

function textOf(value: unknown): string {
  return value === undefined ? '' : serialize(value)
}

/** The message for an unknown argument. */
export function describeUnknownArgument(known: readonly string[]): string {
  const named = known.length === 0 ? 'which takes none' : `which takes ${known.join(', ')}`
  return `is not an argument of this tool, ${named}`
}

type Parts = Record<ArgumentPlace, JsonRecord>

/**
 * Groups the arguments by their place in a request. Throws a Problem with all missing and unknown
 * ones.
 */
function sortOut({ places, required }: OperationTool, given: unknown): Parts {
  if (given !== undefined && !isRecord(given)) {
    throw createInvalidBodyProblem([{ path: '', message: 'must be an object' }])
  }
  const asked = withoutNulls(places, given ?? {})
  const parts: Parts = {
    params: {},
    query: {},
    body: {},
    whole_body: {},
    text_body: {},
    if_match: {},
    idempotency_key: {},
  }
  const faults: InputFault[] = []
  for (const [name, value] of Object.entries(asked)) {
    const place = places.get(name)
    if (JSON.isRawJSON(value)) faults.push({ path: `/${name}`, message: INEXACT_NUMBER })
    else if (place) parts[place][name] = value
    else faults.push({ path: `/${name}`, message: unknownAmong(faults, places) })
  }
  for (const name of required) {
    // Without a fault so far, the validator of the body reports its missing fields with its other faults.
    if (!(name in asked) && (places.get(name) !== 'body' || faults.length > 0))
      faults.push({ path: `/${name}`, message: 'is required' })
  }
  if (faults.length > 0) throw createInvalidBodyProblem(faults)
  return parts
}

/** The first unknown argument says which there are. */
function unknownAmong(faults: readonly InputFault[], places: OperationTool['places']): string {
  return faults.length === 0
    ? describeUnknownArgument([...places.keys()])
    : 'is not an argument of this tool'
}

/**
 * Some models put the fields of a request into `body`, as a program does. Not if a name stands at both
 * places, because a person could be asked about the other one.
 */
export function unwrapBody<Given>({ places }: OperationTool, given: Given): Given | JsonRecord {
  if (!isRecord(given) || places.has('body')) return given
  const { body, ...others } = given
  if (!isRecord(body) || Object.keys(body).some((name) => Object.hasOwn(others, name))) return given
  return { ...body, ...others }
}

/** Places of arguments whose null means that they are absent; a body may have null in it. */
const optionalPlaces: readonly unknown[] = ['query', 'if_match', 'idempotency_key']

/** Removes null arguments, which clients send for absent ones. */
function withoutNulls(places: OperationTool['places'], asked: JsonRecord): JsonRecord {
  const given = Object.entries(asked).filter(
    ([name, value]) => value !== null || !optionalPlaces.includes(places.get(name)),
  )
  return Object.fromEntries(given)
}

function requestOf({ operation }: OperationTool, parts: Parts): RequestParts {
  const [version] = Object.values(parts.if_match)
  const [key] = Object.values(parts.idempotency_key)
  return {
    params: mapValues(parts.params, asText),
    query: parts.query,
    headers: {
      'content-type': 'application/json',
      ...(version !== undefined && { 'if-match': `"${asText(version)}"` }),
      ...(key !== undefined && { 'idempotency-key': asText(key) }),
    },
    body: operation.body ? bodyOf(operation, parts) : undefined,
  }
}

function bodyOf(operation: OperationTool['operation'], parts: Parts): Buffer {
  const [whole] = Object.values(parts.whole_body)
  const bytes = Buffer.from(JSON.stringify(whole ?? parts.body))
  const bytes_max = operation.body_rules?.bytes_max ?? limits.json_body_bytes_max
  if (bytes.length > bytes_max) {
    const detail = `What is sent is larger than ${formatSize(bytes_max)}.`
    throw createTooLargeProblem(operation) ?? new Problem('bad_request', detail)
  }
  return bytes
}

/**
 * Returns the path and query of the equivalent REST request, so that both share their
 * Idempotency-Keys.
 */
function addressOf({ operation }: OperationTool, { params, query }: Parts): string {
  const path = operation.path.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(asText(params[name])),
  )
  const search = new URLSearchParams(mapValues(query, asText)).toString()
  return API_ROOT + path + (search === '' ? '' : `?${search}`)
}

function mapValues<To>(record: JsonRecord, to: (value: unknown) => To): Record<string, To> {
  return Object.fromEntries(Object.entries(record).map(([name, value]) => [name, to(value)]))
}
