/** Checks the definition of an agent when it is saved. */
import type { Caller } from '../../../contract/caller.ts'
import { Problem } from '../../../contract/errors.ts'
import { eventTypeNames, isEventType } from '../../../contract/event-types.ts'
import { limits } from '../../../contract/limits.ts'
import type { Operation } from '../../../contract/operation.ts'
import { BUILTIN, listModels } from '../../../providers/model/model.ts'
import { formatSize } from '../../../kernel/values/size.ts'
import { findRunner } from '../../approvals/service.ts'
import { isTimezone, parseFilter, type FieldUse } from '../../data/service.ts'
import type { Definition } from '../schema.ts'
import { readCron } from '../../../kernel/values/cron.ts'
import { findNearestName } from '../../../kernel/values/nearest.ts'
import { findWrongField } from './event-fields.ts'
import { findUnknownTemplates } from './template.ts'

/** The only action that is not an operation: mails the owners and admins of the project. */
export const NOTIFY_OWNER = 'notify.owner'

/** Areas whose operations agents cannot use, so that no agent gives itself more rights. */
const excludedAreas = new Set(['agents', 'approvals', 'webhooks', 'chat_tokens', 'project'])

interface Fault {
  path: string
  message: string
}

/** Throws validation_failed with all faults. */
export function checkDefinition(caller: Caller, definition: Definition): void {
  const faults = [
    ...triggerFaults(caller, definition),
    ...stepFaults(caller, definition),
    ...actionFaults(caller, definition),
  ]
  if (Buffer.byteLength(JSON.stringify(definition)) > limits.agent_definition_bytes_max) {
    const size = formatSize(limits.agent_definition_bytes_max)
    faults.push({ path: '/steps', message: `make the agent larger than ${size}` })
  }
  if (faults.length > 0) {
    const [first] = faults
    const detail = `The agent is not valid: ${first!.path} ${first!.message}.`
    throw new Problem('validation_failed', detail, { errors: faults })
  }
}

function triggerFaults({ runtime }: Caller, { trigger }: Definition): Fault[] {
  if (trigger.type === 'manual' || trigger.type === 'webhook') return []
  if (trigger.type === 'event') {
    if (!isEventType(trigger.event) || trigger.event === 'webhook.test')
      return [{ path: '/trigger/event', message: unknownEventType(trigger.event) }]
    const path = '/trigger/filter'
    const uses: FieldUse[] = []
    const faults = filterFaults(path, trigger.filter, uses)
    const wrong = findWrongField(runtime, trigger.event, uses)
    return wrong === null ? faults : [...faults, { path, message: wrong }]
  }
  const schedule = readCron(trigger.cron)
  const faults: Fault[] = []
  if (typeof schedule === 'string')
    faults.push({ path: '/trigger/cron', message: `is not a schedule: ${schedule}` })
  if (!isTimezone(trigger.timezone ?? 'UTC'))
    faults.push({ path: '/trigger/timezone', message: 'is not a time zone' })
  return faults
}

function unknownEventType(typed: string): string {
  const nearest = findNearestName(typed, eventTypeNames)
  return `is not an event type${nearest === undefined ? '' : `; perhaps ${nearest}`}`
}

function filterFaults(path: string, text: string | undefined, fieldUses: FieldUse[] = []): Fault[] {
  if (text === undefined) return []
  try {
    parseFilter({ text, parameter: path, moment: { now_ms: 0, timezone: 'UTC' }, fieldUses })
    return []
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    return [{ path, message: `is not a filter: ${error.detail}` }]
  }
}

function stepFaults(caller: Caller, { steps }: Definition): Fault[] {
  const names = new Set<string>()
  return steps.flatMap(({ name, when, action, input }, index) => {
    const path = `/steps/${index}`
    const faults = filterFaults(`${path}/when`, when)
    for (const unknown of findUnknownTemplates(input))
      faults.push({ path: `${path}/input`, message: `has an unknown template {{${unknown}}}` })
    if (action !== NOTIFY_OWNER && findOperation(caller, action) === null)
      faults.push({ path: `${path}/action`, message: 'is not an operation that agents can use' })
    if (name !== undefined && names.has(name))
      faults.push({ path: `${path}/name`, message: 'is the name of an earlier step' })
    if (name !== undefined) names.add(name)
    return faults
  })
}

/** An agent has either steps, or actions among which a configured language model chooses. */
function actionFaults(caller: Caller, definition: Definition): Fault[] {
  const { steps, actions, model, instructions } = definition
  if (actions.length === 0)
    return steps.length > 0 ? [] : [{ path: '/steps', message: 'is empty, and so is actions' }]
  const faults: Fault[] = []
  const say = (path: string, message: string) => void faults.push({ path, message })
  const models = listModels(caller.runtime.config.model).filter((name) => name !== BUILTIN)
  if (steps.length > 0) say('/actions', 'cannot be given together with steps')
  if (models.length === 0) say('/actions', 'needs a language model, and this server has none')
  if (model !== null && !models.includes(model)) say('/model', 'is not a language model here')
  if (instructions.trim() === '') say('/instructions', 'is empty, so the model has nothing to do')
  for (const [index, { action, config = {} }] of actions.entries()) {
    const path = `/actions/${index}`
    for (const unknown of findUnknownTemplates(config))
      say(`${path}/config`, `has an unknown template {{${unknown}}}`)
    if (action !== NOTIFY_OWNER && findOperation(caller, action) === null)
      say(`${path}/action`, 'is not an operation that agents can use')
    if (actions.findIndex((one) => one.action === action) !== index)
      say(`${path}/action`, 'is in the list already')
  }
  return faults
}

/** Returns null for an unknown operation and for one that agents cannot use. */
export function findOperation(
  { runtime }: Pick<Caller, 'runtime'>,
  name: string,
): Operation | null {
  if (name === NOTIFY_OWNER || excludedAreas.has(name.split('.')[0] ?? '')) return null
  const operation = findRunner(runtime).find(name)
  return operation?.kind === 'keyed' && !operation.waits_for_others ? operation : null
}
