/**
 * Tests of every fault of a plan, alone and combined, and of the refusals of targets, which are
 * checked after them.
 */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { planLimits } from '../nodes/node-fields.ts'
import type { NumberFacts } from '../targets.ts'
import { findFaults, isPlan, findTargetRefusal } from './validate.ts'

type Node = Record<string, unknown>

const types =
  'forward, ai_agent, readText, menu, openingHours, callerMatch, playAudio, voicemail, sendSms, ' +
  'goto, hangup'
const media_id = '01890b2c-7d4e-7a1b-9c3d-5e6f7a8b9c0d'

const hangup = (id: string, more: Node = {}): Node => ({ id, type: 'hangup', ...more })
const target = (e164: string) => ({ kind: 'external', e164 })
const forward = (more: Node = {}): Node => ({
  id: 'a',
  type: 'forward',
  strategy: 'sequential',
  targets: [target('+31201234567')],
  ...more,
})
const menu = (more: Node = {}): Node => ({
  id: 'a',
  type: 'menu',
  prompt: { text: 'Press 1.' },
  options: { 1: 'b' },
  ...more,
})
const hours = (more: Node = {}): Node => ({
  id: 'a',
  type: 'openingHours',
  source: 'custom',
  schedule: { timezone: 'Europe/Amsterdam', week: { mon: [{ from: '09:00', to: '17:00' }] } },
  onOpen: 'b',
  onClosed: 'b',
  ...more,
})
const schedule = (more: Node) =>
  hours({ schedule: { timezone: 'Europe/Amsterdam', week: {}, ...more } })
const callers = (rules: unknown[]): Node => ({ id: 'a', type: 'callerMatch', rules, default: 'b' })

/** Returns a plan that starts at node "a" and can continue to node "b". */
const planOf = (a: unknown, others: Record<string, unknown> = {}) => ({
  entry: 'a',
  nodes: { a, b: hangup('b'), ...others },
})

const check = (plan: unknown) => findFaults(plan, Buffer.byteLength(JSON.stringify(plan)))
const faultTexts = (plan: unknown) => check(plan).map(({ path, message }) => `${path} ${message}`)

describe('a plan is accepted', () => {
  const plans: Record<string, unknown> = {
    'with every field of a forward node': planOf(
      forward({
        strategy: 'parallel',
        targets: [{ ...target('+31201234567'), label: 'Desk' }, target('+31612345678')],
        ringSeconds: 120,
        onNoAnswer: 'b',
        onBusy: 'b',
        onFailed: 'b',
        label: 'Team',
      }),
    ),
    'with every field of an ai_agent node': planOf({
      id: 'a',
      type: 'ai_agent',
      greeting: 'Hello.',
      instructions: 'Be brief.',
      language: 'en-GB',
      maxSeconds: 600,
      allowTransfer: true,
      transferTargets: [{ id: 'desk', label: 'Desk', e164: '+31201234567', when: 'Always.' }],
      onEnd: 'b',
      onTransfer: 'b',
      onUnavailable: 'b',
      onMaxDuration: 'b',
    }),
    'with every field of a readText node': planOf({
      id: 'a',
      type: 'readText',
      text: 'Welcome.',
      language: 'nl',
      voice: 'anna',
      repeat: 3,
      bargeIn: true,
      next: 'b',
    }),
    'with every field of a menu node': planOf(
      menu({
        options: { 1: 'b', 0: 'b', '*': 'b', '#': 'a' },
        speech: { 1: ['sales', 'an order'] },
        timeoutSeconds: 10,
        attempts: 3,
        onNoInput: 'b',
        onInvalid: 'a',
      }),
    ),
    'with every field of an openingHours node': planOf(
      hours({
        schedule: {
          timezone: 'Europe/Amsterdam',
          week: { fri: [{ from: '20:00', to: '02:00' }], sat: [{ from: '00:00', to: '24:00' }] },
          exceptions: [
            { date: '2026-12-25', closed: true, label: 'Christmas' },
            { date: '2026-12-31', ranges: [{ from: '09:00', to: '12:00' }] },
          ],
        },
        onHoliday: 'b',
      }),
    ),
    'with every field of a callerMatch node': planOf(
      callers([
        { prefixes: ['+31'], next: 'b' },
        { numbers: ['+441632960000'], next: 'b' },
        { anonymous: true, next: 'b' },
      ]),
    ),
    'with every field of a playAudio node': planOf({
      id: 'a',
      type: 'playAudio',
      mediaId: media_id,
      repeat: 3,
      next: 'b',
    }),
    'with every field of a voicemail node': planOf({
      id: 'a',
      type: 'voicemail',
      greeting: { text: 'Please leave a message.', language: 'en' },
      maxSeconds: 300,
      beep: false,
      transcribe: true,
      notify: { email: false },
      next: 'b',
    }),
    'with a voicemail that plays its greeting': planOf({
      id: 'a',
      type: 'voicemail',
      greeting: { mediaId: media_id },
    }),
    'with every field of a sendSms node': planOf({
      id: 'a',
      type: 'sendSms',
      text: 'You called {{number}} from {{caller}}.',
      onlyMobile: true,
      next: 'b',
    }),
    'with a goto node to a node': planOf({ id: 'a', type: 'goto', node: 'b' }),
    "with a goto node to the project's plan": planOf({ id: 'a', type: 'goto', plan: 'project' }),
    'with a cycle through a menu and a goto node': planOf(menu({ options: { 1: 'c' } }), {
      c: { id: 'c', type: 'goto', node: 'a' },
    }),
    'with every field of a hangup node': planOf(
      hangup('a', { text: 'Goodbye.', language: 'en', cause: 'reject' }),
    ),
    'with the opening hours of the assistant': planOf(
      hours({ source: 'assistant', schedule: undefined }),
    ),
    'with unknown keys': {
      ...planOf(forward({ screen: { enabled: true }, position: [1, 2] })),
      editor: { zoom: 2 },
    },
    'with an unreachable node': planOf(hangup('a')),
    'with node ids that equal property names': {
      entry: '__proto__',
      nodes: JSON.parse(
        `{"__proto__":{"id":"__proto__","type":"readText","text":"Hi","next":"toString"},
          "toString":{"id":"toString","type":"readText","text":"Hi","next":"1"},
          "1":{"id":"1","type":"hangup"}}`,
      ),
    },
    'with a cycle through a menu': planOf(menu({ options: { 1: 'c' }, onNoInput: 'a' }), {
      c: { id: 'c', type: 'readText', text: 'Closed.', next: 'a' },
    }),
    'with a cycle through a conversation': planOf(
      { id: 'a', type: 'ai_agent', onEnd: 'c' },
      { c: { id: 'c', type: 'readText', text: 'Anything else?', next: 'a' } },
    ),
    'with 64 nodes': {
      entry: 'n0',
      nodes: Object.fromEntries(Array.from({ length: 64 }, (_, n) => [`n${n}`, hangup(`n${n}`)])),
    },
  }
  for (const [name, plan] of Object.entries(plans)) {
    it(name, () => {
      assert.deepEqual(check(plan), [])
      assert.ok(isPlan(plan))
    })
  }
})

describe('a faulty plan', () => {
  const faults: [name: string, plan: unknown, ...expected: string[]][] = [
    ['if it is a list', [], ' must be an object with entry and nodes'],
    ['if it is null', null, ' must be an object with entry and nodes'],
    ['if it is empty', {}, '/entry is required', '/nodes is required'],
    ['if entry is not a string', { ...planOf(hangup('a')), entry: 1 }, '/entry must be a string'],
    ['if nodes is a list', { entry: 'a', nodes: [] }, '/nodes must be an object keyed by node ids'],
    [
      'if it has no nodes',
      { entry: 'a', nodes: {} },
      '/entry names the node "a", which is not in nodes',
      '/nodes must have at least one node',
    ],
    [
      'if entry names no node',
      { entry: 'toString', nodes: { b: hangup('b') } },
      '/entry names the node "toString", which is not in nodes',
    ],
    ['if a node is not an object', planOf('hangup'), '/nodes/a must be an object'],
    ['if a node has no type', planOf({ id: 'a' }), `/nodes/a/type must be one of ${types}`],
    [
      'if a type is unknown, with the other faults of the node',
      planOf({ id: 'x', type: 'constructor' }),
      `/nodes/a/type must be one of ${types}`,
      '/nodes/a/id must be "a", the key of the node',
    ],
    [
      'if a type cannot be converted to a string',
      planOf({ id: 'a', type: { toString: '' } }),
      `/nodes/a/type must be one of ${types}`,
    ],
    ['if a node has no id', planOf({ type: 'hangup' }), '/nodes/a/id is required'],
    [
      'if an id differs from its key, which the pointer escapes',
      planOf(hangup('a'), { 'c/~': hangup('c') }),
      '/nodes/c~1~0/id must be "c/~", the key of the node',
    ],
    [
      'if an edge names a missing node',
      planOf(forward({ onNoAnswer: 'c', onBusy: 'valueOf' })),
      '/nodes/a/onNoAnswer names the node "c", which is not in nodes',
      '/nodes/a/onBusy names the node "valueOf", which is not in nodes',
    ],
    [
      'if an option or a rule names a missing node',
      planOf(menu({ options: { '#': 'c' } }), {
        d: { ...callers([{ anonymous: true, next: 'x' }]), id: 'd' },
      }),
      '/nodes/a/options/# names the node "c", which is not in nodes',
      '/nodes/d/rules/0/next names the node "x", which is not in nodes',
    ],
    [
      'if an edge is not a string',
      planOf(forward({ onNoAnswer: 7 })),
      '/nodes/a/onNoAnswer must be a string',
    ],
    [
      'if a node continues at itself',
      planOf(forward({ onNoAnswer: 'a' })),
      '/nodes/a/onNoAnswer closes a loop without any caller input: a → a',
    ],
    [
      'if nodes form a cycle without input of the caller',
      planOf(forward({ onNoAnswer: 'c' }), {
        c: hours({ id: 'c', onClosed: 'd' }),
        d: { id: 'd', type: 'readText', text: 'Hold on.', next: 'a' },
      }),
      '/nodes/d/next closes a loop without any caller input: a → c → d → a',
    ],
    [
      'if an unavailable assistant is tried endlessly',
      planOf({ id: 'a', type: 'ai_agent', onUnavailable: 'a' }),
      '/nodes/a/onUnavailable closes a loop without any caller input: a → a',
    ],
    [
      'if unreachable nodes form a cycle',
      planOf(hangup('a'), { c: forward({ id: 'c', onFailed: 'c' }) }),
      '/nodes/c/onFailed closes a loop without any caller input: c → c',
    ],
    [
      'if a goto node closes a cycle',
      planOf(
        { id: 'a', type: 'sendSms', text: 'Hello.', next: 'c' },
        {
          c: { id: 'c', type: 'voicemail', next: 'd' },
          d: { id: 'd', type: 'goto', node: 'a' },
        },
      ),
      '/nodes/d/node closes a loop without any caller input: a → c → d → a',
    ],
    [
      'if a goto node leads nowhere, or to a missing node',
      planOf({ id: 'a', type: 'goto' }, { c: { id: 'c', type: 'goto', node: 'x' } }),
      '/nodes/a must have node or plan',
      '/nodes/c/node names the node "x", which is not in nodes',
    ],
    [
      'if a goto node leads to two places, one of them unknown',
      planOf({ id: 'a', type: 'goto', node: 'b', plan: 'other' }),
      '/nodes/a/plan must be one of project',
      '/nodes/a must not have both node and plan',
    ],
    [
      'if the id of a media file is malformed',
      planOf({ id: 'a', type: 'playAudio', mediaId: 'welcome.mp3', repeat: 4 }),
      '/nodes/a/mediaId must be the id of a file of the media library',
      '/nodes/a/repeat must be at most 3',
    ],
    [
      'if a voicemail has faulty limits, two greetings or an address',
      planOf({
        id: 'a',
        type: 'voicemail',
        greeting: { text: 'Hello.', mediaId: media_id },
        maxSeconds: 4,
        notify: { email: 'anna@example.com' },
      }),
      '/nodes/a/maxSeconds must be at least 5',
      '/nodes/a/notify/email must be true or false',
      '/nodes/a/greeting must not have both text and mediaId',
    ],
    [
      'if a greeting of a voicemail is empty',
      planOf({ id: 'a', type: 'voicemail', greeting: {}, maxSeconds: 301 }),
      '/nodes/a/maxSeconds must be at most 300',
      '/nodes/a/greeting must have text or mediaId',
    ],
    [
      'if a text message has no text',
      planOf({ id: 'a', type: 'sendSms' }),
      '/nodes/a/text is required',
    ],
    [
      'if there is no target',
      planOf(forward({ targets: [] })),
      '/nodes/a/targets must have at least 1',
    ],
    [
      'if there are eleven targets',
      planOf(forward({ targets: Array(11).fill(target('+31201234567')) })),
      '/nodes/a/targets must have at most 10',
    ],
    [
      'if targets are missing',
      planOf(forward({ targets: undefined })),
      '/nodes/a/targets is required',
    ],
    [
      'if a target is not an object',
      planOf(forward({ targets: ['+31'] })),
      '/nodes/a/targets/0 must be an object',
    ],
    [
      'if the kind of a target is unknown',
      planOf(forward({ targets: [{ ...target('+31201234567'), kind: 'queue' }] })),
      '/nodes/a/targets/0/kind must be "external"',
    ],
    [
      'if an external target has no number',
      planOf(forward({ targets: [{ kind: 'external' }] })),
      '/nodes/a/targets/0/e164 is required',
    ],
    [
      'if a number is not in E.164 form',
      planOf(
        forward({
          targets: ['0201234567', '+31 20 123 4567', '+0201234567', 31201234567].map((e164) => ({
            kind: 'external',
            e164,
          })),
        }),
      ),
      '/nodes/a/targets/0/e164 must be a phone number in E.164 form, such as +31201234567',
      '/nodes/a/targets/1/e164 must be a phone number in E.164 form, such as +31201234567',
      '/nodes/a/targets/2/e164 must be a phone number in E.164 form, such as +31201234567',
      '/nodes/a/targets/3/e164 must be a string',
    ],
    [
      'if a number contains the trunk zero of its country',
      planOf(forward({ targets: [target('+4402079460123')] })),
      '/nodes/a/targets/0/e164 must be written as +442079460123',
    ],
    [
      'if ringSeconds is too small',
      planOf(forward({ ringSeconds: 4 })),
      '/nodes/a/ringSeconds must be at least 5',
    ],
    [
      'if ringSeconds is too large',
      planOf(forward({ ringSeconds: 121 })),
      '/nodes/a/ringSeconds must be at most 120',
    ],
    [
      'if ringSeconds is not a whole number',
      planOf(forward({ ringSeconds: 5.5 })),
      '/nodes/a/ringSeconds must be a whole number',
    ],
    [
      'if a strategy is unknown',
      planOf(forward({ strategy: 'random' })),
      '/nodes/a/strategy must be one of sequential, parallel',
    ],
    [
      'if a text is empty',
      planOf({ id: 'a', type: 'readText', text: '' }),
      '/nodes/a/text must not be empty',
    ],
    [
      'if a text is too long',
      planOf({ id: 'a', type: 'readText', text: 'x'.repeat(5001) }),
      '/nodes/a/text must have at most 5000 characters',
    ],
    [
      'if a language is not a language tag',
      planOf(hangup('a', { language: 'English please' })),
      '/nodes/a/language must be a language tag such as nl or en-GB',
    ],
    [
      'if an option is not a key of a phone',
      planOf(menu({ options: { 1: 'b', 10: 'b', a: 'b' } })),
      '/nodes/a/options/10 must be a key of the phone: 0 to 9, * or #',
      '/nodes/a/options/a must be a key of the phone: 0 to 9, * or #',
    ],
    [
      'if a menu has no option',
      planOf(menu({ options: {} })),
      '/nodes/a/options must have at least 1',
    ],
    [
      'if a menu has no prompt text',
      planOf(menu({ prompt: {} })),
      '/nodes/a/prompt/text is required',
    ],
    [
      'if a boolean has another type',
      planOf({ id: 'a', type: 'ai_agent', allowTransfer: 'yes' }),
      '/nodes/a/allowTransfer must be true or false',
    ],
    [
      'if the schedule of custom hours is missing',
      planOf(hours({ schedule: undefined })),
      "/nodes/a/schedule is required when source is 'custom'",
    ],
    [
      'if an edge of the opening hours is missing',
      planOf(hours({ onClosed: undefined })),
      '/nodes/a/onClosed is required',
    ],
    [
      'if a day of the week is unknown',
      planOf(schedule({ week: { monday: [] } })),
      '/nodes/a/schedule/week/monday is not a known field',
    ],
    [
      'if a time zone is unknown',
      planOf(schedule({ timezone: 'Mars/Olympus' })),
      '/nodes/a/schedule/timezone must be an IANA time zone such as Europe/Amsterdam',
    ],
    [
      'if a time zone is an offset, which ignores daylight saving time',
      planOf(schedule({ timezone: '+01:00' })),
      '/nodes/a/schedule/timezone must be an IANA time zone such as Europe/Amsterdam',
    ],
    [
      'if a time does not exist',
      planOf(schedule({ week: { mon: [{ from: '24:00', to: '25:00' }] } })),
      '/nodes/a/schedule/week/mon/0/from must be a time such as 09:00',
      '/nodes/a/schedule/week/mon/0/to must be a time such as 17:30',
    ],
    [
      'if a range ends at its start',
      planOf(schedule({ week: { mon: [{ from: '09:00', to: '09:00' }] } })),
      '/nodes/a/schedule/week/mon/0/to must not be the same as from',
    ],
    [
      'if a date does not exist',
      planOf(
        schedule({
          exceptions: [
            { date: '2026-02-30', closed: true },
            { date: 'Easter', closed: true },
          ],
        }),
      ),
      '/nodes/a/schedule/exceptions/1/date must be a date such as 2026-12-25',
      '/nodes/a/schedule/exceptions/0/date must be a date that exists',
    ],
    [
      'if an exception is neither closed nor has ranges',
      planOf(schedule({ exceptions: [{ date: '2026-12-25', closed: false }] })),
      '/nodes/a/schedule/exceptions/0 must have closed: true or ranges',
    ],
    [
      'if a rule has no condition',
      planOf(callers([{ next: 'b' }])),
      '/nodes/a/rules/0 must have prefixes, numbers or anonymous',
    ],
    [
      'if a rule cannot match',
      planOf(callers([{ prefixes: ['31'], anonymous: false, next: 'b' }])),
      '/nodes/a/rules/0/prefixes/0 must be the beginning of a phone number, such as +31',
      '/nodes/a/rules/0/anonymous must be true',
    ],
  ]
  for (const [name, plan, ...expected] of faults) {
    it(`is refused ${name}`, () => assert.deepEqual(faultTexts(withoutUndefined(plan)), expected))
  }

  it('is refused with every fault at once', () => {
    const plan = planOf(
      forward({ strategy: 'random', ringSeconds: 1, onNoAnswer: 'x', targets: [7] }),
      {
        c: menu({ id: 'd', options: { 12: 'b' } }),
        e: 3,
      },
    )
    assert.deepEqual(faultTexts({ ...plan, entry: 'z' }), [
      '/entry names the node "z", which is not in nodes',
      '/nodes/a/strategy must be one of sequential, parallel',
      '/nodes/a/targets/0 must be an object',
      '/nodes/a/ringSeconds must be at least 5',
      '/nodes/c/options/12 must be a key of the phone: 0 to 9, * or #',
      '/nodes/c/id must be "c", the key of the node',
      '/nodes/e must be an object',
      '/nodes/a/onNoAnswer names the node "x", which is not in nodes',
    ])
  })

  it('is refused without further checks if it has 65 nodes', () => {
    const nodes = Object.fromEntries(
      Array.from({ length: 65 }, (_, n) => [`n${n}`, hangup(`n${n}`)]),
    )
    assert.deepEqual(faultTexts({ entry: 'n0', nodes }), [
      '/nodes has 65 nodes, and at most 64 are allowed; they were not checked',
    ])
  })

  it('is refused without further checks if it is over 64 kB, counted in bytes', () => {
    const plan = planOf(hangup('a'))
    assert.deepEqual(findFaults(plan, planLimits.bytes_max), [])
    assert.deepEqual(findFaults(plan, planLimits.bytes_max + 1), [
      {
        path: '',
        message: 'is larger than 64 kB; nothing else was checked',
      },
    ])
  })
})

/** Omits undefined members, as JSON does. */
function withoutUndefined(plan: unknown): unknown {
  return JSON.parse(JSON.stringify(plan))
}

describe('a forward target', () => {
  const own = '+447700900100'
  const number: NumberFacts = { id: 'id', e164: own, type: 'national', test: true }
  const rules = { number, own_numbers: [own, '+447700900101'] }
  const live = { number: { ...number, e164: '+31850000001', test: false }, own_numbers: [] }
  const refused = (plan: unknown, by = rules) => {
    assert.deepEqual(check(plan), [], 'The refusal is no fault.')
    return findTargetRefusal(plan, by)
  }

  it('is refused if its kind is user, before any other target error', () => {
    const targets = [
      { kind: 'user', user_id: 'u1' },
      { kind: 'user', e164: 'nonsense' },
      target('112'),
    ]
    assert.deepEqual(refused(planOf(forward({ targets }))), {
      slug: 'team_targets_not_allowed',
      detail: "A forward target of kind 'user' is not possible; give a phone number instead.",
      errors: [
        { path: '/nodes/a/targets/0', message: "must be of kind 'external'" },
        { path: '/nodes/a/targets/1', message: "must be of kind 'external'" },
      ],
    })
  })

  it('is refused together with all other refused targets in the plan', () => {
    const transferTargets = [{ id: 't', label: 'Pay line', e164: '+31900123456' }]
    const plan = planOf(forward({ targets: [target('+31201234567'), target('112')] }), {
      c: { id: 'c', type: 'ai_agent', transferTargets },
    })
    assert.deepEqual(refused(plan), {
      slug: 'forward_target_not_allowed',
      detail: 'Calls are not forwarded to 112: it is an emergency number.',
      errors: [
        { path: '/nodes/a/targets/1/e164', message: 'is an emergency number' },
        { path: '/nodes/c/transferTargets/0/e164', message: 'is a premium-rate number' },
      ],
    })
  })

  it('is refused with forward_target_not_allowed even if its short number is malformed', () => {
    for (const e164 of ['112', '911', '999', '+112', '+44 999', '+1-911', '1 1 2', '1400']) {
      const refusal = refused(planOf(forward({ targets: [target(e164)] })))
      assert.equal(refusal?.slug, 'forward_target_not_allowed', e164)
    }
  })

  it('is checked only in a plan without faults', () => {
    const plan = planOf(forward({ targets: [target('112')], ringSeconds: 1 }))
    assert.deepEqual(faultTexts(plan), ['/nodes/a/ringSeconds must be at least 5'])
  })

  it('is accepted if it is an ordinary number', () => {
    const targets = [target('+31201234567'), target('+31612345678'), target('+12025550123')]
    assert.equal(refused(planOf(forward({ targets }))), null)
    assert.equal(refused(planOf(forward({ targets })), live), null)
  })

  it('is not checked in a caller rule, because no call goes there', () => {
    assert.equal(refused(planOf(callers([{ numbers: ['+31900123456'], next: 'b' }]))), null)
  })
})
