/**
 * A call plan as the editor changes it. It may be invalid at any time, because people write JSON
 * beside it; unknown keys stay where they are.
 */
import { isObject, valueAt, withValue, type Json, type JsonObject, type Path } from './json.ts'
import { emptyValue, isRequired, propertiesOf, type NodeSchemas } from './node-schema.ts'
import { exitsOf } from './exits.ts'

export type Plan = JsonObject

export interface PlanStep {
  id: string
  type: string
  node: JsonObject
}

export function entryOf(plan: Plan): string | null {
  return typeof plan['entry'] === 'string' ? plan['entry'] : null
}

/** The nodes that are objects, in the order of the plan. */
export function stepsOf(plan: Plan): PlanStep[] {
  const { nodes } = plan
  if (!isObject(nodes)) return []
  return Object.entries(nodes).flatMap(([id, node]) =>
    isObject(node)
      ? [{ id, type: typeof node['type'] === 'string' ? node['type'] : '', node }]
      : [],
  )
}

export function stepOf(plan: Plan, id: string | null): PlanStep | null {
  return stepsOf(plan).find((step) => step.id === id) ?? null
}

/** The steps in the order in which calls reach them; unreachable ones last. */
export function stepsInOrder(plan: Plan, schemas: NodeSchemas): PlanStep[] {
  const steps = new Map(stepsOf(plan).map((step) => [step.id, step]))
  const seen = new Set<string>()
  const ordered: PlanStep[] = []
  const visit = (id: string): void => {
    const step = steps.get(id)
    if (step === undefined || seen.has(id)) return
    seen.add(id)
    ordered.push(step)
    for (const { to } of exitsOf(schemas[step.type], step.node)) if (to !== null) visit(to)
  }
  const entry = entryOf(plan)
  if (entry !== null) visit(entry)
  return [...ordered, ...[...steps.values()].filter(({ id }) => !seen.has(id))]
}

export function withNode(plan: Plan, id: string, node: JsonObject): Plan {
  const nodes = isObject(plan['nodes']) ? plan['nodes'] : {}
  return { ...plan, nodes: { ...nodes, [id]: node } }
}

/** Sets a field of a node; undefined removes it. */
export function withField(plan: Plan, path: Path, value: Json | undefined): Plan {
  const changed = withValue(plan, path, value)
  return isObject(changed) ? changed : plan
}

/** A new node of a type with its required fields empty, and its free id. */
export function newNode(plan: Plan, type: string, schemas: NodeSchemas): [string, JsonObject] {
  const schema = schemas[type]
  const id = freeId(plan, type)
  const fields = propertiesOf(schema)
    .filter(([name]) => isRequired(schema, name) && name !== 'id')
    .map(([name, one]) => [name, emptyValue(one)] as const)
  return [id, { id, ...Object.fromEntries(fields) }]
}

const idNames: Readonly<Record<string, string>> = {
  forward: 'ring',
  ai_agent: 'assistant',
  readText: 'text',
  openingHours: 'hours',
  callerMatch: 'caller',
  playAudio: 'audio',
  sendSms: 'sms',
  hangup: 'end',
}

function freeId(plan: Plan, type: string): string {
  const name = idNames[type] ?? type
  const taken = new Set(stepsOf(plan).map(({ id }) => id))
  if (!taken.has(name)) return name
  let number = 2
  while (taken.has(`${name}-${number}`)) number += 1
  return `${name}-${number}`
}

/** Removes a node, and every edge that led to it. The next one becomes the first if needed. */
export function withoutNode(plan: Plan, id: string, schemas: NodeSchemas): Plan {
  const nodes = isObject(plan['nodes']) ? plan['nodes'] : {}
  const left = Object.fromEntries(Object.entries(nodes).filter(([key]) => key !== id))
  const cut = withEdges({ ...plan, nodes: left }, schemas, (to) => (to === id ? null : to))
  if (entryOf(plan) !== id) return cut
  const gone = stepOf(plan, id)
  const next = gone && exitsOf(schemas[gone.type], gone.node).find(({ to }) => to !== null)
  return { ...cut, entry: next?.to ?? Object.keys(left)[0] ?? '' }
}

/** Gives a node another id, in every edge too. */
export function withRenamed(
  plan: Plan,
  ids: [from: string, to: string],
  schemas: NodeSchemas,
): Plan {
  const [from, to] = ids
  const nodes = isObject(plan['nodes']) ? plan['nodes'] : {}
  const renamed = Object.fromEntries(
    Object.entries(nodes).map(([key, node]) =>
      key === from && isObject(node) ? [to, { ...node, id: to }] : [key, node],
    ),
  )
  const moved = withEdges({ ...plan, nodes: renamed }, schemas, (id) => (id === from ? to : id))
  return entryOf(plan) === from ? { ...moved, entry: to } : moved
}

function withEdges(plan: Plan, schemas: NodeSchemas, change: (to: string) => string | null): Plan {
  let changed = plan
  for (const { id, type, node } of stepsOf(plan)) {
    for (const { path, to, isOptional } of exitsOf(schemas[type], node)) {
      const next = to === null ? null : change(to)
      if (next === to) continue
      const at = ['nodes', id, ...path]
      changed = withField(changed, at, next ?? (isOptional ? undefined : ''))
    }
  }
  return changed
}

/** The label of a node, otherwise null. */
export function labelOf({ node }: PlanStep): string | null {
  const label = valueAt(node, ['label'])
  return typeof label === 'string' && label.trim() !== '' ? label : null
}
