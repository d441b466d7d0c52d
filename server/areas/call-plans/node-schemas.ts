/**
 * The nodes a call plan is made of. The same schemas document the API and check the fields of a
 * node (validate.ts), so that the two cannot drift apart. Keys that a node does not have are
 * kept. A `title` here reads on after "must be" in the message of a fault.
 */
import { Type, type Static, type TSchema } from 'typebox'

export const planLimits = {
  nodes_max: 64,
  bytes_max: 65_536,
  targets_max: 10,
  ring_seconds_min: 5,
  ring_seconds_max: 120,
  ring_seconds_default: 25,
  menu_attempts_default: 2,
  menu_timeout_seconds_default: 5,
} as const

const NODE_ID_CHARACTERS_MAX = 200
const LABEL_CHARACTERS_MAX = 200
const TEXT_CHARACTERS_MAX = 5_000

/** A map by keys that the sender chooses. TypeBox's Record would skip keys with a line break. */
export function mapOf<S extends TSchema>(values: S, options: object) {
  return Type.Unsafe<Record<string, Static<S>>>({
    type: 'object',
    additionalProperties: values,
    ...options,
  })
}

export const nodeId = (description: string) =>
  Type.String({ minLength: 1, maxLength: NODE_ID_CHARACTERS_MAX, description })

const edge = (when: string) => Type.Optional(nodeId(`Node to go on with ${when}.`))

const spoken = (description: string) =>
  Type.String({ minLength: 1, maxLength: TEXT_CHARACTERS_MAX, description })

const E164 = Type.String({
  pattern: '^\\+[1-9][0-9]{1,14}$',
  title: 'a phone number in E.164 form, such as +31201234567',
  description: 'Phone number in E.164 form.',
  examples: ['+31201234567'],
})

const Language = Type.String({
  pattern: '^[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8})*$',
  title: 'a language tag such as nl or en-GB',
  description: 'Language to speak. Without it the language of the assistant.',
  examples: ['nl'],
})

const common = <T extends string>(type: T) => ({
  id: nodeId('The same as the key of this node in nodes.'),
  type: Type.Literal(type),
  label: Type.Optional(
    Type.String({ maxLength: LABEL_CHARACTERS_MAX, description: 'Name for people. Not spoken.' }),
  ),
})

const ForwardTarget = Type.Object(
  {
    kind: Type.Literal('external', {
      description: "'external': a phone number. 'user' is refused (team_targets_not_allowed).",
    }),
    e164: E164,
    label: Type.Optional(Type.String({ maxLength: LABEL_CHARACTERS_MAX })),
  },
  { description: 'A phone number to ring.' },
)

const Forward = Type.Object(
  {
    ...common('forward'),
    strategy: Type.Enum(['sequential', 'parallel'], {
      description: "'sequential': one after the other. 'parallel': all at once.",
    }),
    targets: Type.Array(ForwardTarget, {
      minItems: 1,
      maxItems: planLimits.targets_max,
      description: 'Numbers to ring, in this order.',
    }),
    ringSeconds: Type.Optional(
      Type.Integer({
        minimum: planLimits.ring_seconds_min,
        maximum: planLimits.ring_seconds_max,
        default: planLimits.ring_seconds_default,
        description: 'How long each target rings (parallel: all of them together).',
      }),
    ),
    onNoAnswer: edge('when nobody answers. Without it the call ends as missed'),
    onBusy: edge('when all targets are busy. Without it onNoAnswer'),
    onFailed: edge('when no target could be reached. Without it onNoAnswer'),
  },
  { description: 'Rings phone numbers and connects the caller to the first that answers.' },
)

const TransferTarget = Type.Object(
  {
    id: nodeId('Name by which the assistant picks this target.'),
    label: Type.String({ minLength: 1, maxLength: LABEL_CHARACTERS_MAX }),
    e164: E164,
    when: Type.Optional(
      Type.String({ maxLength: TEXT_CHARACTERS_MAX, description: 'When to transfer to it.' }),
    ),
  },
  { description: 'A phone number the assistant may transfer the caller to.' },
)

const AiAgent = Type.Object(
  {
    ...common('ai_agent'),
    greeting: Type.Optional(spoken("Said first, instead of the assistant's own greeting.")),
    instructions: Type.Optional(spoken("Added to the assistant's own instructions.")),
    language: Type.Optional(Language),
    maxSeconds: Type.Optional(
      Type.Integer({ minimum: 10, maximum: 3_600, description: 'Longest conversation.' }),
    ),
    allowTransfer: Type.Optional(
      Type.Boolean({ default: true, description: 'Whether the assistant may transfer the call.' }),
    ),
    transferTargets: Type.Optional(
      Type.Array(TransferTarget, { minItems: 1, maxItems: planLimits.targets_max }),
    ),
    onEnd: edge('when the conversation is over. Without it the call ends'),
    onTransfer: edge('when the assistant transfers and names no target'),
    onUnavailable: edge('when the assistant cannot answer. Without it the call ends as failed'),
    onMaxDuration: edge('after maxSeconds. Without it the call ends'),
  },
  { description: 'Hands the call to the assistant.' },
)

const ReadText = Type.Object(
  {
    ...common('readText'),
    text: spoken('Read to the caller.'),
    language: Type.Optional(Language),
    voice: Type.Optional(Type.String({ minLength: 1, maxLength: LABEL_CHARACTERS_MAX })),
    repeat: Type.Optional(
      Type.Integer({ minimum: 1, maximum: 3, default: 1, description: 'How often it is read.' }),
    ),
    bargeIn: Type.Optional(
      Type.Boolean({ default: false, description: 'Whether speaking stops the text.' }),
    ),
    next: edge('afterwards. Without it the call ends'),
  },
  { description: 'Reads a text to the caller.' },
)

const menuKeys = {
  minProperties: 1,
  propertyNames: { pattern: '^[0-9*#]$' },
}

const Menu = Type.Object(
  {
    ...common('menu'),
    prompt: Type.Object(
      { text: spoken('Read to the caller.'), language: Type.Optional(Language) },
      { description: 'What the caller hears at each attempt.' },
    ),
    options: mapOf(nodeId('Node to go on with.'), {
      ...menuKeys,
      description: 'Node by the key that the caller presses: 0 to 9, * or #.',
      examples: [{ 1: 'sales', 2: 'assistant' }],
    }),
    speech: Type.Optional(
      mapOf(Type.Array(spoken('Word or words.'), { minItems: 1, maxItems: 20 }), {
        ...menuKeys,
        description: 'Words by key: a caller who says one of them chooses that option.',
        examples: [{ 1: ['sales', 'an order'] }],
      }),
    ),
    timeoutSeconds: Type.Optional(
      Type.Integer({ minimum: 1, maximum: 60, default: planLimits.menu_timeout_seconds_default }),
    ),
    attempts: Type.Optional(
      Type.Integer({ minimum: 1, maximum: 5, default: planLimits.menu_attempts_default }),
    ),
    onNoInput: edge('when the last attempt brought nothing. Without it the call ends'),
    onInvalid: edge('when the last choice was not an option. Without it onNoInput'),
  },
  { description: 'Lets the caller choose with a key or, with speech, a word.' },
)

const TimeRange = Type.Object(
  {
    from: Type.String({
      pattern: '^([01][0-9]|2[0-3]):[0-5][0-9]$',
      title: 'a time such as 09:00',
      examples: ['09:00'],
    }),
    to: Type.String({
      pattern: '^(([01][0-9]|2[0-3]):[0-5][0-9]|24:00)$',
      title: 'a time such as 17:30',
      examples: ['17:30'],
    }),
  },
  {
    description:
      'Until a later time, or, when `to` is before `from`, until that time on the next day.',
  },
)

const timesOfDay = Type.Array(TimeRange, { maxItems: 10 })
const dayOfWeek = Type.Optional(timesOfDay)

const Schedule = Type.Object(
  {
    timezone: Type.String({
      minLength: 1,
      description: 'IANA time zone.',
      examples: ['Europe/Amsterdam'],
    }),
    week: Type.Object(
      {
        mon: dayOfWeek,
        tue: dayOfWeek,
        wed: dayOfWeek,
        thu: dayOfWeek,
        fri: dayOfWeek,
        sat: dayOfWeek,
        sun: dayOfWeek,
      },
      {
        additionalProperties: false,
        description: 'Opening hours by day of the week. A day left out is closed.',
      },
    ),
    exceptions: Type.Optional(
      Type.Array(
        Type.Object(
          {
            date: Type.String({
              pattern: '^[0-9]{4}-[0-9]{2}-[0-9]{2}$',
              title: 'a date such as 2026-12-25',
              examples: ['2026-12-25'],
            }),
            closed: Type.Optional(Type.Boolean()),
            ranges: Type.Optional(timesOfDay),
            label: Type.Optional(Type.String({ maxLength: LABEL_CHARACTERS_MAX })),
          },
          { description: 'Instead of the week on one date: closed, or other hours (ranges).' },
        ),
        { maxItems: 366 },
      ),
    ),
  },
  { description: "Opening hours of this node's own." },
)

const OpeningHours = Type.Object(
  {
    ...common('openingHours'),
    source: Type.Enum(['assistant', 'custom'], {
      description: "'assistant': the hours set with PUT /assistant. 'custom': schedule.",
    }),
    schedule: Type.Optional(Schedule),
    onOpen: nodeId('Node to go on with while open.'),
    onClosed: nodeId('Node to go on with while closed.'),
    onHoliday: edge('when closed on a date of the exceptions. Without it onClosed'),
  },
  { description: 'Goes on by whether the business is open when the call comes in.' },
)

const CallerRule = Type.Object(
  {
    prefixes: Type.Optional(
      Type.Array(
        Type.String({
          pattern: '^\\+[0-9]{1,15}$',
          title: 'the beginning of a phone number, such as +31',
          examples: ['+31'],
        }),
        { minItems: 1, maxItems: 100 },
      ),
    ),
    numbers: Type.Optional(Type.Array(E164, { minItems: 1, maxItems: 100 })),
    anonymous: Type.Optional(
      Type.Literal(true, { description: 'Callers who do not show their number.' }),
    ),
    next: nodeId('Node to go on with.'),
  },
  { description: 'Matches a caller by at least one of prefixes, numbers and anonymous.' },
)

const CallerMatch = Type.Object(
  {
    ...common('callerMatch'),
    rules: Type.Array(CallerRule, {
      minItems: 1,
      maxItems: 20,
      description: 'Tried in this order.',
    }),
    default: nodeId('Node to go on with when no rule matches.'),
  },
  { description: 'Goes on by the number of the caller.' },
)

const Hangup = Type.Object(
  {
    ...common('hangup'),
    text: Type.Optional(spoken('Read to the caller first. A call that is read to is answered.')),
    language: Type.Optional(Language),
    cause: Type.Optional(
      Type.Enum(['normal', 'busy', 'reject'], {
        default: 'normal',
        description: 'What the caller hears when nothing has answered the call yet.',
      }),
    ),
  },
  { description: 'Ends the call.' },
)

/** The schema of every node type of this version, by the value of `type`. */
export const nodeSchemas = {
  forward: Forward,
  ai_agent: AiAgent,
  readText: ReadText,
  menu: Menu,
  openingHours: OpeningHours,
  callerMatch: CallerMatch,
  hangup: Hangup,
} as const

/** What every node has, of whatever type. */
export const AnyNode = Type.Object({ id: common('').id })

export const PlanNode = Type.Union([
  Forward,
  AiAgent,
  ReadText,
  Menu,
  OpeningHours,
  CallerMatch,
  Hangup,
])

export type PlanNode = Static<typeof PlanNode>
export type Forward = Static<typeof Forward>
export type AiAgent = Static<typeof AiAgent>
export type ReadText = Static<typeof ReadText>
export type Menu = Static<typeof Menu>
export type OpeningHours = Static<typeof OpeningHours>
export type CallerMatch = Static<typeof CallerMatch>
export type Hangup = Static<typeof Hangup>
export type Schedule = Static<typeof Schedule>
