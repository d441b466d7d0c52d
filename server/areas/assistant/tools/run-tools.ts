/**
 * Runs the tools that a model calls in a conversation. Whatever its prompt contains, only offered
 * tools run, on allowed collections, with inputs of the declared shape, within the limits. Each use
 * and each refusal is recorded.
 */
import { limits } from '../../../contract/limits.ts'
import type { Runtime } from '../../../kernel/runtime.ts'
import { cutText } from '../../../kernel/values/cut-text.ts'
import { readInput, type ConversationTool } from '../../../providers/model/tools.ts'
import type { FoundRow } from '../../../providers/model/builtin/knowledge.ts'
import * as billing from '../../billing/service.ts'
import type { ToolUse } from '../dialogue/generate.ts'
import type { BusinessHours } from '../hours.ts'
import { dayOn } from '../knowledge/retrieval.ts'
import { givesValues, lookUp } from './look-up.ts'
import type { ToolSettings } from './tool-settings.ts'
import * as store from './tool-store.ts'

export interface ToolRecord {
  /** A look-up whose values identified no record is noted as `identify`. */
  name: string
  /** The collection or the date; null for other tools. */
  subject: string | null
  /** nothing: no record was found; limit: the limit of the conversation or the day was reached. */
  outcome: 'done' | 'nothing' | 'refused' | 'limit'
  /** Number of records found; 1 for other uses, and 0 for a refusal. */
  count: number
}

/** The conversation in which tools are used. */
export interface ToolScope {
  project_id: string
  test: boolean
  settings: ToolSettings
  hours: BusinessHours
  /** The uses in earlier turns of the conversation, by tool. */
  countUses(): Promise<ReadonlyMap<string, number>>
}

export interface ReadResult {
  /** The result of the tool, sent to the model. */
  output: object
  found: { collection: string; rows: FoundRow[] } | null
}

export interface ToolRunner {
  records: readonly ToolRecord[]
  /** Runs a tool that returns data. */
  read(use: ToolUse): Promise<ReadResult>
  /** Whether a tool with an effect may be used now. Counts and records the use. */
  permits(use: ToolUse, offered: readonly ConversationTool[]): Promise<boolean>
}

const RECORDS_MAX = 10
const NAME_CHARACTERS_MAX = 60
const DATE = /^\d{4}-\d{2}-\d{2}$/

const lookUpLimits = {
  conversation_max: limits.assistant_look_ups_per_conversation,
  day_max: limits.assistant_look_ups_per_day,
}
/** Look-ups in which a visitor gave values that identify no record. */
const failureLimits = {
  conversation_max: limits.assistant_failed_identifications_per_conversation,
  day_max: limits.assistant_failed_identifications_per_day,
}
const messageLimits = {
  conversation_max: limits.assistant_messages_per_conversation,
  day_max: limits.assistant_messages_per_day,
}
const limitsOf = {
  look_up: lookUpLimits,
  check_hours: lookUpLimits,
  identify: failureLimits,
  take_message: messageLimits,
  transfer_call: messageLimits,
} as const

type Counted = keyof typeof limitsOf
type LimitedTool = Exclude<Counted, 'identify'>

export function isLimited(name: string): name is LimitedTool {
  return name !== 'identify' && Object.hasOwn(limitsOf, name)
}

export function findLimits(name: LimitedTool) {
  return limitsOf[name]
}

export function createToolRunner(runtime: Runtime, scope: ToolScope): ToolRunner {
  const records: ToolRecord[] = []
  const note = (record: ToolRecord) => void (records.length < RECORDS_MAX && records.push(record))
  const refuse = (name: string, subject: string | null, outcome: 'refused' | 'limit') =>
    note({
      name: cutText(name, NAME_CHARACTERS_MAX),
      subject: subject && cutText(subject, NAME_CHARACTERS_MAX),
      outcome,
      count: 0,
    })
  const { take, giveBack } = createCounter(runtime, scope)
  return {
    records,
    async read({ name, input }) {
      const asked = prepare(scope, { name, input })
      if (asked === null || !isLimited(name)) {
        refuse(name, subjectOf(input), 'refused')
        return { output: { refused: 'This may not be looked up.' }, found: null }
      }
      // Counted as a failure before its result is known, so that no others pass the limit meanwhile.
      const is_within = (await take(name)) && (!asked.identifies || (await take('identify')))
      if (!is_within) {
        refuse(name, asked.subject, 'limit')
        return { output: { refused: 'Nothing more may be looked up now.' }, found: null }
      }
      const { output, found, count } = await asked.run(runtime)
      if (asked.identifies && count > 0) await giveBack('identify')
      const noted = asked.identifies && count === 0 ? 'identify' : name
      note({ name: noted, subject: asked.subject, outcome: count > 0 ? 'done' : 'nothing', count })
      return { output, found }
    },
    async permits({ name }, offered) {
      if (!offered.some((one) => one === name)) {
        refuse(name, null, 'refused')
        return false
      }
      if (!isLimited(name)) return true
      if (await take(name)) {
        note({ name, subject: null, outcome: 'done', count: 1 })
        return true
      }
      refuse(name, null, 'limit')
      return false
    },
  }
}

function subjectOf(input: unknown): string | null {
  const { collection, date } = Object(input)
  const subject: unknown = collection ?? date
  return typeof subject === 'string' ? subject : null
}

interface Counter {
  /** Counts one use; returns false, counting nothing, if a limit is reached. */
  take(name: Counted): Promise<boolean>
  giveBack(name: Counted): Promise<void>
}

function createCounter(runtime: Runtime, { project_id, test, countUses }: ToolScope): Counter {
  let before: ReadonlyMap<string, number> | null = null
  const now = new Map<string, number>()
  const useOf = (tool: Counted) => {
    const day = billing.toDay(runtime.clock.now(), runtime.config.billing_timezone)
    return { project_id, tool, test, day }
  }
  return {
    async take(name) {
      before ??= await countUses()
      const { conversation_max, day_max } = limitsOf[name]
      const uses = now.get(name) ?? 0
      if ((before.get(name) ?? 0) + uses >= conversation_max) return false
      const use = { ...useOf(name), uses_max: day_max }
      if (!(await runtime.db.transact((tx) => store.countUse(tx, use)))) return false
      now.set(name, uses + 1)
      return true
    },
    async giveBack(name) {
      await runtime.db.transact((tx) => store.uncountUse(tx, useOf(name)))
      now.set(name, (now.get(name) ?? 1) - 1)
    },
  }
}

interface Prepared {
  subject: string
  /** Whether it gives values to identify a record. */
  identifies: boolean
  run(runtime: Runtime): Promise<ReadResult & { count: number }>
}

/** Returns null if the input is invalid or the collection is not allowed. */
function prepare(scope: ToolScope, { name, input }: ToolUse): Prepared | null {
  if (name === 'look_up') {
    const asked = readInput('look_up', input)
    const lookup = scope.settings.lookups.find((one) => one.collection === asked?.collection)
    return asked && lookup ? prepareLookUp(scope, { lookup, search: asked.search }) : null
  }
  if (name !== 'check_hours') return null
  const date = readInput('check_hours', input)?.date ?? ''
  const { hours } = scope
  const day = DATE.test(date) ? parseDate(date) : null
  if (day === null || hours.opening_hours.length === 0) return null
  return {
    subject: date,
    identifies: false,
    run: async () => ({ output: dayOn(hours, day), found: null, count: 1 }),
  }
}

function prepareLookUp(
  { project_id }: ToolScope,
  asked: Pick<Parameters<typeof lookUp>[1], 'lookup' | 'search'>,
): Prepared {
  const { collection } = asked.lookup
  return {
    subject: collection,
    identifies: givesValues(asked),
    async run(runtime) {
      const rows = await lookUp(runtime, { project_id, ...asked })
      const records = rows.map((row) =>
        Object.fromEntries(row.map(({ field, value }) => [field, value])),
      )
      return { output: { collection, records }, found: { collection, rows }, count: rows.length }
    },
  }
}

function parseDate(text: string): Temporal.PlainDate | null {
  try {
    return Temporal.PlainDate.from(text)
  } catch {
    return null
  }
}
