/** The fields of a schema as a table, with collapsed tables for variants. */
import {
  listFields,
  type DescribedField,
  type FieldList,
  type SchemaVariant,
} from '../describe/fields.ts'
import type { DocumentedHeader } from '../describe/headers.ts'
import type { JsonSchema } from '../describe/json-schema.ts'
import { html, type Html } from '../html/html.ts'
import { toSentence, renderBreakable, renderCode, renderProse } from './render/prose.ts'
import type { DocsSite } from './site.ts'

export interface TableOptions {
  /** The caption of the table, for screen readers too. */
  caption: string
}

export function renderFieldTable(site: DocsSite, shape: JsonSchema, options: TableOptions): Html {
  return fieldListTable(site, listFields(shape), options)
}

function fieldListTable(
  site: DocsSite,
  { fields, variants }: FieldList,
  options: TableOptions,
): Html {
  return html`${fields.length > 0 && table(site, fields, options)}
  ${variants.map((variant) => variantDetails(site, variant, options))}`
}

function table(site: DocsSite, fields: readonly DescribedField[], { caption }: TableOptions): Html {
  return html`<table class="fields">
    <caption>
      ${caption}
    </caption>
    <thead>
      <tr>
        <th scope="col">Field</th>
        <th scope="col">Description</th>
      </tr>
    </thead>
    <tbody>
      ${fields.map(
        (field) =>
          html`<tr>
            <th scope="row">
              ${renderBreakable(field.path)}<span class="type">${field.type}</span
              >${!field.required && html`<span class="optional">optional</span>`}
            </th>
            <td>${description(site, field)}</td>
          </tr> `,
      )}
    </tbody>
  </table>`
}

function description(
  site: DocsSite,
  { description: text, values, rules, pattern }: DescribedField,
): Html {
  // If the description lists all values, they are not repeated.
  const in_description = values.length > 1 && values.every((value) => text.includes(value))
  const listed = values.length > 0 && !in_description
  return html`${text !== '' && html`<p>${renderProse(site, toSentence(text))}</p>`}
  ${listed && html`<p class="rule">${values.length === 1 ? 'Always' : 'One of'} ${joined(values)}</p>`}
  ${rules.length > 0 && html`<p class="rule">${toSentence(rules.join('; '))}</p>`}
  ${pattern !== null && html`<p class="rule">Matches ${renderCode(pattern)}</p>`}`
}

function joined(values: readonly string[]): Html {
  return html`${values.map((value, index) => html`${index > 0 && ', '}${renderCode(value)}`)}`
}

function variantDetails(
  site: DocsSite,
  { path, name, description: text, fields }: SchemaVariant,
  options: TableOptions,
): Html {
  return html`<details class="variant">
    <summary>${path !== '' && html`${renderBreakable(path)} as `}<strong>${name}</strong></summary>
    ${text !== '' && html`<p>${renderProse(site, text)}</p>`}
    ${fieldListTable(site, fields, { ...options, caption: `${options.caption}: ${name}` })}
  </details>`
}

export function renderHeaderTable(
  site: DocsSite,
  headers: readonly DocumentedHeader[],
  caption: string,
): Html {
  return html`<table class="fields">
    <caption>
      ${caption}
    </caption>
    <thead>
      <tr>
        <th scope="col">Header</th>
        <th scope="col">Description</th>
      </tr>
    </thead>
    <tbody>
      ${headers.map(
        ({ name, about, required, example }) =>
          html`<tr>
            <th scope="row">
              ${renderCode(name)}${!required && html`<span class="optional">optional</span>`}
            </th>
            <td>
              <p>${renderProse(site, about)}</p>
              <p class="rule">For example ${renderCode(String(example))}</p>
            </td>
          </tr> `,
      )}
    </tbody>
  </table>`
}
