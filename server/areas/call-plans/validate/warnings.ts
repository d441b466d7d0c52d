/**
 * Finds the parts of a plan that have no effect: keys that no node type has, some values, and
 * unreachable nodes. Such a plan is stored and followed if it has no faults; the reply warns the client.
 */
import { escapePointerPart } from '../../../kernel/values/json.ts'
import { findNearestName } from '../../../kernel/values/nearest.ts'
import {
  listEdgeFields,
  isJsonObject,
  listNodes,
  findUnreachableNodes,
  type UncheckedNode,
} from './graph.ts'
import { planLimits } from '../nodes/node-fields.ts'
import { CallPlan, type PlanWarning } from '../schema.ts'
import { findNodeSchema } from './validate.ts'

interface UnknownKey {
  path: string
  key: string
  /** The object that has the key, and the fields that its schema defines. */
  holder: UncheckedNode
  fields: readonly string[]
}

/** Keys that clients use for notes, as in OpenAPI and package.json. */
const notePattern = /^(x-|[_$]|\/\/)/

/** Common names of fields in other systems. Compared without case and `_`. */
const otherNames: Readonly<Record<string, string>> = {
  text: 'message say speech content prompt tts body',
  mediaId: 'media audio audioId file fileId url sound',
  notify: 'notification notifications email',
  beep: 'tone playBeep',
  node: 'target to next nodeId',
  prompt: 'text message say greeting question',
  greeting: 'welcome firstMessage welcomeMessage intro text message',
  instructions: 'systemPrompt prompt context',
  ringSeconds: 'timeout timeoutSeconds ringTimeout ringTime ringDuration duration seconds',
  timeoutSeconds: 'timeout wait waitSeconds seconds',
  maxSeconds: 'maxDuration maxDurationSeconds duration timeout timeLimit',
  targets: 'numbers destinations phones members to target number phone e164',
  transferTargets: 'transfers targets numbers',
  allowTransfer: 'transfer canTransfer transferAllowed',
  e164: 'number phone phoneNumber tel to',
  options: 'choices keys digits menu',
  speech: 'words keywords phrases',
  attempts: 'retries tries repeat maxAttempts',
  repeat: 'times loop count attempts',
  schedule: 'hours openingHours times',
  exceptions: 'holidays closures',
  rules: 'conditions matches cases',
  cause: 'reason',
  language: 'lang locale',
  label: 'name title',
  entry: 'start begin first root startNode entryNode',
  onNoAnswer: 'fallback timeoutNode voicemail missed otherwise else',
  onEnd: 'after afterwards',
  onUnavailable: 'fallback onError',
  onFailed: 'onError',
  onNoInput: 'onTimeout fallback',
  onInvalid: 'onError',
  default: 'otherwise else fallback',
}

/** Returns the warnings about a plan, which may have faults; at most 100. */
export function findWarnings(plan: unknown): PlanWarning[] {
  if (!isJsonObject(plan) || !isJsonObject(plan['nodes'])) return []
  const nodes = plan['nodes']
  const unknown = [
    ...unknownKeys(CallPlan, plan, ''),
    ...listNodes(nodes).flatMap(([key, node]) =>
      unknownKeys(findNodeSchema(node['type']), node, `/nodes/${escapePointerPart(key)}`),
    ),
  ]
  // The plan may be invalid, so its entry can be any value.
  const unreachable =
    typeof plan['entry'] === 'string' ? findUnreachableNodes(plan['entry'], nodes) : []
  const unreached = unreachable.map((key) => ({
    path: `/nodes/${escapePointerPart(key)}`,
    message: `No node leads to "${key}", so no call reaches it.`,
  }))
  const shown = unknown.slice(0, planLimits.warnings_max).map((one) => keyWarning(one, nodes))
  return [...shown, ...valueWarnings(nodes), ...unreached].slice(0, planLimits.warnings_max)
}

/** Values that are valid and have no effect, by the field. */
const uselessValues = [
  ['voicemail', 'transcribe', 'messages are always kept as text'],
  ['sendSms', 'onlyMobile', 'only mobile phones get text messages'],
] as const

function valueWarnings(nodes: UncheckedNode): PlanWarning[] {
  return listNodes(nodes).flatMap(([key, node]) =>
    uselessValues
      .filter(([type, field]) => node['type'] === type && node[field] === false)
      .map(([, field, reason]) => ({
        path: `/nodes/${escapePointerPart(key)}/${field}`,
        message: `"${field}": false has no effect: ${reason}.`,
      })),
  )
}

/** Returns the keys of a value that its schema does not define, at any depth. */
function unknownKeys(schema: unknown, value: unknown, path: string): UnknownKey[] {
  if (!isJsonObject(schema)) return []
  if (Array.isArray(value))
    return value.flatMap((item, index) => unknownKeys(schema['items'], item, `${path}/${index}`))
  if (!isJsonObject(value)) return []
  const { properties, additionalProperties } = schema
  return Object.entries(value).flatMap(([key, inner]) => {
    const at = `${path}/${escapePointerPart(key)}`
    if (!isJsonObject(properties)) return unknownKeys(additionalProperties, inner, at)
    if (Object.hasOwn(properties, key)) return unknownKeys(properties[key], inner, at)
    if (notePattern.test(key)) return []
    return [{ path: at, key, holder: value, fields: Object.keys(properties) }]
  })
}

function keyWarning({ path, key, holder, fields }: UnknownKey, nodes: UncheckedNode): PlanWarning {
  const type = typeof holder['type'] === 'string' ? holder['type'] : null
  const free = fields.filter((field) => !Object.hasOwn(holder, field))
  const meant = isNodeId(holder[key], nodes) ? edgeMeant(key, type, free) : fieldMeant(key, free)
  const owner = type === null ? 'an object here' : `a node of type ${type}`
  const hint =
    meant === undefined ? `Its fields are: ${fields.join(', ')}.` : `Did you mean "${meant}"?`
  return {
    path,
    message: `"${key}" is not a field of ${owner}, so it has no effect. ${hint}`,
    ...(meant !== undefined && { nearest: meant }),
  }
}

function isNodeId(value: unknown, nodes: UncheckedNode): boolean {
  return typeof value === 'string' && Object.hasOwn(nodes, value)
}

/**
 * Returns the edge to suggest for an unknown key that names a node: the nearest by name, otherwise
 * the first of the type.
 */
function edgeMeant(key: string, type: string | null, free: readonly string[]): string | undefined {
  const edges = listEdgeFields(type ?? '').filter((edge) => free.includes(edge))
  return fieldMeant(key, edges) ?? edges[0]
}

function fieldMeant(key: string, fields: readonly string[]): string | undefined {
  const wanted = bare(key)
  const same = fields.find((field) =>
    [field, ...(otherNames[field]?.split(' ') ?? [])].some((name) => bare(name) === wanted),
  )
  return same ?? findNearestName(key, fields)
}

/** Returns a name without case and separators, so that ring_seconds equals ringSeconds. */
function bare(name: string): string {
  return name.replaceAll(/[^\p{L}\p{N}]/gu, '').toLowerCase()
}
