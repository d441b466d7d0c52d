/**
 * Validates a plan. Pure: reports every fault at once, each with a JSON pointer, so that a plan can
 * be corrected in one go. Only the targets of a plan without faults are checked, because their
 * refusals have their own errors. A target that is refused in any spelling (a team member, 112) is
 * therefore never a fault.
 */
import assert from 'node:assert/strict'
import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js'
import type { TSchema } from 'typebox'
import { escapePointerPart } from '../../../kernel/values/json.ts'
import {
  findDanglingEdges,
  findEndlessCycles,
  isJsonObject,
  listNodes,
  type PlanFault,
  type UncheckedNode,
} from './graph.ts'
import { isCalendarDate, isTimezone } from '../run/hours.ts'
import { planLimits } from '../nodes/node-fields.ts'
import { AnyNode, nodeSchemas } from '../nodes/node-schemas.ts'
import type { CallPlan } from '../schema.ts'
import {
  correctSpelling,
  isShortNumber,
  describeTargetRefusal,
  type TargetRules,
} from '../targets.ts'
import { isUuid } from '../../../kernel/values/ids.ts'
import { formatSize } from '../../../kernel/values/size.ts'

export type PlanRefusal = {
  slug: 'team_targets_not_allowed' | 'forward_target_not_allowed'
  detail: string
  errors: PlanFault[]
}

const ajv = new Ajv2020({ allErrors: true, verbose: true })
// Marks edges for editors (node-fields.ts); strict mode refuses unknown keywords.
ajv.addKeyword('x-edge')
const checks = new Map<TSchema, ValidateFunction>()

/** Compiled on first use, because compiling all of them would slow every start. */
function checkOf(schema: TSchema): ValidateFunction {
  const check = checks.get(schema) ?? ajv.compile(schema)
  checks.set(schema, check)
  return check
}

/** The schema of a node type, or undefined if the type is unknown. */
export function findNodeSchema(type: unknown): TSchema | undefined {
  return Object.entries(nodeSchemas).find(([name]) => name === type)?.[1]
}

/** Whether a value has the shape of a plan; its graph and targets are not checked. */
export function isPlan(value: unknown): value is CallPlan {
  if (!isJsonObject(value) || typeof value['entry'] !== 'string' || !isJsonObject(value['nodes']))
    return false
  return Object.values(value['nodes']).every((node) => {
    const schema = isJsonObject(node) ? findNodeSchema(node['type']) : undefined
    return schema !== undefined && checkOf(schema)(node)
  })
}

/** Returns every fault of a received plan of `bytes` bytes. */
export function findFaults(plan: unknown, bytes: number): PlanFault[] {
  if (bytes > planLimits.bytes_max) {
    const message = `is larger than ${formatSize(planLimits.bytes_max)}; nothing else was checked`
    return [{ path: '', message }]
  }
  if (!isJsonObject(plan)) return [{ path: '', message: 'must be an object with entry and nodes' }]
  return [...entryFaults(plan), ...nodesFaults(plan['nodes'])]
}

function entryFaults({ entry, nodes }: UncheckedNode): PlanFault[] {
  if (entry === undefined) return [{ path: '/entry', message: 'is required' }]
  if (typeof entry !== 'string') return [{ path: '/entry', message: 'must be a string' }]
  if (!isJsonObject(nodes) || Object.hasOwn(nodes, entry)) return []
  return [{ path: '/entry', message: `names the node "${entry}", which is not in nodes` }]
}

function nodesFaults(nodes: unknown): PlanFault[] {
  if (nodes === undefined) return [{ path: '/nodes', message: 'is required' }]
  if (!isJsonObject(nodes))
    return [{ path: '/nodes', message: 'must be an object keyed by node ids' }]
  const count = Object.keys(nodes).length
  if (count === 0) return [{ path: '/nodes', message: 'must have at least one node' }]
  if (count > planLimits.nodes_max) {
    const size = `${count} nodes, and at most ${planLimits.nodes_max} are allowed`
    return [{ path: '/nodes', message: `has ${size}; they were not checked` }]
  }
  const faults = Object.entries(nodes).flatMap(([key, node]) => nodeFaults(key, node))
  return [...faults, ...findDanglingEdges(nodes), ...findEndlessCycles(nodes)]
}

function nodeFaults(key: string, node: unknown): PlanFault[] {
  const at = `/nodes/${escapePointerPart(key)}`
  if (!isJsonObject(node)) return [{ path: at, message: 'must be an object' }]
  const schema = findNodeSchema(node['type'])
  const types = Object.keys(nodeSchemas).join(', ')
  const type = schema ? [] : [{ path: `${at}/type`, message: `must be one of ${types}` }]
  const refused = sentTargets(key, node).filter(isRefusedAnyway)
  const fields = fieldFaults(schema ?? AnyNode, node)
    .map(({ path, message }) => ({ path: at + path, message }))
    .filter(({ path }) => !refused.some((target) => path.startsWith(`${target.path}/`)))
  const others = [idFaults(key, node), ruleFaults(at, node), spellingFaults(key, node)]
  return [...type, ...fields, ...others.flat()]
}

function fieldFaults(schema: TSchema, node: UncheckedNode): PlanFault[] {
  const check = checkOf(schema)
  check(node)
  return (check.errors ?? []).flatMap((error) => fieldFault(error))
}

function idFaults(key: string, node: UncheckedNode): PlanFault[] {
  if (typeof node['id'] !== 'string' || node['id'] === key) return []
  return [
    {
      path: `/nodes/${escapePointerPart(key)}/id`,
      message: `must be "${key}", the key of the node`,
    },
  ]
}

/** Returns faults that a schema cannot express: fields that require each other, and references. */
function ruleFaults(at: string, node: UncheckedNode): PlanFault[] {
  if (node['type'] === 'openingHours') return scheduleFaults(at, node)
  if (node['type'] === 'goto') return choiceFaults(at, node, ['node', 'plan'])
  if (node['type'] === 'voicemail' && isJsonObject(node['greeting']))
    return choiceFaults(`${at}/greeting`, node['greeting'], ['text', 'mediaId'])
  if (node['type'] !== 'callerMatch' || !Array.isArray(node['rules'])) return []
  return node['rules'].flatMap((rule: unknown, index) =>
    !isJsonObject(rule) || ['prefixes', 'numbers', 'anonymous'].some((name) => name in rule)
      ? []
      : [{ path: `${at}/rules/${index}`, message: 'must have prefixes, numbers or anonymous' }],
  )
}

/** Returns a fault unless the object has exactly one of two fields. */
function choiceFaults(
  at: string,
  holder: UncheckedNode,
  [one, other]: readonly [string, string],
): PlanFault[] {
  if ((holder[one] === undefined) !== (holder[other] === undefined)) return []
  const message =
    holder[one] === undefined
      ? `must have ${one} or ${other}`
      : `must not have both ${one} and ${other}`
  return [{ path: at, message }]
}

export interface NamedMedia {
  path: string
  id: string
}

/** The ids of media files in a plan. Malformed ids are left out, because they are faults already. */
export function listMediaIds(plan: unknown): NamedMedia[] {
  const nodes = isJsonObject(plan) ? listNodes(plan['nodes']) : []
  return nodes.flatMap(([key, node]) => {
    const at = `/nodes/${escapePointerPart(key)}`
    const { greeting } = node
    const found =
      node['type'] === 'playAudio'
        ? { path: `${at}/mediaId`, id: node['mediaId'] }
        : node['type'] === 'voicemail' && isJsonObject(greeting)
          ? { path: `${at}/greeting/mediaId`, id: greeting['mediaId'] }
          : null
    return found !== null && typeof found.id === 'string' && isUuid(found.id)
      ? [{ path: found.path, id: found.id }]
      : []
  })
}

function scheduleFaults(at: string, { source, schedule }: UncheckedNode): PlanFault[] {
  if (schedule === undefined && source === 'custom') {
    return [{ path: `${at}/schedule`, message: "is required when source is 'custom'" }]
  }
  if (!isJsonObject(schedule)) return []
  const { timezone, week, exceptions } = schedule
  const faults: PlanFault[] = []
  if (typeof timezone === 'string' && timezone !== '' && !isTimezone(timezone)) {
    const message = 'must be an IANA time zone such as Europe/Amsterdam'
    faults.push({ path: `${at}/schedule/timezone`, message })
  }
  for (const [day, ranges] of isJsonObject(week) ? Object.entries(week) : []) {
    faults.push(...rangeFaults(`${at}/schedule/week/${escapePointerPart(day)}`, ranges))
  }
  for (const [index, exception] of Array.isArray(exceptions) ? exceptions.entries() : []) {
    if (isJsonObject(exception)) {
      faults.push(...exceptionFaults(`${at}/schedule/exceptions/${index}`, exception))
    }
  }
  return faults
}

function exceptionFaults(at: string, { date, closed, ranges }: UncheckedNode): PlanFault[] {
  const faults = rangeFaults(`${at}/ranges`, ranges)
  if (typeof date === 'string' && /^\d{4}-\d\d-\d\d$/.test(date) && !isCalendarDate(date)) {
    faults.push({ path: `${at}/date`, message: 'must be a date that exists' })
  }
  if (closed !== true && ranges === undefined) {
    faults.push({ path: at, message: 'must have closed: true or ranges' })
  }
  return faults
}

function rangeFaults(at: string, ranges: unknown): PlanFault[] {
  if (!Array.isArray(ranges)) return []
  return ranges.flatMap((range: unknown, index) => {
    if (!isJsonObject(range) || typeof range['from'] !== 'string') return []
    if (range['from'] !== range['to']) return []
    return [{ path: `${at}/${index}/to`, message: 'must not be the same as from' }]
  })
}

interface SentTarget {
  path: string
  kind: unknown
  e164: unknown
}

/**
 * The field with the targets, by node type. The keys have type `unknown`, because the type of a
 * node is not validated yet.
 */
const targetFields: ReadonlyMap<unknown, string> = new Map([
  ['forward', 'targets'],
  ['ai_agent', 'transferTargets'],
])

/** The phone numbers to which a node forwards, as received. */
function sentTargets(key: string, node: UncheckedNode): SentTarget[] {
  const field = targetFields.get(node['type'])
  const targets = field === undefined ? undefined : node[field]
  if (!Array.isArray(targets)) return []
  return targets.flatMap((target: unknown, index) =>
    isJsonObject(target)
      ? [
          {
            path: `/nodes/${escapePointerPart(key)}/${field}/${index}`,
            kind: target['kind'],
            e164: target['e164'],
          },
        ]
      : [],
  )
}

/** Whether a target is refused in any spelling. */
function isRefusedAnyway({ kind, e164 }: SentTarget): boolean {
  return kind === 'user' || (typeof e164 === 'string' && isShortNumber(e164))
}

function spellingFaults(key: string, node: UncheckedNode): PlanFault[] {
  return sentTargets(key, node).flatMap((target) => {
    const { path, e164 } = target
    if (isRefusedAnyway(target) || typeof e164 !== 'string' || !e164.startsWith('+')) return []
    const better = /^\+[1-9]\d+$/.test(e164) ? correctSpelling(e164) : null
    return better === null
      ? []
      : [{ path: `${path}/e164`, message: `must be written as ${better}` }]
  })
}

/** Returns why a plan without faults is refused for its targets; null if it is accepted. */
export function findTargetRefusal(plan: unknown, rules: TargetRules): PlanRefusal | null {
  const nodes = isJsonObject(plan) ? listNodes(plan['nodes']) : []
  const targets = nodes.flatMap(([key, node]) => sentTargets(key, node))
  const team = targets.filter(({ kind }) => kind === 'user')
  if (team.length > 0) {
    return {
      slug: 'team_targets_not_allowed',
      detail: "A forward target of kind 'user' is not possible; give a phone number instead.",
      errors: team.map(({ path }) => ({ path, message: "must be of kind 'external'" })),
    }
  }
  const refused = targets.flatMap(({ path, e164 }) => {
    const why = describeTargetRefusal(String(e164), rules)
    return why === null ? [] : [{ e164: String(e164), why, path: `${path}/e164` }]
  })
  const [first] = refused
  if (first === undefined) return null
  return {
    slug: 'forward_target_not_allowed',
    detail: `Calls are not forwarded to ${first.e164}: it ${first.why}.`,
    errors: refused.map(({ path, why }) => ({ path, message: why })),
  }
}

const typeNames: Readonly<Record<string, string>> = {
  string: 'a string',
  integer: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
}

/** Describes the fault of a field in plain words. Omits Ajv's errors that only summarize others. */
function fieldFault(error: ErrorObject): PlanFault[] {
  const { keyword, instancePath: path, propertyName, params } = error
  if (propertyName !== undefined && keyword !== 'propertyNames') return []
  const inner: unknown =
    params['missingProperty'] ?? params['propertyName'] ?? params['additionalProperty']
  const at = typeof inner === 'string' ? `${path}/${escapePointerPart(inner)}` : path
  return [{ path: at, message: wording(error) }]
}

type Wording = (params: ErrorObject['params'], parent: ErrorObject['parentSchema']) => string

const atLeast: Wording = ({ limit }) => `must have at least ${limit}`
const atMost: Wording = ({ limit }) => `must have at most ${limit}`

const wordings: Readonly<Record<string, Wording>> = {
  required: () => 'is required',
  type: ({ type }) => `must be ${typeNames[type] ?? type}`,
  const: ({ allowedValue }) => `must be ${JSON.stringify(allowedValue)}`,
  enum: ({ allowedValues }) => `must be one of ${allowedValues.join(', ')}`,
  pattern: (_, parent) => `must be ${parent?.['title']}`,
  additionalProperties: () => 'is not a known field',
  propertyNames: () => 'must be a key of the phone: 0 to 9, * or #',
  minimum: ({ limit }) => `must be at least ${limit}`,
  maximum: ({ limit }) => `must be at most ${limit}`,
  minLength: () => 'must not be empty',
  maxLength: ({ limit }) => `must have at most ${limit} characters`,
  minItems: atLeast,
  minProperties: atLeast,
  maxItems: atMost,
  maxProperties: atMost,
}

function wording({ keyword, params, parentSchema }: ErrorObject): string {
  const words = wordings[keyword]
  assert(words, `No node schema uses the keyword ${keyword}.`)
  return words(params, parentSchema)
}
