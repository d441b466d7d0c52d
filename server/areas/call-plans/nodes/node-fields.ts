/** Limits of call plans, and the fields that several node types share. */
import { Type, type Static, type TSchema } from 'typebox'

export const planLimits = {
  nodes_max: 64,
  bytes_max: 65_536,
  warnings_max: 100,
  targets_max: 10,
  ring_seconds_min: 5,
  ring_seconds_max: 120,
  ring_seconds_default: 25,
  menu_attempts_default: 2,
  menu_timeout_seconds_default: 5,
  voicemail_seconds_min: 5,
  voicemail_seconds_max: 300,
  voicemail_seconds_default: 120,
  sms_characters_max: 900,
} as const

const NODE_ID_CHARACTERS_MAX = 200
export const LABEL_CHARACTERS_MAX = 200
export const TEXT_CHARACTERS_MAX = 5_000

/**
 * The schema of a map with keys chosen by the client. TypeBox's Record would skip keys with a line
 * break.
 */
export function createMapSchema<S extends TSchema>(values: S, options: object) {
  return Type.Unsafe<Record<string, Static<S>>>({
    type: 'object',
    additionalProperties: values,
    ...options,
  })
}

export const nodeIdSchema = (description: string, example = 'assistant') =>
  Type.String({
    minLength: 1,
    maxLength: NODE_ID_CHARACTERS_MAX,
    description,
    examples: [example],
  })

/** The id of a next node. Editors draw fields with `x-edge` as lines between nodes. */
export const nextNodeSchema = (description: string, example = 'assistant') =>
  Type.String({ ...nodeIdSchema(description, example), 'x-edge': true })

export const edgeSchema = (when: string) =>
  Type.Optional(nextNodeSchema(`Id of the next node ${when}.`))

export const spokenTextSchema = (description: string, example: string) =>
  Type.String({ minLength: 1, maxLength: TEXT_CHARACTERS_MAX, description, examples: [example] })

export const labelSchema = (description: string, example: string) =>
  Type.String({ maxLength: LABEL_CHARACTERS_MAX, description, examples: [example] })

export const wholeNumberSchema = (
  [minimum, maximum, fallback]: readonly [number, number, number?],
  description: string,
) =>
  Type.Integer({
    minimum,
    maximum,
    description,
    ...(fallback === undefined ? { examples: [300] } : { default: fallback }),
  })

export const E164 = Type.String({
  pattern: '^\\+[1-9][0-9]{1,14}$',
  title: 'a phone number in E.164 form, such as +31201234567',
  description: 'Phone number in E.164 form, such as +31201234567.',
  examples: ['+31201234567'],
})

export const Language = Type.String({
  pattern: '^[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8})*$',
  title: 'a language tag such as nl or en-GB',
  description: "Language tag such as nl or en-GB. Default: the assistant's language.",
  examples: ['nl'],
})

export const commonFields = <T extends string>(type: T) => ({
  id: nodeIdSchema('Id of the node, equal to its key in nodes.', 'reception'),
  type: Type.Literal(type, { description: 'The type of the node.', examples: [type] }),
  label: Type.Optional(labelSchema('Label for people. Never spoken.', 'Front desk')),
})
