/** Compares the settings of the tools with the schemas of the collections that they name. */
import { limits } from '../../../contract/limits.ts'
import { findNearestName } from '../../../kernel/values/nearest.ts'
import { compileSchema } from '../../json-schema/service.ts'

/** Returns what is wrong with a field name; null if the schema has it, or lists no fields. */
export function findFieldFault(schema: string, name: string): string | null {
  const declared = Object.keys(Object(Object(JSON.parse(schema)).properties))
  if (declared.length === 0 || declared.includes(name)) return null
  const nearest = findNearestName(name, declared)
  const hint = nearest === undefined ? '' : ` Did you mean "${nearest}"?`
  return `is not a field of this collection.${hint}`
}

/**
 * Returns why a message may not fit a collection with this schema; null if every message fits. Only
 * the text is always known: see `conversations/messages-left`.
 */
export function findMessageFault(schema: string): string | null {
  const { check } = compileSchema(JSON.parse(schema))
  const texts = ['A', 'A'.repeat(limits.chat_message_characters_max)]
  const [error] = texts.flatMap((text) => check({ text }))
  if (!error) return null
  const subject = error.path === '' ? 'it' : error.path
  return `does not accept every message of a visitor: of one with a text only, ${subject} ${error.message}`
}
