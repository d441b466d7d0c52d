/**
 * Tests invariants of every plan and event sequence: generated valid plans receive generated
 * events, most of them expected and some not. fast-check prints the seed of a failure.
 */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { Ajv2020 } from 'ajv/dist/2020.js'
import fc from 'fast-check'
import type { CallCommand, CallEvent, CallState, PlanStep } from './call-state.ts'
import { beginCall, interpret, STEPS_MAX } from './interpret.ts'
import { CallPlan } from '../schema.ts'
import { findFaults, isPlan, findTargetRefusal } from '../validate/validate.ts'

const NODES_MAX = 8
const EVENTS_MAX = 120

const e164s = ['+31201234567', '+31612345678', '+442071838750', '+12025550123']
const e164 = fc.constantFrom(...e164s)
const language = fc.constantFrom('nl', 'en-GB')
const words = fc.string({ minLength: 1, maxLength: 12 })

/**
 * The possible edges of one node: to any node after input of the caller, otherwise only to later
 * nodes, so that no cycle runs without input.
 */
interface Edges {
  any: fc.Arbitrary<string>
  /** undefined if there is no later node. */
  later: fc.Arbitrary<string> | undefined
}

const optional = <T>(value: fc.Arbitrary<T> | undefined) => (value ? { value } : {})

/** An optional member is either present or absent, never undefined, as in JSON. */
function nodeOf(
  required: Record<string, fc.Arbitrary<unknown>>,
  more: Record<string, { value?: fc.Arbitrary<unknown> }>,
) {
  const others = Object.entries(more).flatMap(([name, { value }]) =>
    value ? [[name, value] as const] : [],
  )
  return fc.record(
    { ...required, ...Object.fromEntries(others) },
    { requiredKeys: Object.keys(required) },
  )
}

const makers: Record<string, (edges: Edges) => fc.Arbitrary<object> | undefined> = {
  forward: ({ later }) =>
    nodeOf(
      {
        strategy: fc.constantFrom('sequential', 'parallel'),
        targets: fc.array(fc.record({ kind: fc.constant('external'), e164 }), {
          minLength: 1,
          maxLength: 4,
        }),
      },
      {
        ringSeconds: { value: fc.integer({ min: 5, max: 120 }) },
        onNoAnswer: optional(later),
        onBusy: optional(later),
        onFailed: optional(later),
      },
    ),
  ai_agent: ({ any, later }) =>
    nodeOf(
      {},
      {
        greeting: { value: words },
        instructions: { value: words },
        language: { value: language },
        maxSeconds: { value: fc.integer({ min: 10, max: 3600 }) },
        allowTransfer: { value: fc.boolean() },
        transferTargets: {
          value: fc.array(fc.record({ id: fc.constantFrom('desk', 'sales'), label: words, e164 }), {
            minLength: 1,
            maxLength: 3,
          }),
        },
        onEnd: { value: any },
        onTransfer: { value: any },
        onMaxDuration: { value: any },
        onUnavailable: optional(later),
      },
    ),
  readText: ({ later }) =>
    nodeOf(
      { text: words },
      {
        language: { value: language },
        repeat: { value: fc.integer({ min: 1, max: 3 }) },
        bargeIn: { value: fc.boolean() },
        next: optional(later),
      },
    ),
  menu: ({ any }) =>
    nodeOf(
      {
        prompt: fc.record({ text: words }),
        options: fc.dictionary(fc.constantFrom(...'0123456789*#'), any, {
          minKeys: 1,
          maxKeys: 4,
          noNullPrototype: true,
        }),
      },
      {
        speech: {
          value: fc.dictionary(
            fc.constantFrom('1', '2'),
            fc.array(words, { minLength: 1, maxLength: 2 }),
            {
              minKeys: 1,
              noNullPrototype: true,
            },
          ),
        },
        timeoutSeconds: { value: fc.integer({ min: 1, max: 60 }) },
        attempts: { value: fc.integer({ min: 1, max: 5 }) },
        onNoInput: { value: any },
        onInvalid: { value: any },
      },
    ),
  openingHours: ({ later }) =>
    later &&
    nodeOf(
      { source: fc.constant('assistant'), onOpen: later, onClosed: later },
      { onHoliday: optional(later) },
    ),
  callerMatch: ({ later }) =>
    later &&
    nodeOf(
      {
        rules: fc.array(
          fc.record({ prefixes: fc.constant(['+31']), anonymous: fc.constant(true), next: later }),
          {
            minLength: 1,
            maxLength: 3,
          },
        ),
        default: later,
      },
      {},
    ),
  playAudio: ({ later }) =>
    nodeOf(
      { mediaId: fc.uuid() },
      { repeat: { value: fc.integer({ min: 1, max: 3 }) }, next: optional(later) },
    ),
  voicemail: ({ later }) =>
    nodeOf(
      {},
      {
        greeting: {
          value: fc.oneof(fc.record({ text: words }), fc.record({ mediaId: fc.uuid() })),
        },
        maxSeconds: { value: fc.integer({ min: 5, max: 300 }) },
        beep: { value: fc.boolean() },
        notify: { value: fc.record({ email: fc.boolean() }) },
        next: optional(later),
      },
    ),
  sendSms: ({ later }) =>
    nodeOf(
      { text: fc.constantFrom('Hello {{caller}}', '$& {{number}}') },
      { next: optional(later) },
    ),
  goto: ({ later }) =>
    fc.oneof(
      fc.record({ plan: fc.constant('project') }),
      ...(later ? [fc.record({ node: later })] : []),
    ),
  hangup: () =>
    nodeOf(
      {},
      { text: { value: words }, cause: { value: fc.constantFrom('normal', 'busy', 'reject') } },
    ),
}

/** Ids that could collide with properties of an object. */
const ids = fc.uniqueArray(
  fc.oneof(
    fc.constantFrom('1', '0', '__proto__', 'toString', 'constructor', 'a/b', 'c~d', ' '),
    fc.string({ minLength: 1, maxLength: 4 }),
  ),
  { minLength: 1, maxLength: NODES_MAX },
)

const plans: fc.Arbitrary<CallPlan> = ids.chain((names) => {
  const any = fc.constantFrom(...names)
  const nodes = names.map((id, index) => {
    const after = names.slice(index + 1)
    const later = after.length > 0 ? fc.constantFrom(...after) : undefined
    const kinds = Object.entries(makers).flatMap(([type, make]) => {
      const fields = make({ any, later })
      return fields ? [fields.map((made) => ({ id, type, ...made, unknownKey: true }))] : []
    })
    return fc.oneof(...kinds)
  })
  return fc.tuple(...nodes).map((made) => {
    const nodes = Object.fromEntries(names.map((name, index) => [name, made[index]]))
    const plan: unknown = JSON.parse(JSON.stringify({ entry: names[0], nodes }))
    assert.ok(isPlan(plan))
    return plan
  })
})

const answers = (fields: Record<string, fc.Arbitrary<unknown>>) =>
  fc.record(fields, { requiredKeys: ['type'] })
const typed = (type: CallEvent['type']) => fc.constant(type)
const step = fc.integer({ min: 0, max: 60 })

/** Events as lines send them, expected or not. */
const events: fc.Arbitrary<CallEvent> = fc
  .oneof(
    {
      weight: 1,
      arbitrary: fc.record({
        type: typed('started'),
        at: fc.constant('2026-03-02T09:00:00.000Z'),
        from: fc.option(e164),
        to: e164,
      }),
    },
    {
      weight: 9,
      arbitrary: fc.record({
        type: typed('ring_ended'),
        outcome: fc.constantFrom('answered', 'no_answer', 'no_answer', 'busy', 'failed'),
      }),
    },
    {
      weight: 1,
      arbitrary: fc.record({
        type: typed('ring_ended'),
        outcome: fc.constantFrom('answered', 'busy'),
        target: e164,
        step,
      }),
    },
    { weight: 1, arbitrary: answers({ type: typed('bridge_ended'), step }) },
    { weight: 6, arbitrary: fc.record({ type: typed('said') }) },
    {
      weight: 6,
      arbitrary: fc.record({
        type: typed('digits'),
        digits: fc.string({ unit: fc.constantFrom(...'0123456789*#'), maxLength: 2 }),
      }),
    },
    { weight: 2, arbitrary: fc.record({ type: typed('heard'), text: words }) },
    { weight: 2, arbitrary: answers({ type: typed('no_input'), step }) },
    { weight: 3, arbitrary: fc.record({ type: typed('recorded'), left: fc.boolean() }) },
    { weight: 3, arbitrary: fc.record({ type: typed('texted') }) },
    {
      weight: 6,
      arbitrary: fc.record({
        type: typed('assistant_ended'),
        reason: fc.constantFrom('completed', 'unavailable', 'max_duration'),
      }),
    },
    {
      weight: 3,
      arbitrary: fc.record(
        {
          type: typed('assistant_ended'),
          reason: fc.constant('transfer'),
          target_id: fc.constantFrom('desk', 'sales', 'x'),
          e164,
        },
        { requiredKeys: ['type', 'reason'] },
      ),
    },
  )
  .map((event): CallEvent => JSON.parse(JSON.stringify(event)))

const courses = fc.record({
  plan: plans,
  course: fc.array(events, { maxLength: EVENTS_MAX, size: 'max' }),
  open: fc.array(fc.boolean(), { minLength: 1, maxLength: 5 }),
})

type Course = typeof courses extends fc.Arbitrary<infer T> ? T : never

/** Every step of an event sequence, the starting one first. */
function drive({ plan, course, open }: Course): PlanStep[] {
  let asked = 0
  const world = { isOpen: () => open[asked++ % open.length] === true }
  let state: CallState = beginCall({
    plan,
    project_plan: plan,
    assistant_hours: { timezone: 'UTC', opening_hours: [], closures: [] },
  })
  const started: CallEvent = {
    type: 'started',
    at: '2026-03-02T09:00:00.000Z',
    from: null,
    to: '+447700900100',
  }
  return [started, ...course].map((event) => {
    const step = interpret(state, event, world)
    state = step.state
    return step
  })
}

function lastOf(steps: readonly PlanStep[]): CallState {
  const last = steps.at(-1)
  assert.ok(last)
  return last.state
}

const check = (property: (course: Course) => void) =>
  fc.assert(fc.property(courses, property), { numRuns: 150 })

describe('in every plan and event sequence', () => {
  it('nothing throws, and the number of steps stays within its limit', () => {
    check((course) => {
      for (const { state } of drive(course)) assert.ok(state.path.length <= STEPS_MAX)
    })
  })

  it('a caller who hangs up ends the call, without further commands', () => {
    check((course) => {
      const before = lastOf(drive(course))
      const { state, commands } = interpret(
        before,
        { type: 'caller_hung_up' },
        { isOpen: () => true },
      )
      assert.ok(state.outcome)
      assert.equal(state.phase.name, 'ended')
      assert.deepEqual(commands, [])
    })
  })

  it('commands refer only to nodes and numbers of the plan or the assistant', () => {
    check((course) => {
      for (const { state, commands } of drive(course)) {
        for (const command of commands) assertNamed(course.plan, state, command)
      }
    })
  })

  it('a continuing call waits for exactly one command or is connected', () => {
    check((course) => {
      for (const { state, commands, ignored } of drive(course)) {
        if (ignored !== null || state.phase.name === 'bridged') assert.deepEqual(commands, [])
        else assert.equal(commands.length, 1)
        if (state.outcome === null && commands[0]) assert.notEqual(commands[0].type, 'hang_up')
      }
    })
  })

  it('an ended call stays unchanged and sends no commands', () => {
    check((course) => {
      const steps = drive(course)
      const end = steps.findIndex(({ state }) => state.outcome !== null)
      if (end < 0) return
      for (const { state, commands, ignored } of steps.slice(end + 1)) {
        assert.equal(state, steps[end]?.state)
        assert.deepEqual(commands, [])
        assert.equal(ignored, 'The call has ended.')
      }
    })
  })

  it('the state is plain JSON, and a stored state continues identically', () => {
    check((course) => {
      for (const { state } of drive(course).slice(-3)) {
        const stored: CallState = JSON.parse(JSON.stringify(state))
        assert.deepEqual(stored, state)
        const [one, other] = [state, stored].map((from) =>
          interpret(from, { type: 'said' }, { isOpen: () => true }),
        )
        assert.deepEqual(other, one)
      }
    })
  })

  it('an event does not modify its input state', () => {
    check((course) => {
      const [first] = drive({ ...course, course: [] })
      assert.ok(first)
      const before = structuredClone(first.state)
      for (const event of course.course) interpret(first.state, event, { isOpen: () => true })
      assert.deepEqual(first.state, before)
    })
  })
})

function assertNamed(plan: CallPlan, state: CallState, command: CallCommand): void {
  if (command.type === 'hang_up') return
  assert.equal(command.step, state.step)
  assert.equal(command.node_id, state.path.at(-1))
  assert.ok(Object.hasOwn(plan.nodes, command.node_id))
  if (command.type !== 'ring') return
  const node = plan.nodes[command.node_id]
  const named = node?.type === 'forward' ? node.targets.map((target) => target.e164) : e164s
  for (const target of command.targets) assert.ok(named.includes(target), target)
}

describe('validation of any body sent as a plan', () => {
  const fits = new Ajv2020().addKeyword('x-edge').compile(CallPlan)

  it('finds no faults in a plan that is valid by construction, which also fits the documented schema', () => {
    fc.assert(
      fc.property(plans, (plan) => {
        assert.deepEqual(findFaults(plan, 1000), [])
        assert.ok(fits(plan), JSON.stringify(fits.errors))
      }),
      { numRuns: 150 },
    )
  })

  it('reports a fault or a refusal after one value is replaced, unless the plan still fits that schema', () => {
    const junk = fc.oneof(
      fc.jsonValue({ maxDepth: 1 }),
      fc.constantFrom('user', '112', 'menu', 0, null),
    )
    fc.assert(
      fc.property(plans, fc.nat(), junk, (plan, place, value) => {
        const text = JSON.stringify(plan)
        let at = 0
        const size = text.split(/[,{[]/).length
        const changed: unknown = JSON.parse(text, (_, inner) =>
          at++ === place % size ? value : inner,
        )
        const faults = findFaults(changed, 1000)
        assert.ok(faults.every(({ path, message }) => /^(\/|$)/.test(path) && message !== ''))
        if (faults.length === 0 && findTargetRefusal(changed, rules) === null) {
          assert.ok(isPlan(changed))
          assert.ok(fits(changed), JSON.stringify(fits.errors))
        }
      }),
      { numRuns: 400 },
    )
  })

  it('reports faults for any other JSON value, without throwing', () => {
    fc.assert(fc.property(fc.jsonValue(), (value) => assert.ok(findFaults(value, 1000).length > 0)))
    const nodes = fc.dictionary(fc.string(), fc.jsonValue())
    fc.assert(fc.property(nodes, (made) => void findFaults({ entry: 'a', nodes: made }, 1000)))
  })
})

const rules = {
  number: { id: 'id', e164: '+447700900100', type: 'national', test: true } as const,
  own_numbers: [],
}
