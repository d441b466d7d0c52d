/** The edited schema: rows and JSON of the same, and the fields that are unique or indexed. */
import { useState } from 'react'
import { fieldText } from '../filter/suggest.ts'
import type { Collection } from '../queries.ts'
import {
  faultOf,
  fieldsOfSchema,
  isObject,
  schemaOfFields,
  type JsonObject,
  type SchemaField,
} from './schema-fields.ts'

export interface SchemaDraft {
  schema: JsonObject
  fields: readonly SchemaField[]
  /** The JSON as it is typed, also while it is not JSON. */
  text: string
  isInvalid: boolean
  unique: readonly string[]
  indexes: readonly string[]
}

function draftOf({ schema, unique, indexes }: Collection): SchemaDraft {
  const fields = fieldsOfSchema(schema)
  return { schema, fields, text: textOf(schema), isInvalid: false, unique, indexes }
}

function textOf(schema: JsonObject): string {
  return JSON.stringify(schema, null, 2)
}

export function useSchemaDraft(collection: Collection) {
  const [draft, setDraft] = useState(() => draftOf(collection))
  const withSchema = (schema: JsonObject, fields: readonly SchemaField[]) =>
    setDraft({ ...draft, schema, fields, text: textOf(schema), isInvalid: false })
  return {
    draft,
    hasChanged:
      textOf(draft.schema) !== textOf(collection.schema) ||
      draft.unique.join() !== collection.unique.join() ||
      draft.indexes.join() !== collection.indexes.join(),
    isInvalid:
      draft.isInvalid || draft.fields.some((field) => faultOf(field, draft.fields) !== null),
    setFields(fields: readonly SchemaField[]) {
      const schema = schemaOfFields(draft.schema, fields)
      const { unique, indexes } = renamed(draft, fields)
      setDraft({ schema, fields, text: textOf(schema), isInvalid: false, unique, indexes })
    },
    setClosed(isClosed: boolean) {
      const { additionalProperties: _, ...open } = draft.schema
      withSchema(isClosed ? { ...open, additionalProperties: false } : open, draft.fields)
    },
    setText(text: string) {
      const schema = parseObject(text)
      if (schema === null) return setDraft({ ...draft, text, isInvalid: true })
      setDraft({ ...draft, schema, fields: fieldsOfSchema(schema), text, isInvalid: false })
    },
    setListed: (list: 'unique' | 'indexes', name: string, isListed: boolean) => {
      const others = draft[list].filter((one) => one !== fieldText(name))
      setDraft({ ...draft, [list]: isListed ? [...others, fieldText(name)] : others })
    },
    reset: () => setDraft(draftOf(collection)),
  }
}

/** A renamed field stays unique and indexed; a removed one does not. */
function renamed(draft: SchemaDraft, fields: readonly SchemaField[]) {
  const names = new Map(
    draft.fields.map(({ key, name }) => [
      fieldText(name),
      fields.find((field) => field.key === key)?.name ?? null,
    ]),
  )
  const follow = (list: readonly string[]) =>
    list.flatMap((path) => {
      const name = names.get(path)
      if (name === undefined) return [path]
      return name === null ? [] : [fieldText(name)]
    })
  return { unique: follow(draft.unique), indexes: follow(draft.indexes) }
}

function parseObject(text: string): JsonObject | null {
  try {
    const value: unknown = JSON.parse(text)
    return isObject(value) ? value : null
  } catch {
    return null
  }
}
