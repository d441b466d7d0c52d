/**
 * The node types of a call plan. The same schemas document the API, check the fields of a node
 * (validate.ts) and find unknown keys (warnings.ts). Unknown keys are stored. The `title` of a
 * field completes "must be …" in a validation message.
 */
import { Type, type Static } from 'typebox'
import { nameSchema } from '../../../contract/schema/named.ts'
import {
  commonFields,
  E164,
  edgeSchema,
  LABEL_CHARACTERS_MAX,
  Language,
  createMapSchema,
  nextNodeSchema,
  nodeIdSchema,
  planLimits,
  spokenTextSchema,
  TEXT_CHARACTERS_MAX,
  wholeNumberSchema,
  labelSchema,
} from './node-fields.ts'
import { Goto, PlayAudio, SendSms, Voicemail } from './message-nodes.ts'
import { Schedule } from './schedule-schema.ts'

const ForwardTarget = nameSchema(
  'ForwardTarget',
  Type.Object(
    {
      kind: Type.Literal('external', {
        description: "'external': a phone number. 'user' is refused with team_targets_not_allowed.",
        examples: ['external'],
      }),
      e164: E164,
      label: Type.Optional(labelSchema('Name for people. Not spoken.', 'Anna')),
    },
    { description: 'A phone number to ring.' },
  ),
)

const Forward = nameSchema(
  'ForwardNode',
  Type.Object(
    {
      ...commonFields('forward'),
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
        wholeNumberSchema(
          [
            planLimits.ring_seconds_min,
            planLimits.ring_seconds_max,
            planLimits.ring_seconds_default,
          ],
          'Seconds that each target rings; with parallel, seconds for all of them together.',
        ),
      ),
      onNoAnswer: edgeSchema('when nobody answers. Without it the call ends as missed'),
      onBusy: edgeSchema('when all targets are busy. Without it onNoAnswer'),
      onFailed: edgeSchema('when no target could be reached. Without it onNoAnswer'),
    },
    { description: 'Rings phone numbers and connects the caller to the first that answers.' },
  ),
)

const TransferTarget = nameSchema(
  'TransferTarget',
  Type.Object(
    {
      id: nodeIdSchema('Name by which the assistant picks this target.', 'sales'),
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
          description: 'Condition for a transfer to this target.',
          examples: ['The caller asks about an order.'],
        }),
      ),
    },
    { description: 'A phone number the assistant may transfer the caller to.' },
  ),
)

const AiAgent = nameSchema(
  'AiAgentNode',
  Type.Object(
    {
      ...commonFields('ai_agent'),
      greeting: Type.Optional(
        spokenTextSchema(
          "Opening sentence that replaces the assistant's own greeting.",
          'Mill Bakery, good day.',
        ),
      ),
      instructions: Type.Optional(
        spokenTextSchema(
          'Instructions added to those of the assistant.',
          'Ask for the order number.',
        ),
      ),
      language: Type.Optional(Language),
      maxSeconds: Type.Optional(
        wholeNumberSchema([10, 3_600], 'Maximum length of the conversation, in seconds.'),
      ),
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
      onEnd: edgeSchema('when the conversation is over. Without it the call ends'),
      onTransfer: edgeSchema('when the assistant transfers and names no target'),
      onUnavailable: edgeSchema(
        'when the assistant cannot answer. Without it the call ends as failed',
      ),
      onMaxDuration: edgeSchema('after maxSeconds. Without it the call ends'),
    },
    { description: 'Hands the call to the assistant.' },
  ),
)

const ReadText = nameSchema(
  'ReadTextNode',
  Type.Object(
    {
      ...commonFields('readText'),
      text: spokenTextSchema('Read to the caller.', 'We are moving to Mill Street 5.'),
      language: Type.Optional(Language),
      voice: Type.Optional(
        Type.String({
          minLength: 1,
          maxLength: LABEL_CHARACTERS_MAX,
          description: "Voice name of the phone line's provider.",
          examples: ['en-GB-standard'],
        }),
      ),
      repeat: Type.Optional(wholeNumberSchema([1, 3, 1], 'How many times the text is read.')),
      bargeIn: Type.Optional(
        Type.Boolean({
          default: false,
          description: 'Whether speech of the caller stops the text.',
        }),
      ),
      next: edgeSchema('afterwards. Without it the call ends'),
    },
    { description: 'Reads a text to the caller.' },
  ),
)

const menuKeys = {
  minProperties: 1,
  propertyNames: { pattern: '^[0-9*#]$' },
}

const Menu = nameSchema(
  'MenuNode',
  Type.Object(
    {
      ...commonFields('menu'),
      prompt: Type.Object(
        {
          text: spokenTextSchema(
            'Read to the caller.',
            'Press 1 for sales, or 2 for anything else.',
          ),
          language: Type.Optional(Language),
        },
        {
          description: 'Prompt read to the caller at each attempt.',
          examples: [{ text: 'Press 1 for sales, or 2 for anything else.' }],
        },
      ),
      options: createMapSchema(nextNodeSchema('Id of the node that follows this key.'), {
        ...menuKeys,
        description: 'Next node id by pressed key: 0 to 9, * or #.',
        examples: [{ 1: 'sales', 2: 'assistant' }],
      }),
      speech: Type.Optional(
        createMapSchema(
          Type.Array(spokenTextSchema('A word or phrase.', 'an order'), {
            minItems: 1,
            maxItems: 20,
          }),
          {
            ...menuKeys,
            description: 'Words by key: a caller who says one of them selects that option.',
            examples: [{ 1: ['sales', 'an order'] }],
          },
        ),
      ),
      timeoutSeconds: Type.Optional(
        wholeNumberSchema(
          [1, 60, planLimits.menu_timeout_seconds_default],
          'Seconds to wait for a choice at each attempt.',
        ),
      ),
      attempts: Type.Optional(
        wholeNumberSchema(
          [1, 5, planLimits.menu_attempts_default],
          'How many times the prompt is read.',
        ),
      ),
      onNoInput: edgeSchema(
        'when the caller gave no input at the last attempt. Without it the call ends',
      ),
      onInvalid: edgeSchema('when the last input was not an option. Without it onNoInput'),
    },
    { description: 'Lets the caller select an option by key or, with speech, by word.' },
  ),
)

const OpeningHours = nameSchema(
  'OpeningHoursNode',
  Type.Object(
    {
      ...commonFields('openingHours'),
      source: Type.Enum(['assistant', 'custom'], {
        description: "'assistant': the assistant's opening hours. 'custom': the hours in schedule.",
        examples: ['assistant'],
      }),
      schedule: Type.Optional(Schedule),
      onOpen: nextNodeSchema('Id of the next node while open.', 'reception'),
      onClosed: nextNodeSchema('Id of the next node while closed.'),
      onHoliday: edgeSchema('when closed on a date of the exceptions. Without it onClosed'),
    },
    {
      description: 'Selects the next node by whether the business is open when the call comes in.',
    },
  ),
)

const CallerRule = nameSchema(
  'CallerRule',
  Type.Object(
    {
      prefixes: Type.Optional(
        Type.Array(
          Type.String({
            pattern: '^\\+[0-9]{1,15}$',
            title: 'the beginning of a phone number, such as +31',
            description: 'First digits of a phone number, with + and country code.',
            examples: ['+31'],
          }),
          {
            minItems: 1,
            maxItems: 100,
            description: 'First digits of phone numbers.',
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
          description: 'true matches callers without caller ID.',
          examples: [true],
        }),
      ),
      next: nextNodeSchema('Id of the next node when the rule matches.'),
    },
    { description: 'Matches a caller if at least one of prefixes, numbers and anonymous matches.' },
  ),
)

const CallerMatch = nameSchema(
  'CallerMatchNode',
  Type.Object(
    {
      ...commonFields('callerMatch'),
      rules: Type.Array(CallerRule, {
        minItems: 1,
        maxItems: 20,
        description: 'Rules, tried in this order.',
        examples: [[{ prefixes: ['+31'], next: 'reception' }]],
      }),
      default: nextNodeSchema('Id of the next node when no rule matches.'),
    },
    { description: "Selects the next node by the caller's number." },
  ),
)

const Hangup = nameSchema(
  'HangupNode',
  Type.Object(
    {
      ...commonFields('hangup'),
      text: Type.Optional(
        spokenTextSchema(
          'Text read to the caller before hanging up. Reading it answers the call.',
          'Goodbye.',
        ),
      ),
      language: Type.Optional(Language),
      cause: Type.Optional(
        Type.Enum(['normal', 'busy', 'reject'], {
          default: 'normal',
          description: 'Signal the caller hears if the call was not answered before.',
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
  playAudio: PlayAudio,
  voicemail: Voicemail,
  sendSms: SendSms,
  goto: Goto,
  hangup: Hangup,
} as const

/** The schema of the fields that every node type has. */
export const AnyNode = Type.Object({ id: commonFields('').id })

export const PlanNode = nameSchema(
  'CallPlanNode',
  Type.Union(
    [
      Forward,
      AiAgent,
      ReadText,
      Menu,
      OpeningHours,
      CallerMatch,
      PlayAudio,
      Voicemail,
      SendSms,
      Goto,
      Hangup,
    ],
    { description: 'A node of a call plan. Its type determines its fields.' },
  ),
)

export type PlanNode = Static<typeof PlanNode>
export type Forward = Static<typeof Forward>
export type AiAgent = Static<typeof AiAgent>
export type ReadText = Static<typeof ReadText>
export type Menu = Static<typeof Menu>
export type OpeningHours = Static<typeof OpeningHours>
export type CallerMatch = Static<typeof CallerMatch>
export type Hangup = Static<typeof Hangup>
