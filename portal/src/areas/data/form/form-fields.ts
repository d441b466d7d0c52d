/** The controls of a form, from the schema of the collection and what the person chose. */
import type { Collection } from '../queries.ts'
import { fieldsOfSchema, type FieldType, type SchemaField } from '../schema/schema-fields.ts'

export interface FormField extends Pick<SchemaField, 'name' | 'choices' | 'rest'> {
  label: string
  type: Exclude<FieldType, 'json'>
  required: boolean
  /** The schema requires it, so the form must have it. */
  isFixed: boolean
  isShown: boolean
}

export interface FormDraft {
  heading: string
  about: string
  button: string
  thanks: string
  fields: readonly FormField[]
}

/** Values that a form cannot ask for, such as objects, are left out. */
export function formFieldsOf({ schema }: Collection): FormField[] {
  return fieldsOfSchema(schema).flatMap(({ name, title, type, required, choices, rest }) =>
    type === 'json'
      ? []
      : [
          {
            name,
            label: title || labelOf(name),
            type,
            // A box that must be ticked is a rule of its own, which no schema of a boolean means.
            required: required && type !== 'boolean',
            isFixed: required,
            isShown: required || !isInternal(name),
            choices,
            rest,
          },
        ],
  )
}

/** Fields that a business fills in itself; the person can add them to the form. */
function isInternal(name: string): boolean {
  return /^(?:status|state|notes?|internal|assigned|tags?)(?:_|$)/i.test(name)
}

function labelOf(name: string): string {
  const words = name.replaceAll(/[_-]+/g, ' ').trim()
  return words.charAt(0).toUpperCase() + words.slice(1)
}

/** The attributes of the control, beside its name. */
export function attributesOf({ type, name, required, rest }: FormField): Record<string, string> {
  const limits = {
    ...(typeof rest['maxLength'] === 'number' && { maxlength: String(rest['maxLength']) }),
    ...(typeof rest['minimum'] === 'number' && { min: String(rest['minimum']) }),
    ...(typeof rest['maximum'] === 'number' && { max: String(rest['maximum']) }),
  }
  const fill = autocompleteOf(name, type)
  return {
    ...(inputTypes[type] !== null && { type: inputTypes[type] }),
    ...(type === 'number' && { step: 'any' }),
    ...limits,
    ...(fill !== null && { autocomplete: fill }),
    ...(required && { required: '' }),
  }
}

const inputTypes: Readonly<Record<FormField['type'], string | null>> = {
  text: 'text',
  long: null,
  email: 'email',
  url: 'url',
  date: 'date',
  'date-time': 'datetime-local',
  number: 'number',
  integer: 'number',
  boolean: 'checkbox',
  choice: null,
  media: 'file',
}

function autocompleteOf(name: string, type: FormField['type']): string | null {
  if (type === 'email') return 'email'
  if (/^(?:full_?)?name$|^naam$/i.test(name)) return 'name'
  return /phone|telefoon/i.test(name) ? 'tel' : null
}
