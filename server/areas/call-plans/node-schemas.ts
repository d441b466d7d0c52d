/**
 * The node types of a call plan. The same schemas document the API, check the fields of a node
 * (validate.ts) and find unknown keys (warnings.ts). Unknown keys are stored. The `title` of a
 * field completes "must be …" in a validation message.
 */
import { Type, type Static } from 'typebox'
import { named } from '../../contract/named.ts'
import {
  common,
  E164,
  edge,
  LABEL_CHARACTERS_MAX,
  Language,
  mapOf,
  nodeId,
  planLimits,
  spoken,
  TEXT_CHARACTERS_MAX,
  wholeNumber,
  labelSchema,
} from './node-fields.ts'
import { Schedule } from './schedule-schema.ts'

const ForwardTarget = named(
  'ForwardTarget',
  Type.Object(
    {
      kind: Type.Literal('external', {
        description: "'external': a phone number. 'user' is refused (team_targets_not_allowed).",
        examples: ['external'],
      }),
      e164: E164,
      label: Type.Optional(labelSchema('Name for people. Not spoken.', 'Anna')),
    },
    { description: 'A phone number to ring.' },
  ),
)

const Forward = named(
  'ForwardNode',
  Type.Object(
    {
      ...common('forward'),
      strategy: Type.Enum(['sequential', 'parallel'], {
        description: "'sequential': one after the other. 'parallel': all at once.",
        examples: ['sequential'],
      }),
      targets: Type.Array(ForwardTarget, {
        minItems: 1,
        maxItems: planLimits.targets_max,
        description: 'Numbers to ring, in this order.',
        examples: [[{ kind: 'external', e164: '+31201234567' }]],
      }),
      ringSeconds: Type.Optional(
        wholeNumber(
          [
            planLimits.ring_seconds_min,
            planLimits.ring_seconds_max,
            planLimits.ring_seconds_default,
          ],
          'Seconds that each target rings (parallel: all of them together).',
        ),
      ),
      onNoAnswer: edge('when nobody answers. Without it the call ends as missed'),
      onBusy: edge('when all targets are busy. Without it onNoAnswer'),
      onFailed: edge('when no target could be reached. Without it onNoAnswer'),
    },
    { description: 'Rings phone numbers and connects the caller to the first that answers.' },
  ),
)

const TransferTarget = named(
  'TransferTarget',
  Type.Object(
    {
      id: nodeId('Name by which the assistant picks this target.', 'sales'),
      label: Type.String({
        minLength: 1,
        maxLength: LABEL_CHARACTERS_MAX,
        description: 'Name of the person or department.',
        examples: ['Sales'],
      }),
      e164: E164,
      when: Type.Optional(
        Type.String({
          maxLength: TEXT_CHARACTERS_MAX,
          description: 'When to transfer to it.',
          examples: ['The caller asks about an order.'],
        }),
      ),
    },
    { description: 'A phone number the assistant may transfer the caller to.' },
  ),
)

const AiAgent = named(
  'AiAgentNode',
  Type.Object(
    {
      ...common('ai_agent'),
      greeting: Type.Optional(
        spoken("Said first, instead of the assistant's own greeting.", 'Mill Bakery, good day.'),
      ),
      instructions: Type.Optional(
        spoken("Added to the assistant's own instructions.", 'Ask for the order number.'),
      ),
      language: Type.Optional(Language),
      maxSeconds: Type.Optional(wholeNumber([10, 3_600], 'Longest conversation, in seconds.')),
      allowTransfer: Type.Optional(
        Type.Boolean({
          default: true,
          description: 'Whether the assistant may transfer the call.',
        }),
      ),
      transferTargets: Type.Optional(
        Type.Array(TransferTarget, {
          minItems: 1,
          maxItems: planLimits.targets_max,
          description: 'Phone numbers the assistant may transfer the caller to.',
          examples: [[{ id: 'sales', label: 'Sales', e164: '+31201234567' }]],
        }),
      ),
      onEnd: edge('when the conversation is over. Without it the call ends'),
      onTransfer: edge('when the assistant transfers and names no target'),
      onUnavailable: edge('when the assistant cannot answer. Without it the call ends as failed'),
      onMaxDuration: edge('after maxSeconds. Without it the call ends'),
    },
    { description: 'Hands the call to the assistant.' },
  ),
)

const ReadText = named(
  'ReadTextNode',
  Type.Object(
    {
      ...common('readText'),
      text: spoken('Read to the caller.', 'We are moving to Mill Street 5.'),
      language: Type.Optional(Language),
      voice: Type.Optional(
        Type.String({
          minLength: 1,
          maxLength: LABEL_CHARACTERS_MAX,
          description: "Name of a voice of the line's provider.",
          examples: ['en-GB-standard'],
        }),
      ),
      repeat: Type.Optional(wholeNumber([1, 3, 1], 'How often it is read.')),
      bargeIn: Type.Optional(
        Type.Boolean({ default: false, description: 'Whether speaking stops the text.' }),
      ),
      next: edge('afterwards. Without it the call ends'),
    },
    { description: 'Reads a text to the caller.' },
  ),
)

const menuKeys = {
  minProperties: 1,
  propertyNames: { pattern: '^[0-9*#]$' },
}

const Menu = named(
  'MenuNode',
  Type.Object(
    {
      ...common('menu'),
      prompt: Type.Object(
        {
          text: spoken('Read to the caller.', 'Press 1 for sales, or 2 for anything else.'),
          language: Type.Optional(Language),
        },
        {
          description: 'What the caller hears at each attempt.',
          examples: [{ text: 'Press 1 for sales, or 2 for anything else.' }],
        },
      ),
      options: mapOf(nodeId('Id of the node that follows this key.'), {
        ...menuKeys,
        description: 'Node by the key that the caller presses: 0 to 9, * or #.',
        examples: [{ 1: 'sales', 2: 'assistant' }],
      }),
      speech: Type.Optional(
        mapOf(Type.Array(spoken('A word or words.', 'an order'), { minItems: 1, maxItems: 20 }), {
          ...menuKeys,
          description: 'Words by key: a caller who says one of them chooses that option.',
          examples: [{ 1: ['sales', 'an order'] }],
        }),
      ),
      timeoutSeconds: Type.Optional(
        wholeNumber(
          [1, 60, planLimits.menu_timeout_seconds_default],
          'Seconds to wait for a choice at each attempt.',
        ),
      ),
      attempts: Type.Optional(
        wholeNumber([1, 5, planLimits.menu_attempts_default], 'How often the prompt is read.'),
      ),
      onNoInput: edge('when the last attempt brought nothing. Without it the call ends'),
      onInvalid: edge('when the last choice was not an option. Without it onNoInput'),
    },
    { description: 'Lets the caller choose with a key or, with speech, a word.' },
  ),
)

const OpeningHours = named(
  'OpeningHoursNode',
  Type.Object(
    {
      ...common('openingHours'),
      source: Type.Enum(['assistant', 'custom'], {
        description:
          "'assistant': the opening hours of the assistant's settings. 'custom': those of schedule.",
        examples: ['assistant'],
      }),
      schedule: Type.Optional(Schedule),
      onOpen: nodeId('Id of the node that follows while open.', 'reception'),
      onClosed: nodeId('Id of the node that follows while closed.'),
      onHoliday: edge('when closed on a date of the exceptions. Without it onClosed'),
    },
    { description: 'Goes on by whether the business is open when the call comes in.' },
  ),
)

const CallerRule = named(
  'CallerRule',
  Type.Object(
    {
      prefixes: Type.Optional(
        Type.Array(
          Type.String({
            pattern: '^\\+[0-9]{1,15}$',
            title: 'the beginning of a phone number, such as +31',
            description: 'Beginning of a phone number, with the plus and the country.',
            examples: ['+31'],
          }),
          {
            minItems: 1,
            maxItems: 100,
            description: 'Beginnings of phone numbers.',
            examples: [['+31']],
          },
        ),
      ),
      numbers: Type.Optional(
        Type.Array(E164, {
          minItems: 1,
          maxItems: 100,
          description: 'Whole phone numbers.',
          examples: [['+31201234567']],
        }),
      ),
      anonymous: Type.Optional(
        Type.Literal(true, {
          description: 'Callers who do not show their number.',
          examples: [true],
        }),
      ),
      next: nodeId('Id of the node that follows when the rule matches.'),
    },
    { description: 'Matches a caller by at least one of prefixes, numbers and anonymous.' },
  ),
)

const CallerMatch = named(
  'CallerMatchNode',
  Type.Object(
    {
      ...common('callerMatch'),
      rules: Type.Array(CallerRule, {
        minItems: 1,
        maxItems: 20,
        description: 'Tried in this order.',
        examples: [[{ prefixes: ['+31'], next: 'reception' }]],
      }),
      default: nodeId('Id of the node that follows when no rule matches.'),
    },
    { description: 'Goes on by the number of the caller.' },
  ),
)

const Hangup = named(
  'HangupNode',
  Type.Object(
    {
      ...common('hangup'),
      text: Type.Optional(
        spoken('Read to the caller first. A call that is read to is answered.', 'Goodbye.'),
      ),
      language: Type.Optional(Language),
      cause: Type.Optional(
        Type.Enum(['normal', 'busy', 'reject'], {
          default: 'normal',
          description: 'What the caller hears when nothing has answered the call yet.',
        }),
      ),
    },
    { description: 'Ends the call.' },
  ),
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

/** The field that every node type has. */
export const AnyNode = Type.Object({ id: common('').id })

export const PlanNode = named(
  'CallPlanNode',
  Type.Union([Forward, AiAgent, ReadText, Menu, OpeningHours, CallerMatch, Hangup], {
    description: 'A node of a call plan. Its type decides its fields.',
  }),
)

export type PlanNode = Static<typeof PlanNode>
export type Forward = Static<typeof Forward>
export type AiAgent = Static<typeof AiAgent>
export type ReadText = Static<typeof ReadText>
export type Menu = Static<typeof Menu>
export type OpeningHours = Static<typeof OpeningHours>
export type CallerMatch = Static<typeof CallerMatch>
export type Hangup = Static<typeof Hangup>
