/**
 * Tests that each event type that an area emits has exactly one source among the manifests that
 * app.ts lists.
 */
import { isEventType, type EventType } from '../../../server/contract/event-types.ts'
import { withoutComments } from '../code.ts'
import { filesOf, findIn, architectureRuleOn, isTest, readTree, type Tree } from '../tree.ts'

interface Facts {
  tree: Tree
  /** The type of every source in the manifests. */
  sources: readonly string[]
}

function eventFaults({ tree, sources }: Facts): string[] {
  const code = filesOf(tree, /^server\/areas\/[^/]+\/(?!events\.ts|schema\.ts).*\.ts$/)
  const emitted = code
    .filter(([path]) => !isTest(path))
    .flatMap(([path, text]) =>
      findIn(withoutComments(text), /'([a-z_]+(?:\.[a-z_]+)+)'/g).flatMap(({ line, match }) => {
        const [, type = ''] = match
        return isEventType(type) ? [{ at: `${path}:${line}:`, type }] : []
      }),
    )
  const twice = sources.filter((type, index) => sources.indexOf(type) !== index)
  return [
    ...emitted
      .filter(({ type }) => !sources.includes(type))
      .map(
        ({ at, type }) =>
          `${at} ${type} has no source. Declare it in events.ts and name that in area.ts.`,
      ),
    ...twice.map(
      (type) => `server/app.ts:1: ${type} has two sources. Keep the one of the area it belongs to.`,
    ),
  ]
}

function isSource(value: unknown): value is { type: EventType } {
  return typeof value === 'object' && value !== null && 'type' in value && 'load' in value
}

const tree = {
  'server/areas/a/service.ts': "await webhooks.emit(tx, runtime, { type: 'call.completed' })",
}

architectureRuleOn('every event that is emitted has exactly one source', eventFaults, {
  refuses: [
    { tree, sources: ['balance.low'] },
    { tree, sources: ['call.completed', 'balance.low', 'balance.low'] },
  ],
  accepts: {
    tree: {
      ...tree,
      'server/areas/a/a.test.ts': "'balance.low'",
      'server/areas/a/b.ts': "// 'order.paid'\n'not.an.event'",
    },
    sources: ['call.completed'],
  },
  async real() {
    const app: Record<string, unknown> = await import('../../../server/app.ts')
    const lists = Object.values(app).filter((value) => Array.isArray(value))
    return {
      tree: readTree(),
      sources: lists
        .flat()
        .filter(isSource)
        .map(({ type }) => type),
    }
  },
})
