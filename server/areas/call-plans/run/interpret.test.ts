/** Tests that follow calls through plans: commands, edges and the final status. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { CallCommand, CallEvent, CallState } from './call-state.ts'
import type { Hours } from './hours.ts'
import { beginCall, interpret, STEPS_MAX } from './interpret.ts'
import type { PlanNode } from '../nodes/node-schemas.ts'
import type { CallPlan } from '../schema.ts'

const one = '+31201234567'
const two = '+31612345678'
const three = '+442071838750'

type Targets = { kind: 'external'; e164: string }[]
const numbers = (...list: string[]): Targets => list.map((e164) => ({ kind: 'external', e164 }))
const text = (id: string, next?: string): PlanNode => {
  return { id, type: 'readText', text: `Text of ${id}.`, ...(next ? { next } : {}) }
}

/** Creates a plan whose first node is the entry. */
function planOf(...nodes: PlanNode[]): CallPlan {
  return {
    entry: nodes[0]?.id ?? '',
    nodes: Object.fromEntries(nodes.map((node) => [node.id, node])),
  }
}

interface Following {
  from?: string | null
  open?: boolean
  assistant_hours?: Hours
  project_plan?: CallPlan
  /** Whether to omit the event `started`. */
  bare?: boolean
}

interface Followed {
  state: CallState
  /** The commands after each event, as words. */
  said: string[][]
  commands: CallCommand[]
  ignored: (string | null)[]
  /** Status, cause and side that hung up; null while the call continues. */
  ended: string | null
}

function follow(plan: CallPlan, events: CallEvent[], options: Following = {}): Followed {
  const { from = '+31601020304', open = true, assistant_hours = null, project_plan } = options
  let state = beginCall({ plan, assistant_hours, ...(project_plan && { project_plan }) })
  const started: CallEvent = {
    type: 'started',
    at: '2026-03-02T09:00:00.000Z',
    from,
    to: '+447700900100',
  }
  const steps = (options.bare ? events : [started, ...events]).map((event) => {
    const step = interpret(state, event, { isOpen: () => open })
    state = step.state
    return step
  })
  const { outcome } = state
  return {
    state,
    said: steps.map(({ commands }) => commands.map(inWords)),
    commands: steps.flatMap(({ commands }) => commands),
    ignored: steps.map(({ ignored }) => ignored),
    ended: outcome && `${outcome.status}, ${outcome.hangup_cause}, by ${outcome.hangup_by}`,
  }
}

function inWords(command: CallCommand): string {
  switch (command.type) {
    case 'ring':
      return `ring ${command.strategy} ${command.targets.join(' ')} for ${command.ring_seconds} s`
    case 'hand_over':
      return `hand over at ${command.node_id}${command.options.resumed ? ', resumed' : ''}`
    case 'say':
      return `say ${command.text}`
    case 'gather':
      return `ask ${command.text}`
    case 'play':
      return `play ${command.media_id}`
    case 'record':
      return `record ${command.max_seconds} s`
    case 'send_sms':
      return `text ${command.to}: ${command.text}`
    case 'hang_up':
      return `hang up: ${command.cause}`
  }
}

const rang = (
  outcome: 'answered' | 'no_answer' | 'busy' | 'failed',
  target?: string,
): CallEvent => ({
  type: 'ring_ended',
  outcome,
  ...(target ? { target } : {}),
})
const recorded = (left: boolean): CallEvent => ({ type: 'recorded', left })
const texted: CallEvent = { type: 'texted' }
const gone: CallEvent = { type: 'caller_hung_up' }
const spoken: CallEvent = { type: 'said' }
const pressed = (digits: string): CallEvent => ({ type: 'digits', digits })
const silence: CallEvent = { type: 'no_input' }
const completed: CallEvent = { type: 'assistant_ended', reason: 'completed' }
const unavailable: CallEvent = { type: 'assistant_ended', reason: 'unavailable' }
const too_long: CallEvent = { type: 'assistant_ended', reason: 'max_duration' }
const transfer = (
  more: { target_id?: string; e164?: string; by_person?: boolean } = {},
): CallEvent => {
  return { type: 'assistant_ended', reason: 'transfer', ...more }
}

const forward = (more: Partial<Extract<PlanNode, { type: 'forward' }>> = {}): PlanNode => ({
  id: 'team',
  type: 'forward',
  strategy: 'sequential',
  targets: numbers(one),
  ...more,
})
const agent = (more: Partial<Extract<PlanNode, { type: 'ai_agent' }>> = {}): PlanNode => {
  return { id: 'assistant', type: 'ai_agent', ...more }
}

describe('a forward node', () => {
  it('rings a target for 25 seconds by default', () => {
    const { said, ended } = follow(planOf(forward()), [])
    assert.deepEqual(said, [[`ring sequential ${one} for 25 s`]])
    assert.equal(ended, null)
  })

  it('rings its targets in sequence, each for its ringSeconds', () => {
    const plan = planOf(forward({ targets: numbers(one, two, three), ringSeconds: 10 }))
    const { said } = follow(plan, [rang('no_answer'), rang('busy'), rang('answered')])
    assert.deepEqual(said, [
      [`ring sequential ${one} for 10 s`],
      [`ring sequential ${two} for 10 s`],
      [`ring sequential ${three} for 10 s`],
      [],
    ])
  })

  it('rings its targets in parallel, each once', () => {
    const plan = planOf(forward({ strategy: 'parallel', targets: numbers(one, two, one) }))
    assert.deepEqual(follow(plan, []).said, [[`ring parallel ${one} ${two} for 25 s`]])
  })

  it('connects the caller, and ends as forwarded if the target hangs up', () => {
    const { said, ended, state } = follow(planOf(forward()), [
      rang('answered', one),
      { type: 'bridge_ended' },
    ])
    assert.deepEqual(said.slice(1), [[], ['hang up: normal_clearing']])
    assert.equal(ended, 'forwarded, normal_clearing, by callee')
    assert.deepEqual(state.answered, {
      text: false,
      message: false,
      assistant: false,
      person: true,
    })
  })

  it('ends as forwarded if the connected caller hangs up', () => {
    const { ended, said } = follow(planOf(forward()), [rang('answered'), gone])
    assert.equal(ended, 'forwarded, normal_clearing, by caller')
    assert.deepEqual(said.at(-1), [])
  })

  it('ends as missed if nobody answers and the plan has no next node', () => {
    const { ended, said } = follow(planOf(forward()), [rang('no_answer')])
    assert.equal(ended, 'missed, no_answer, by system')
    assert.deepEqual(said.at(-1), ['hang up: no_answer'])
  })

  it('ends as missed if every target is busy or unreachable', () => {
    assert.equal(follow(planOf(forward()), [rang('busy')]).ended, 'missed, user_busy, by system')
    assert.equal(
      follow(planOf(forward()), [rang('failed')]).ended,
      'missed, unspecified, by system',
    )
  })

  it('continues at onNoAnswer, also if busy or failed without their own edges', () => {
    for (const outcome of ['no_answer', 'busy', 'failed'] as const) {
      const plan = planOf(forward({ onNoAnswer: 'sorry' }), text('sorry'))
      assert.deepEqual(follow(plan, [rang(outcome)]).said.at(-1), ['say Text of sorry.'], outcome)
    }
  })

  it('continues at onBusy and onFailed if it has them', () => {
    const plan = planOf(
      forward({ onNoAnswer: 'none', onBusy: 'busy', onFailed: 'failed' }),
      ...['none', 'busy', 'failed'].map((id) => text(id)),
    )
    assert.deepEqual(follow(plan, [rang('busy')]).state.path, ['team', 'busy'])
    assert.deepEqual(follow(plan, [rang('failed')]).state.path, ['team', 'failed'])
    assert.deepEqual(follow(plan, [rang('no_answer')]).state.path, ['team', 'none'])
  })

  it('ranks no answer above busy, and busy above failed', () => {
    const plan = planOf(
      forward({
        targets: numbers(one, two),
        onNoAnswer: 'none',
        onBusy: 'busy',
        onFailed: 'failed',
      }),
      ...['none', 'busy', 'failed'].map((id) => text(id)),
    )
    const last = (...results: CallEvent[]) => follow(plan, results).state.path.at(-1)
    assert.equal(last(rang('no_answer'), rang('busy')), 'none')
    assert.equal(last(rang('failed'), rang('busy')), 'busy')
    assert.equal(last(rang('failed'), rang('failed')), 'failed')
  })

  it('is missed if the caller hangs up during ringing, with the cause of a cancelled call', () => {
    const { ended, said } = follow(planOf(forward()), [gone])
    assert.equal(ended, 'missed, originator_cancel, by caller')
    assert.deepEqual(said.at(-1), [])
  })

  it('is missed if the caller hangs up during ringing after a text, which had answered the call', () => {
    const { ended } = follow(planOf(text('welcome', 'team'), forward()), [spoken, gone])
    assert.equal(ended, 'missed, normal_clearing, by caller')
  })

  it('ends as missed if only a text follows the ringing', () => {
    const { ended } = follow(planOf(forward({ onNoAnswer: 'sorry' }), text('sorry')), [
      rang('busy'),
      spoken,
    ])
    assert.equal(ended, 'missed, normal_clearing, by system')
  })
})

describe('an ai_agent node', () => {
  it('hands the call over with all options of the plan', () => {
    const transferTargets = [{ id: 'desk', label: 'Desk', e164: one }]
    const node = agent({
      greeting: 'Good morning.',
      instructions: 'Be brief.',
      language: 'en',
      maxSeconds: 300,
      allowTransfer: false,
      transferTargets,
    })
    assert.deepEqual(follow(planOf(node), []).commands, [
      {
        type: 'hand_over',
        step: 1,
        node_id: 'assistant',
        options: {
          greeting: 'Good morning.',
          instructions: 'Be brief.',
          language: 'en',
          max_seconds: 300,
          allow_transfer: false,
          transfer_targets: [{ id: 'desk', label: 'Desk', e164: one, when: null }],
          resumed: false,
        },
      },
    ])
  })

  it('leaves options that the plan omits to the assistant', () => {
    const [command] = follow(planOf(agent()), []).commands
    assert.deepEqual(command?.type === 'hand_over' && command.options, {
      greeting: null,
      instructions: null,
      language: null,
      max_seconds: null,
      allow_transfer: true,
      transfer_targets: [],
      resumed: false,
    })
  })

  it('ends as handled by the assistant when the conversation ends', () => {
    const { ended, said } = follow(planOf(agent()), [completed])
    assert.equal(ended, 'ai_handled, normal_clearing, by assistant')
    assert.deepEqual(said.at(-1), ['hang up: normal_clearing'])
  })

  it('ends as handled by the assistant if the caller hangs up', () => {
    assert.equal(follow(planOf(agent()), [gone]).ended, 'ai_handled, normal_clearing, by caller')
  })

  it('is missed if the caller hung up before the line was answered', () => {
    const early: CallEvent = { type: 'caller_hung_up', before_answer: true }
    assert.equal(follow(planOf(agent()), [early]).ended, 'missed, originator_cancel, by caller')
  })

  it('continues at onEnd, and stays handled by the assistant whatever follows', () => {
    const plan = planOf(agent({ onEnd: 'bye' }), text('bye', 'team'), forward())
    assert.deepEqual(follow(plan, [completed]).said.at(-1), ['say Text of bye.'])
    const after = (...events: CallEvent[]) => follow(plan, [completed, spoken, ...events]).ended
    assert.equal(after(rang('no_answer')), 'ai_handled, normal_clearing, by system')
    assert.equal(after(gone), 'ai_handled, normal_clearing, by caller')
    assert.equal(after(rang('answered'), gone), 'forwarded, normal_clearing, by caller')
  })

  it('continues at onUnavailable, and without it ends as failed', () => {
    const plan = planOf(agent({ onUnavailable: 'team' }), forward())
    assert.deepEqual(follow(plan, [unavailable]).state.path, ['assistant', 'team'])
    assert.equal(
      follow(plan, [unavailable, rang('no_answer')]).ended,
      'missed, no_answer, by system',
    )
    assert.equal(follow(planOf(agent()), [unavailable]).ended, 'failed, unspecified, by system')
  })

  it('continues at onMaxDuration, and without it ends at the time limit', () => {
    const plan = planOf(agent({ onMaxDuration: 'bye' }), text('bye'))
    assert.deepEqual(follow(plan, [too_long]).state.path, ['assistant', 'bye'])
    assert.equal(follow(planOf(agent()), [too_long]).ended, 'ai_handled, time_limit, by system')
  })
})

describe('a transfer by the assistant', () => {
  const transferTargets = [
    { id: 'desk', label: 'Desk', e164: one },
    { id: 'sales', label: 'Sales', e164: two },
  ]

  it('rings the named target, in preference to the edge', () => {
    const plan = planOf(agent({ transferTargets, onTransfer: 'team' }), forward())
    const { said, ended } = follow(plan, [transfer({ target_id: 'sales' }), rang('answered'), gone])
    assert.deepEqual(said[1], [`ring sequential ${two} for 25 s`])
    assert.equal(ended, 'forwarded, normal_clearing, by caller')
  })

  it('continues at onTransfer if no target is named', () => {
    const plan = planOf(
      agent({ transferTargets, onTransfer: 'team' }),
      forward({ targets: numbers(three) }),
    )
    assert.deepEqual(follow(plan, [transfer({ e164: two })]).said[1], [
      `ring sequential ${three} for 25 s`,
    ])
    assert.deepEqual(follow(plan, [transfer({ target_id: 'nobody' })]).state.path, [
      'assistant',
      'team',
    ])
  })

  it("rings the number in the assistant's settings if the plan has no target", () => {
    assert.deepEqual(follow(planOf(agent()), [transfer({ e164: two })]).said[1], [
      `ring sequential ${two} for 25 s`,
    ])
  })

  it('rings the first target if none is named', () => {
    const plan = planOf(agent({ transferTargets }))
    assert.deepEqual(follow(plan, [transfer()]).said[1], [`ring sequential ${one} for 25 s`])
  })

  it('returns to the assistant if nobody answers, within the step limit', () => {
    const plan = planOf(agent({ transferTargets }))
    const { said, state } = follow(plan, [transfer(), rang('no_answer')])
    assert.deepEqual(said[2], ['hand over at assistant, resumed'])
    assert.deepEqual(state.path, ['assistant', 'assistant'])
    const again = Array.from({ length: STEPS_MAX }, () => [transfer(), rang('busy')]).flat()
    assert.equal(follow(plan, again).ended, 'ai_handled, time_limit, by system')
  })

  it('ends the conversation if there is no target', () => {
    assert.equal(
      follow(planOf(agent()), [transfer()]).ended,
      'ai_handled, normal_clearing, by assistant',
    )
  })

  it('ends the conversation if the plan does not allow transfers', () => {
    const plan = planOf(
      agent({ transferTargets, allowTransfer: false, onTransfer: 'team' }),
      forward(),
    )
    assert.equal(
      follow(plan, [transfer({ target_id: 'desk' })]).ended,
      'ai_handled, normal_clearing, by assistant',
    )
  })

  it('rings the phone of a person who takes over, whatever the plan allows', () => {
    const plan = planOf(agent({ allowTransfer: false, onTransfer: 'team' }), forward())
    const { said } = follow(plan, [transfer({ e164: two, by_person: true }), gone])
    assert.match(said[1]?.[0] ?? '', /^ring \w+ \+31612345678 /)
  })

  it('is handled by the assistant if the caller hangs up during ringing', () => {
    const plan = planOf(agent({ transferTargets }))
    assert.equal(follow(plan, [transfer(), gone]).ended, 'ai_handled, normal_clearing, by caller')
  })
})

describe('a readText node', () => {
  it('reads its text and ends the call if the plan has no next node', () => {
    const { said, ended } = follow(planOf(text('welcome')), [spoken])
    assert.deepEqual(said, [['say Text of welcome.'], ['hang up: normal_clearing']])
    assert.equal(ended, 'menu_ended, normal_clearing, by system')
  })

  it('repeats its text as configured before it continues', () => {
    const plan = planOf(
      { id: 'a', type: 'readText', text: 'Hello.', repeat: 3, next: 'b' },
      text('b'),
    )
    const { said, commands } = follow(plan, [spoken, spoken, spoken])
    assert.deepEqual(said, [['say Hello.'], ['say Hello.'], ['say Hello.'], ['say Text of b.']])
    assert.deepEqual(
      commands.map((command) => 'step' in command && command.step),
      [1, 2, 3, 4],
    )
  })

  it('passes language, voice and whether the caller may interrupt', () => {
    const plan = planOf({
      id: 'a',
      type: 'readText',
      text: 'Hallo.',
      language: 'nl',
      voice: 'anna',
      bargeIn: true,
    })
    assert.deepEqual(follow(plan, []).commands, [
      {
        type: 'say',
        step: 1,
        node_id: 'a',
        text: 'Hallo.',
        language: 'nl',
        voice: 'anna',
        interruptible: true,
      },
    ])
  })

  it('answers the call, so a caller who then hangs up is not missed', () => {
    assert.equal(
      follow(planOf(text('welcome')), [gone]).ended,
      'menu_ended, normal_clearing, by caller',
    )
  })
})

describe('a menu node', () => {
  const menu = (more: Partial<Extract<PlanNode, { type: 'menu' }>> = {}): PlanNode => ({
    id: 'menu',
    type: 'menu',
    prompt: { text: 'Press 1 or 2.' },
    options: { 1: 'sales', 2: 'service' },
    ...more,
  })
  const nodes = [text('sales'), text('service'), text('other')]

  it('prompts, waits five seconds and takes one key by default', () => {
    assert.deepEqual(follow(planOf(menu(), ...nodes), []).commands, [
      {
        type: 'gather',
        step: 1,
        node_id: 'menu',
        text: 'Press 1 or 2.',
        language: null,
        words: [],
        max_digits: 1,
        timeout_seconds: 5,
      },
    ])
  })

  it('continues at the first key pressed', () => {
    assert.deepEqual(follow(planOf(menu(), ...nodes), [pressed('2')]).state.path, [
      'menu',
      'service',
    ])
    assert.deepEqual(follow(planOf(menu(), ...nodes), [pressed('12')]).state.path, [
      'menu',
      'sales',
    ])
  })

  it('prompts once more after a wrong key or none, and then ends', () => {
    for (const event of [pressed('9'), silence, pressed('')]) {
      const { said, ended } = follow(planOf(menu(), ...nodes), [event, event])
      assert.deepEqual(said.slice(1), [['ask Press 1 or 2.'], ['hang up: normal_clearing']])
      assert.equal(ended, 'menu_ended, normal_clearing, by system')
    }
  })

  it('prompts as often as configured', () => {
    const plan = planOf(menu({ attempts: 1, onNoInput: 'other' }), ...nodes)
    assert.deepEqual(follow(plan, [silence]).state.path, ['menu', 'other'])
    const patient = planOf(menu({ attempts: 5, onNoInput: 'other' }), ...nodes)
    assert.deepEqual(follow(patient, [silence, silence, silence, silence]).state.path, ['menu'])
    assert.deepEqual(follow(patient, [silence, silence, silence, silence, silence]).state.path, [
      'menu',
      'other',
    ])
  })

  it('continues at onInvalid or onNoInput by the last attempt', () => {
    const plan = planOf(menu({ onNoInput: 'sales', onInvalid: 'service' }), ...nodes)
    assert.deepEqual(follow(plan, [silence, pressed('9')]).state.path, ['menu', 'service'])
    assert.deepEqual(follow(plan, [pressed('9'), silence]).state.path, ['menu', 'sales'])
  })

  it('continues at onNoInput after a wrong key without onInvalid', () => {
    const plan = planOf(menu({ onNoInput: 'other' }), ...nodes)
    assert.deepEqual(follow(plan, [pressed('9'), pressed('9')]).state.path, ['menu', 'other'])
  })

  it('accepts words in any case, with or without accents, and prefers the longest match', () => {
    const speech = { 1: ['sales', 'een bestelling'], 2: ['after sales', 'café'] }
    const plan = planOf(menu({ speech }), ...nodes)
    const choice = (said: string) => follow(plan, [{ type: 'heard', text: said }]).state.path.at(-1)
    assert.equal(choice('SALES, please!'), 'sales')
    assert.equal(choice('It is about een  bestelling.'), 'sales')
    assert.equal(choice('after sales'), 'service')
    assert.equal(choice('the Cafe'), 'service')
    assert.equal(choice('wholesales'), 'menu')
    assert.deepEqual(
      follow(plan, []).commands.flatMap((command) => ('words' in command ? command.words : [])),
      ['sales', 'een bestelling', 'after sales', 'café'],
    )
  })

  it('counts unknown words as a wrong choice', () => {
    const plan = planOf(menu({ speech: { 1: ['...'] }, onInvalid: 'other' }), ...nodes)
    const heard: CallEvent = { type: 'heard', text: 'What?' }
    assert.deepEqual(follow(plan, [heard, heard]).state.path, ['menu', 'other'])
  })

  it('ignores words if it accepts keys only', () => {
    const { ignored, state } = follow(planOf(menu(), ...nodes), [{ type: 'heard', text: 'sales' }])
    assert.equal(ignored[1], 'This menu takes keys only.')
    assert.deepEqual(state.phase, { name: 'gathering', attempt: 1 })
  })

  it('ends when the caller hangs up', () => {
    assert.equal(
      follow(planOf(menu(), ...nodes), [gone]).ended,
      'menu_ended, normal_clearing, by caller',
    )
  })

  it('may lead back to itself, until the call has visited fifty nodes', () => {
    const plan = planOf(menu({ options: { 1: 'menu' } }))
    const { ended, state, said } = follow(plan, Array(60).fill(pressed('1')))
    assert.equal(state.path.length, STEPS_MAX)
    assert.equal(ended, 'menu_ended, time_limit, by system')
    assert.deepEqual(said.at(STEPS_MAX), ['hang up: time_limit'])
    assert.deepEqual(said.slice(STEPS_MAX + 1).flat(), [])
  })
})

describe('nodes that decide without a command', () => {
  const hours = (more: object = {}): PlanNode => ({
    id: 'hours',
    type: 'openingHours',
    source: 'assistant',
    onOpen: 'open',
    onClosed: 'closed',
    ...more,
  })
  const assistant_hours: Hours = { timezone: 'UTC', opening_hours: [], closures: [] }
  const callers: PlanNode = {
    id: 'callers',
    type: 'callerMatch',
    rules: [
      { anonymous: true, next: 'withheld' },
      { numbers: ['+31601020304'], next: 'known' },
      { prefixes: ['+32', '+49'], numbers: ['+31699999999'], next: 'abroad' },
    ],
    default: 'others',
  }
  const ends = ['withheld', 'known', 'abroad', 'others'].map((id) => text(id))

  it('choose an edge at once by opening hours', () => {
    const plan = planOf(hours(), text('open'), text('closed'))
    const { said, state } = follow(plan, [], { assistant_hours, open: true })
    assert.deepEqual(said, [['say Text of open.']])
    assert.deepEqual(state.path, ['hours', 'open'])
    assert.deepEqual(follow(plan, [], { assistant_hours, open: false }).state.path, [
      'hours',
      'closed',
    ])
  })

  it('choose an edge at once by caller, in the order of the rules', () => {
    const plan = planOf(callers, ...ends)
    const at = (from: string | null) => follow(plan, [], { from }).state.path.at(-1)
    assert.equal(at(null), 'withheld')
    assert.equal(at('+31601020304'), 'known')
    assert.equal(at('+32470123456'), 'abroad')
    assert.equal(at('+31699999999'), 'abroad')
    assert.equal(at('+442071838750'), 'others')
  })

  it('can follow each other within one event', () => {
    const plan = planOf(hours({ onOpen: 'callers' }), callers, text('closed'), ...ends)
    assert.deepEqual(follow(plan, []).state.path, ['hours', 'callers', 'known'])
  })
})

describe('a hangup node', () => {
  const hangup = (more: Partial<Extract<PlanNode, { type: 'hangup' }>> = {}): PlanNode => {
    return { id: 'end', type: 'hangup', ...more }
  }

  it('reads its text first', () => {
    const { said, ended } = follow(planOf(hangup({ text: 'Goodbye.', cause: 'busy' })), [spoken])
    assert.deepEqual(said, [['say Goodbye.'], ['hang up: normal_clearing']])
    assert.equal(ended, 'menu_ended, normal_clearing, by system')
  })

  it('signals busy or rejected to a caller whose call is unanswered', () => {
    assert.equal(follow(planOf(hangup({ cause: 'busy' })), []).ended, 'busy, user_busy, by system')
    assert.equal(
      follow(planOf(hangup({ cause: 'reject' })), []).ended,
      'blocked, call_rejected, by system',
    )
    assert.equal(follow(planOf(hangup()), []).ended, 'missed, normal_clearing, by system')
  })

  it('signals busy after nobody answered, and the call is missed', () => {
    const plan = planOf(forward({ onNoAnswer: 'end' }), hangup({ cause: 'busy' }))
    assert.equal(follow(plan, [rang('no_answer')]).ended, 'missed, user_busy, by system')
  })

  it('ends with the normal cause if the call was answered', () => {
    const plan = planOf(text('welcome', 'end'), hangup({ cause: 'reject' }))
    assert.equal(follow(plan, [spoken]).ended, 'menu_ended, normal_clearing, by system')
    const handled = planOf(agent({ onEnd: 'end' }), hangup({ cause: 'reject' }))
    assert.equal(follow(handled, [completed]).ended, 'ai_handled, normal_clearing, by system')
  })
})

describe('unexpected events', () => {
  const plan = planOf(forward({ targets: numbers(one, two) }))

  it('are ignored with a reason and leave the state unchanged', () => {
    const before = follow(plan, [])
    for (const event of [
      spoken,
      pressed('1'),
      silence,
      completed,
      { type: 'bridge_ended' } as const,
    ]) {
      const { state, ignored, said } = follow(plan, [event])
      assert.deepEqual(state, before.state)
      assert.equal(ignored[1], `A ${event.type} does not fit a call that is ringing.`)
      assert.deepEqual(said[1], [])
    }
  })

  it('are ignored if they reply to an earlier command', () => {
    const late: CallEvent = { type: 'ring_ended', outcome: 'busy', step: 1 }
    const { ignored, state } = follow(plan, [{ ...late }, late])
    assert.deepEqual(ignored.slice(1), [null, 'It answers step 1, and the call is at step 2.'])
    assert.equal(state.step, 2)
  })

  it('are ignored if they name a phone that is not ringing', () => {
    assert.equal(follow(plan, [rang('answered', two)]).ignored[1], `${two} is not ringing.`)
    assert.equal(follow(plan, [rang('busy', one), rang('answered', two)]).ignored[2], null)
  })

  it('are ignored before the start, and a second start too', () => {
    assert.equal(
      follow(plan, [rang('answered')], { bare: true }).ignored[0],
      'A ring_ended does not fit a call that is new.',
    )
    const again: CallEvent = {
      type: 'started',
      at: '2026-03-02T09:00:00.000Z',
      from: null,
      to: one,
    }
    assert.equal(follow(plan, [again]).ignored[1], 'A started does not fit a call that is ringing.')
  })

  it('are ignored after the end', () => {
    const { ignored, said } = follow(plan, [gone, rang('answered'), gone, { type: 'time_limit' }])
    assert.deepEqual(ignored.slice(2), Array(3).fill('The call has ended.'))
    assert.deepEqual(said.slice(1).flat(), [])
  })
})

describe('a playAudio node', () => {
  it('plays the file as often as it says, and continues', () => {
    const plan = planOf(
      { id: 'tune', type: 'playAudio', mediaId: 'm', repeat: 2, next: 'end' },
      { id: 'end', type: 'hangup' },
    )
    const { said, ended } = follow(plan, [spoken, spoken])
    assert.deepEqual(said, [['play m'], ['play m'], ['hang up: normal_clearing']])
    assert.equal(ended, 'menu_ended, normal_clearing, by system')
  })
})

describe('a voicemail node', () => {
  const mailbox = (more: Partial<Extract<PlanNode, { type: 'voicemail' }>> = {}): PlanNode => ({
    id: 'mailbox',
    type: 'voicemail',
    ...more,
  })

  it('reads or plays its greeting, records, and continues', () => {
    const spoken_greeting = mailbox({ greeting: { text: 'Speak.' }, maxSeconds: 30, next: 'bye' })
    const { said } = follow(planOf(spoken_greeting, text('bye')), [spoken, recorded(true)])
    assert.deepEqual(said, [['say Speak.'], ['record 30 s'], ['say Text of bye.']])
    const played = follow(planOf(mailbox({ greeting: { mediaId: 'm' } })), [spoken])
    assert.deepEqual(played.said, [['play m'], ['record 120 s']])
  })

  it('ends a call as voicemail if there is a message, also if nobody answered before', () => {
    const ends = (...events: CallEvent[]) => follow(planOf(mailbox()), events).ended
    assert.equal(ends(recorded(true)), 'voicemail, normal_clearing, by system')
    assert.equal(
      ends({ type: 'caller_hung_up', left_message: true }),
      'voicemail, normal_clearing, by caller',
    )
    assert.equal(ends(gone), 'menu_ended, normal_clearing, by caller')
    const plan = planOf(forward({ onNoAnswer: 'mailbox' }), mailbox())
    assert.match(follow(plan, [rang('no_answer'), recorded(true)]).ended ?? '', /^voicemail,/)
    assert.match(follow(plan, [rang('no_answer'), recorded(false)]).ended ?? '', /^missed,/)
  })

  it('leaves a call that the assistant handled as it is', () => {
    const plan = planOf(agent({ onEnd: 'mailbox' }), mailbox())
    assert.match(follow(plan, [completed, recorded(true)]).ended ?? '', /^ai_handled,/)
  })
})

describe('a sendSms node', () => {
  const sms: PlanNode = {
    id: 'sms',
    type: 'sendSms',
    text: 'From {{caller}} to {{number}}, {{name}}.',
    next: 'menu',
  }
  const again: PlanNode = { id: 'menu', type: 'menu', prompt: { text: '?' }, options: { 1: 'sms' } }

  it('fills in the numbers, does not answer the call, and sends once', () => {
    const { said, state } = follow(planOf(sms, again), [texted, pressed('1')])
    const filled = 'text +31601020304: From +31601020304 to +447700900100, {{name}}.'
    assert.deepEqual(said, [[filled], ['ask ?'], ['ask ?']])
    assert.deepEqual(state.path, ['sms', 'menu', 'sms', 'menu'])
    const { next: _next, ...last } = sms
    assert.equal(follow(planOf(last), [texted]).ended, 'missed, normal_clearing, by system')
  })

  it('has no recipient if the caller hides their number', () => {
    assert.match(follow(planOf(sms, again), [], { from: null }).said.flat()[0] ?? '', /^text null/)
  })
})

describe('a goto node', () => {
  const to_project: PlanNode = { id: 'leave', type: 'goto', plan: 'project' }

  it('continues at another node', () => {
    const plan = planOf({ id: 'jump', type: 'goto', node: 'a' }, text('b'), text('a'))
    const { said, state } = follow(plan, [])
    assert.deepEqual([said, state.path], [[['say Text of a.']], ['jump', 'a']])
  })

  it("continues in the project's plan, at most once", () => {
    const project_plan = planOf(text('a', 'leave'), to_project)
    const { said, state, ended } = follow(planOf(to_project), [spoken], { project_plan })
    assert.deepEqual(said, [['say Text of a.'], ['hang up: normal_clearing']])
    assert.deepEqual(state.path, ['leave', 'a', 'leave'])
    assert.equal(ended, 'menu_ended, normal_clearing, by system')
  })
})

describe('a call', () => {
  it('can be cancelled before it has started', () => {
    assert.equal(
      follow(planOf(agent()), [gone], { bare: true }).ended,
      'missed, originator_cancel, by caller',
    )
  })

  it('ends at the time limit in any phase, with the status so far', () => {
    const limit: CallEvent = { type: 'time_limit' }
    const { ended, said } = follow(planOf(agent()), [limit])
    assert.equal(ended, 'ai_handled, time_limit, by system')
    assert.deepEqual(said.at(-1), ['hang up: time_limit'])
    assert.equal(
      follow(planOf(forward()), [rang('answered'), limit]).ended,
      'forwarded, time_limit, by system',
    )
    assert.equal(follow(planOf(forward()), [limit]).ended, 'missed, time_limit, by system')
  })

  it('keeps the caller, the number, the start, the visited nodes and the initial plan', () => {
    const plan = planOf(forward({ onNoAnswer: 'assistant' }), agent())
    const { state } = follow(plan, [rang('no_answer')])
    assert.equal(state.at, '2026-03-02T09:00:00.000Z')
    assert.deepEqual([state.from, state.to], ['+31601020304', '+447700900100'])
    assert.deepEqual(state.path, ['team', 'assistant'])
    assert.deepEqual(state.plan, plan)
    assert.deepEqual(state.phase, { name: 'assistant' })
  })

  it('throws if its plan was not validated', () => {
    const broken: CallPlan = { entry: 'toString', nodes: {} }
    assert.throws(() => follow(broken, []), /The plan has a node "toString"/)
  })
})
