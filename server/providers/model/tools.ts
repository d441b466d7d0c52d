/**
 * The tools of a model in a conversation. The assistant runs them, and refuses unknown names and
 * invalid input.
 */
import { Type, type Static, type TSchema } from 'typebox'
import { schemaChecks } from '../../kernel/values/typebox.ts'

const closed = <Properties extends Record<string, TSchema>>(properties: Properties) =>
  Type.Object(properties, { additionalProperties: false })

const Text = Type.String()

export const toolInputs = {
  end_call: closed({}),
  transfer_call: closed({ target_id: Type.Optional(Text) }),
  take_message: closed({ text: Type.Optional(Text) }),
  no_answer: closed({}),
  look_up: closed({ collection: Text, search: Text }),
  check_hours: closed({ date: Text }),
}

export type ConversationTool = keyof typeof toolInputs

interface ToolText {
  call: string
  /** Default: the text for calls. */
  chat?: string
}

/** What each tool does, for the model. */
export const toolTexts: Readonly<Record<ConversationTool, ToolText>> = {
  end_call: {
    call: 'Ends the call, after the caller has said goodbye or needs nothing more.',
    chat: 'Ends the chat, after the visitor has said goodbye or needs nothing more.',
  },
  transfer_call: {
    call: 'Puts the caller through to a person, when the caller asks for one.',
    chat: 'Hands the chat over to a person of the business, when the visitor asks for a person.',
  },
  take_message: {
    call:
      'Notes a message for the business: all that the caller wants passed on, in their own words, ' +
      'also what they said before you offered it, with the name, the phone number and the time ' +
      'they gave.',
  },
  no_answer: {
    call: 'Says that the answer is not in what you were given. Call it instead of guessing, without text.',
  },
  look_up: {
    call:
      'Searches one of <collections>, and returns what is found as data. Give the words that the ' +
      'caller used for it. If the collection needs values to identify a record, give these.',
  },
  check_hours: {
    call: 'Returns the opening hours on a date, given as YYYY-MM-DD.',
  },
}

/** Tools that return data, after which the model is asked again. */
export const readingTools = ['look_up', 'check_hours'] as const
export type ReadingTool = (typeof readingTools)[number]

export function isReadingTool(name: string): name is ReadingTool {
  return readingTools.some((one) => one === name)
}

/** The input of a tool; null if it is invalid. */
export function readInput<Name extends ConversationTool>(
  name: Name,
  input: unknown,
): Static<(typeof toolInputs)[Name]> | null {
  const schema: TSchema = toolInputs[name]
  return schemaChecks().Check(schema, input) ? (input as Static<(typeof toolInputs)[Name]>) : null
}
