/** The first steps of a call, for lists of numbers. */
import type { PlanNode } from './nodes/node-schemas.ts'
import type { CallPlan, CallStep } from './schema.ts'

/** Longer outlines would not fit in a list. */
const STEPS_MAX = 4

/** The steps of a call from its start until the caller makes a choice, at most four. */
export function outlinePlan({ entry, nodes }: CallPlan): CallStep[] {
  const seen = new Set<string>()
  const steps: CallStep[] = []
  let node = nodes[entry]
  while (node !== undefined && !seen.has(node.id) && steps.length < STEPS_MAX) {
    seen.add(node.id)
    steps.push({ type: node.type, label: node.label ?? null })
    const next = findUsualEdge(node)
    node = next === undefined ? undefined : nodes[next]
  }
  return steps
}

/** The edge that most calls take; undefined if the call ends or the caller chooses. */
function findUsualEdge(node: PlanNode): string | undefined {
  switch (node.type) {
    case 'forward':
      return node.onNoAnswer
    case 'readText':
    case 'playAudio':
    case 'voicemail':
    case 'sendSms':
      return node.next
    case 'goto':
      return node.node
    case 'openingHours':
      return node.onOpen
    case 'callerMatch':
      return node.default
    default:
      return undefined
  }
}
