/** The section of get_state with the collections and their fields. */
import {
  isRecord,
  summarizePage,
  pickFields,
  type JsonRecord,
  type StateSection,
} from '../../contract/manifest/state-section.ts'

export const collectionsSection: StateSection = {
  name: 'collections',
  about: 'collections with their fields',
  operation: 'collections.list',
  show: (reply) =>
    summarizePage(reply, (one) => ({
      ...pickFields(one, ['name', 'title', 'document_count', 'public_write', 'webhook_on_insert']),
      fields: fieldsOf(one['schema']),
    })),
}

/** The fields of a schema and their types: `{"email": "string", "guests": "integer, optional"}`. */
function fieldsOf(schema: unknown): JsonRecord {
  if (!isRecord(schema) || !isRecord(schema['properties'])) return {}
  const required = Array.isArray(schema['required']) ? schema['required'] : []
  const fields = Object.entries(schema['properties']).map(([name, field]) => {
    const type = isRecord(field) ? (field['type'] ?? (field['enum'] ? 'enum' : 'any')) : 'any'
    return [name, String(type) + (required.includes(name) ? '' : ', optional')] as const
  })
  return Object.fromEntries(fields)
}
