/** Reads and replaces the settings of the tools. */
import { isDeepStrictEqual } from 'node:util'
import { isTest, type Caller } from '../../../contract/caller.ts'
import { Problem } from '../../../contract/errors.ts'
import type { Scope } from '../../../contract/scopes.ts'
import { announceRecordsAfter } from '../../../kernel/jobs/record-wakeups.ts'
import { toolTexts, type ConversationTool } from '../../../providers/model/tools.ts'
import * as billing from '../../billing/service.ts'
import * as assistant from '../store.ts'
import { findLimits, isLimited } from './run-tools.ts'
import type { Tools, ToolsInput } from './schema.ts'
import { noTools, type ToolSettings } from './tool-settings.ts'
import * as store from './tool-store.ts'
import { limits } from '../../../contract/limits.ts'
import { findNearestName } from '../../../kernel/values/nearest.ts'
import { compileSchema } from '../../json-schema/service.ts'

export async function showTools(caller: Caller): Promise<Tools> {
  const found = await assistant.find(caller.db, caller.project.id)
  return present(caller, {
    settings: found?.tools ?? noTools,
    has_hours: (found?.profile.opening_hours.length ?? 0) > 0,
  })
}

/**
 * Replaces the settings; omitted ones get their defaults. Look-ups let the caller read documents, and
 * messages write them, so new ones need the scope for that.
 */
export async function replaceTools(caller: Caller, input: ToolsInput): Promise<Tools> {
  const { db, runtime, project } = caller
  const settings = await readSettings(caller, input)
  await db.transact(async (tx) => {
    if (!(await store.replaceTools(tx, project.id, settings))) throw notSetUp()
    announceRecordsAfter(tx, runtime, project.id, 'assistant')
  })
  return showTools(caller)
}

async function readSettings(
  caller: Caller,
  { look_ups = [], messages_collection = null }: ToolsInput,
): Promise<ToolSettings> {
  const { db, project } = caller
  const names = [...look_ups.map(({ collection }) => collection), messages_collection ?? '']
  const found = await store.findCollections(db, project.id, names)
  const ids = new Map(found.map(({ id, name }) => [name, id]))
  await requireScopes(caller, {
    lookups: look_ups.map(({ collection, fields, match = [] }) => {
      return { collection_id: ids.get(collection), collection, fields, match }
    }),
    messages:
      messages_collection === null
        ? null
        : { collection_id: ids.get(messages_collection), collection: messages_collection },
  })
  for (const { path, fault } of listSchemaFaults(found, { look_ups, messages_collection }))
    throw invalid(path, fault)
  const known = (collection: string, path: string) => {
    const collection_id = ids.get(collection)
    if (collection_id !== undefined) return { collection_id, collection }
    throw invalid(path, 'is not a collection of the project')
  }
  return {
    lookups: look_ups.map(({ collection, fields, match = [] }, at) => {
      const path = `/look_ups/${at}/collection`
      const first = look_ups.findIndex((one) => one.collection === collection)
      if (first < at) throw invalid(path, 'is in the list twice')
      return { ...known(collection, path), fields, match }
    }),
    messages:
      messages_collection === null ? null : known(messages_collection, '/messages_collection'),
  }
}

interface SchemaFault {
  path: string
  fault: string
}

/** Otherwise visitors would get no record, and messages would be lost. */
function listSchemaFaults(
  found: readonly store.FoundCollection[],
  { look_ups = [], messages_collection = null }: ToolsInput,
): SchemaFault[] {
  const schemaOf = (name: string) => found.find((one) => one.name === name)?.schema ?? '{}'
  const ofLookUps = look_ups.flatMap(({ collection, fields, match = [] }, at) =>
    Object.entries({ fields, match }).flatMap(([list, names]) =>
      names.map((name, index) => ({
        path: `/look_ups/${at}/${list}/${index}`,
        fault: findFieldFault(schemaOf(collection), name),
      })),
    ),
  )
  const messages = {
    path: '/messages_collection',
    fault: messages_collection === null ? null : findMessageFault(schemaOf(messages_collection)),
  }
  return [...ofLookUps, messages].flatMap(({ path, fault }) => (fault ? [{ path, fault }] : []))
}

/** The settings asked for; of an unknown collection the id is undefined. */
interface WantedSettings {
  lookups: readonly object[]
  messages: object | null
}

/** Checked before the names of collections, so that the answer does not tell which ones exist. */
async function requireScopes(
  { db, project, scopes }: Caller,
  { lookups, messages }: WantedSettings,
): Promise<void> {
  if (scopes.has('data:read') && scopes.has('data:write')) return
  const stored = (await assistant.find(db, project.id))?.tools ?? noTools
  const require = (scope: Scope, setting: string) => {
    if (scopes.has(scope)) return
    const detail = `To set ${setting}, the scope ${scope} is needed beside assistant:write.`
    throw new Problem('missing_scope', detail)
  }
  if (lookups.length > 0 && !isDeepStrictEqual(lookups, stored.lookups))
    require('data:read', 'look_ups')
  if (messages !== null && !isDeepStrictEqual(messages, stored.messages))
    require('data:write', 'messages_collection')
}

function invalid(path: string, message: string): Problem {
  const errors = [{ path, message }]
  return new Problem('validation_failed', `${path} ${message}.`, { errors })
}

function notSetUp(): Problem {
  const user_message = 'The assistant is not set up yet.'
  const next_step = 'Save its settings first with PUT /assistant, then its tools.'
  return new Problem('conflict', user_message, { user_message, next_step })
}

interface Shown {
  settings: ToolSettings
  has_hours: boolean
}

async function present(caller: Caller, { settings, has_hours }: Shown): Promise<Tools> {
  const { db, runtime, project } = caller
  const day = billing.toDay(runtime.clock.now(), runtime.config.billing_timezone)
  const uses = await store.listUses(db, { project_id: project.id, test: isTest(caller), day })
  const enabled: Record<ConversationTool, boolean> = {
    look_up: settings.lookups.length > 0,
    check_hours: has_hours,
    take_message: true,
    transfer_call: true,
    end_call: true,
    no_answer: true,
  }
  const names = Object.keys(enabled) as ConversationTool[]
  return {
    look_ups: settings.lookups.map(({ collection, fields, match }) => {
      return { collection, fields, match }
    }),
    messages_collection: settings.messages?.collection ?? null,
    tools: names.map((name) => {
      const most = isLimited(name) ? findLimits(name) : null
      return {
        name,
        about: toolTexts[name].call,
        enabled: enabled[name],
        used_today: uses.get(name) ?? 0,
        per_day: most?.day_max ?? null,
        per_conversation: most?.conversation_max ?? null,
      }
    }),
  }
}

/** Returns what is wrong with a field name; null if the schema has it, or lists no fields. */
function findFieldFault(schema: string, name: string): string | null {
  const declared = Object.keys(Object(Object(JSON.parse(schema)).properties))
  if (declared.length === 0 || declared.includes(name)) return null
  const nearest = findNearestName(name, declared)
  const hint = nearest === undefined ? '' : ` Did you mean "${nearest}"?`
  return `is not a field of this collection.${hint}`
}

/**
 * Returns why a message may not fit a collection with this schema; null if every message fits. Only
 * the text is always known: see `conversations/keep-message.ts`.
 */
function findMessageFault(schema: string): string | null {
  const { check } = compileSchema(JSON.parse(schema))
  const texts = ['A', 'A'.repeat(limits.chat_message_characters_max)]
  const [error] = texts.flatMap((text) => check({ text }))
  if (!error) return null
  const subject = error.path === '' ? 'it' : error.path
  return `does not accept every message of a visitor: of one with a text only, ${subject} ${error.message}`
}
