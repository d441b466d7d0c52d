/**
 * Form submissions from websites, with spam protection. Fields that begin with `hp_` control the
 * submission and are never stored.
 */
import assert from 'node:assert/strict'
import { LRUCache } from 'lru-cache'
import type {
  GuestCaller,
  SubmittedForm,
  SubmittedFile,
} from '../../../contract/operations/guests.ts'
import type { ProjectRow } from '../../../contract/caller.ts'
import { Problem } from '../../../contract/errors.ts'
import { limits } from '../../../contract/limits.ts'
import { plans } from '../../../contract/plans.ts'
import { newChallenge, readSolution, spend, type Solved } from '../../../kernel/challenge.ts'
import { holdsUnderAnyKey, sameText, type MacKey } from '../../../kernel/secrets/crypto.ts'
import type { Transaction } from '../../../kernel/database/database.ts'
import type { Runtime } from '../../../kernel/runtime.ts'
import {
  findSingleReply,
  runSingle,
  type SingleRun,
} from '../../../kernel/idempotency/single-run.ts'
import { newId } from '../../../kernel/values/ids.ts'
import { escapePointerPart } from '../../../kernel/values/json.ts'
import * as media from '../../media/service.ts'
import {
  findPublicCollection,
  invalid,
  unknownCollection,
  type CompiledCollection,
} from '../collections/collections.ts'
import { findTimezone } from '../collections/time-zone.ts'
import { scopeOf, sumFormBytes } from '../documents/document-store.ts'
import { createDocument, problemOf, type WriteResult } from '../documents/documents.ts'
import { dataFromFields, acceptsFiles } from './form-fields.ts'
import { checkDocument } from '../documents/document-check.ts'
import type { Challenge, Form, Receipt } from './form-schema.ts'
import type { JsonObject } from '../schema.ts'
import { writeChanges } from '../documents/write/write.ts'

/** Finds a collection with public_write. Throws 404 or collection_not_public. */
async function findWritable(
  { runtime, project }: GuestCaller,
  name: string,
): Promise<CompiledCollection> {
  const collection = await findPublicCollection(runtime, project.id, name)
  if (!collection) throw unknownCollection()
  if (collection.row.public_write) return collection
  throw new Problem('collection_not_public', 'Websites may not write to this collection.')
}

/** Returns the title, the schema and the spam protection settings of a form. */
export async function show(guest: GuestCaller, name: string): Promise<Form> {
  const { row } = await findWritable(guest, name)
  return {
    title: row.title,
    schema: JSON.parse(row.schema),
    challenge: row.form.challenge,
    started: writeStart(guest.runtime, row.id),
  }
}

export async function challenge(guest: GuestCaller, name: string): Promise<Challenge> {
  const { row } = await findWritable(guest, name)
  return newChallenge(guest.runtime, purposeOf(row), {
    steps_max: limits.form_challenge_steps_max,
    lifetime_s: limits.form_challenge_lifetime_s,
  })
}

/**
 * Stores a submission. The proof of work is spent only after validation, so a visitor can correct
 * and resend without solving a new challenge.
 */
export async function submit(guest: GuestCaller, name: string): Promise<Receipt> {
  const collection = await findWritable(guest, name)
  const files: media.FormFile[] = []
  try {
    return await submitWith(guest, collection, files)
  } catch (error) {
    if (error instanceof media.VisitorsPartFull && error.is_lasting) {
      // The visitor's answer must not depend on it.
      await tellOwners(guest, error.what).catch((err: unknown) =>
        guest.runtime.log.warn({ err }, 'owners were not told that visitors can send nothing more'),
      )
    }
    throw error
  } finally {
    await media.endFormFiles(guest.runtime, guest.project.id, files)
  }
}

type Full = { project: ProjectRow; what: 'files' | 'documents' }
/** Enqueues mails to the owners of the project. */
export type FullNotice = (tx: Transaction, runtime: Runtime, full: Full) => Promise<void>

let enqueueFullMails: FullNotice = async () => {}

/** `assemble.ts` hands in how owners are told that visitors can send nothing more. */
export function setFullNotice(given: FullNotice): void {
  enqueueFullMails = given
}

const TOLD_MS = 86_400_000

/** Tells the owners at most once a day. */
async function tellOwners({ runtime, project }: GuestCaller, what: Full['what']): Promise<void> {
  const once = {
    project_id: project.id,
    key: `visitors_part_full ${what}`,
    lifetime_ms: TOLD_MS,
  }
  if ((await findSingleReply(runtime, once)) !== null) return
  await runSingle(runtime, once, async (tx) => {
    await enqueueFullMails(tx, runtime, { project, what })
    return ''
  })
}

/** Adds the files that arrive to `files`. */
async function submitWith(
  guest: GuestCaller,
  collection: CompiledCollection,
  files: media.FormFile[],
): Promise<Receipt> {
  const { runtime } = guest
  const sent = await guest.takeForm(async (file) => {
    const kept = await keepFile(guest, collection, file)
    files.push(kept)
    return kept.id
  })
  const { data, controls } = await splitSubmission(guest, sent, collection)
  checkFillTime(runtime, collection, controls.hp_started)
  const once = singleRunOf(guest, collection, { data, files, submission: controls.hp_submission })
  const earlier = once && (await findSingleReply(runtime, once))
  if (earlier !== null) return JSON.parse(earlier)
  const solved = await checkChallenge(runtime, collection, controls.hp_challenge)
  const prepared = checkDocument(collection.rules, data)
  if ('refusal' in prepared) throw problemOf(prepared.refusal)
  if (solved && !(await spend(runtime, solved))) throw solutionRefused('was used before')
  // Honeypot field: a bot that fills it in gets a receipt, and nothing is stored.
  if (controls.hp_website.trim() !== '') return receipt(newId(runtime.clock), runtime.clock.now())
  await requireVisitorsRoom(guest, data)
  return write(guest, collection, { data, files, once })
}

/** How long a sum of what forms brought is used; what comes meanwhile is added to it. */
const SUM_MS = 30_000
const sums = new LRUCache<string, { bytes: number; is_exact: boolean; until_ms: number }>({
  max: 10_000,
})

/** Concurrent submissions can exceed the part by what they have together. */
async function requireVisitorsRoom(
  { runtime: { db, clock }, project }: GuestCaller,
  data: JsonObject,
): Promise<void> {
  const bytes_max = plans[project.plan].data_bytes_max / limits.visitors_part
  const more = Buffer.byteLength(JSON.stringify(data))
  const key = `${project.id} ${project.plan}`
  let sum = sums.get(key)
  const is_used = sum && (sum.is_exact || sum.bytes + more <= bytes_max)
  if (!sum || !is_used || sum.until_ms <= clock.now_ms()) {
    const place = { project_id: project.id, enough: bytes_max - more }
    sum = { ...(await sumFormBytes(db, place)), until_ms: clock.now_ms() + SUM_MS }
    sums.set(key, sum)
  }
  if (sum.bytes + more > bytes_max) {
    throw new media.VisitorsPartFull('documents', sum.bytes / bytes_max)
  }
  sum.bytes += more
}

/**
 * Stores an uploaded file, or throws if the field does not accept files. Unused files are swept.
 */
function keepFile(
  { runtime, project }: GuestCaller,
  { row }: CompiledCollection,
  { field, name, bytes }: SubmittedFile,
): Promise<media.FormFile> {
  if (acceptsFiles(field, JSON.parse(row.schema))) {
    return media.storeFormFile(runtime, project, { filename: name, bytes })
  }
  const message = 'is a file, but the schema of this field has no "format": "media"'
  throw invalid([{ path: `/${escapePointerPart(field)}`, message }])
}

interface FormContent {
  data: JsonObject
  files: readonly media.FormFile[]
  /** Null if repeats cannot be detected. */
  once: SingleRun | null
}

/** Adds the files to the media library before the document references them. */
async function write(
  guest: GuestCaller,
  collection: CompiledCollection,
  content: FormContent,
): Promise<Receipt> {
  const { runtime, project } = guest
  const { files } = content
  const test = project.shape === 'test'
  const dropFiles = async () => files.length > 0 && media.removeFormFiles(runtime, project, files)
  if (files.length > 0) {
    await media.addFormFiles(runtime, project, { files, collection: collection.row.name, test })
  }
  try {
    const { reply, replayed } = await writeOnce(runtime, collection, { ...content, test })
    if (replayed) await dropFiles()
    return reply
  } catch (error) {
    await dropFiles()
    throw error
  }
}

/** Stores the document, or returns the receipt of an identical submission stored meanwhile. */
async function writeOnce(
  runtime: Runtime,
  collection: CompiledCollection,
  { data, once, test }: FormContent & { test: boolean },
): Promise<{ reply: Receipt; replayed: boolean }> {
  const document = { data, source: 'form' as const, test }
  if (!once) {
    const written = await createDocument(runtime, collection, document)
    return { reply: receiptOf(written), replayed: false }
  }
  const place = scopeOf(collection.row)
  const { reply, replayed } = await runSingle(runtime, once, async (tx) => {
    const changes = [{ op: 'create' as const, ...document }]
    const [result] = await writeChanges(tx, runtime, { place, changes, author: null })
    assert(result && !('deleted' in result), 'A create has a result.')
    return JSON.stringify(receiptOf(result))
  })
  return { reply: JSON.parse(reply), replayed }
}

function receiptOf(written: WriteResult): Receipt {
  if ('refusal' in written) throw problemOf(written.refusal)
  const { id, created_at } = written.document
  return receipt(id, created_at)
}

function receipt(id: string, created_at: Date): Receipt {
  return { id, created_at: created_at.toISOString() }
}

const controlNames = [
  'hp_website',
  'hp_started',
  'hp_challenge',
  'hp_timezone',
  'hp_submission',
] as const
type ControlFields = Record<(typeof controlNames)[number], string>

/** Splits a submission into document data and control fields (`hp_…`). */
async function splitSubmission(
  { runtime, project }: GuestCaller,
  sent: SubmittedForm,
  { row }: CompiledCollection,
): Promise<{ data: JsonObject; controls: ControlFields }> {
  if ('json' in sent) {
    const controls = controlsOf((name) => textOf(sent.json[name]))
    const members = Object.entries(sent.json).filter(([name]) => !isControl(name))
    return { data: Object.fromEntries(members), controls }
  }
  const controls = controlsOf(
    (wanted) => sent.fields.find(({ name }) => name === wanted)?.value ?? '',
  )
  const fields = sent.fields.filter(({ name }) => !isControl(name))
  const { schema } = row
  const wanted = { project_id: project.id, schema, given: controls.hp_timezone }
  const timezone = await findTimezone(runtime.db, wanted)
  const moment = { timezone, now_ms: runtime.clock.now_ms() }
  return { data: dataFromFields(fields, JSON.parse(schema), moment), controls }
}

function isControl(name: string): boolean {
  return controlNames.some((control) => control === name)
}

function controlsOf(find: (name: string) => string): ControlFields {
  const [hp_website = '', hp_started = '', hp_challenge = '', hp_timezone = '', id = ''] =
    controlNames.map(find)
  return { hp_website, hp_started, hp_challenge, hp_timezone, hp_submission: id }
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? '')
}

const PLAIN_REPEAT_MS = 2 * 60 * 1000
const SUBMISSION_MS = 24 * 3600 * 1000

/**
 * Identifies a repeated submission by `hp_submission` or, for a form without a script, by the
 * browser. The key includes the content, so other content is never a repeat even if a page reuses
 * `hp_submission`. Returns null for a script that sends no `hp_submission`.
 */
function singleRunOf(
  { runtime, project, token_id, browser }: GuestCaller,
  { row }: CompiledCollection,
  {
    data,
    files,
    submission,
  }: { data: JsonObject; files: FormContent['files']; submission: string },
): SingleRun | null {
  if (submission !== '' && (submission.length < 8 || submission.length > 100)) {
    throw invalid([{ path: '/hp_submission', message: 'must have 8 to 100 characters' }])
  }
  const sender = submission === '' ? browser : [submission]
  if (sender === null) return null
  let content = JSON.stringify(data)
  // Each upload gets a new id, so a repeat has the same files but other ids.
  for (const { id, file } of files) content = content.replaceAll(id, file.sha256)
  const mac = runtime.seal.mac(JSON.stringify([token_id, sender, content]), 'form-submission')
  return {
    project_id: project.id,
    key: `form ${row.id} ${mac.toString('base64url')}`,
    lifetime_ms: submission === '' ? PLAIN_REPEAT_MS : SUBMISSION_MS,
  }
}

/** Returns the time at which the form was fetched, signed: `<milliseconds in base 36>.<mac>`. */
function writeStart(runtime: Runtime, collection_id: string): string {
  const time = runtime.clock.now_ms().toString(36)
  return `${time}.${startMac(runtime.seal, collection_id, time)}`
}

const MAC_CHARACTERS = 22

function startMac(key: MacKey, collection_id: string, time: string): string {
  const mac = key.mac(`${collection_id}\n${time}`, 'form-started')
  return mac.toString('base64url').slice(0, MAC_CHARACTERS)
}

/**
 * Refuses a form that was submitted faster than a person can fill it in. A form without a script
 * sends no start time and is not checked.
 */
function checkFillTime(runtime: Runtime, { row }: CompiledCollection, started: string): void {
  if (started === '') return
  const [time = '', mac = ''] = started.split('.')
  const is_ours = holdsUnderAnyKey(runtime.seal, (key) =>
    sameText(mac, startMac(key, row.id, time)),
  )
  if (!/^[0-9a-z]{1,11}$/.test(time) || !is_ours) {
    throw challengeFailed('hp_started is not the value of started that the form was given.')
  }
  const passed_s = (runtime.clock.now_ms() - Number.parseInt(time, 36)) / 1000
  if (passed_s >= limits.form_fill_s_min) return
  throw challengeFailed(
    `The form was sent less than ${limits.form_fill_s_min} seconds after it was loaded.`,
  )
}

function purposeOf({ project_id, id }: CompiledCollection['row']) {
  return { project_id, purpose: `form/${id}` }
}

/** Verifies the proof of work. Returns null if the collection does not require one. */
async function checkChallenge(
  runtime: Runtime,
  { row }: CompiledCollection,
  solution: string,
): Promise<Solved | null> {
  if (!row.form.challenge) return null
  if (solution === '') throw solutionRefused('is missing')
  const read = await readSolution(runtime, purposeOf(row), solution)
  if ('fault' in read) throw solutionRefused(read.fault)
  return read
}

function solutionRefused(what: string): Problem {
  return challengeFailed(`The solution in hp_challenge ${what}.`)
}

function challengeFailed(detail: string): Problem {
  return new Problem('challenge_failed', detail)
}
