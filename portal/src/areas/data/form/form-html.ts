/** The HTML of a form: for a page of one's own, or as a whole page of a site. */
import { attributesOf, type FormDraft, type FormField } from './form-fields.ts'

export interface FormAddress {
  /** The origin of the server. */
  origin: string
  collection: string
  /** The public token; null: the server puts that of the site in when the page is published. */
  token: string | null
}

export function formHtml(draft: FormDraft, { origin, collection, token }: FormAddress): string {
  const { button, thanks, fields } = draft
  const shown = fields.filter(({ isShown }) => isShown)
  const action = `${origin}/api/v1/public/collections/${collection}/documents`
  const hasFiles = shown.some(({ type }) => type === 'media')
  const attributes = {
    method: 'post',
    action,
    'data-collection': collection,
    'data-success': thanks,
    ...(token !== null && { 'data-token': token }),
    ...(hasFiles && { enctype: 'multipart/form-data' }),
  }
  return [
    `<form${written(attributes)}>`,
    ...(token === null ? [] : [`  <input type="hidden" name="token"${written({ value: token })}>`]),
    ...shown.map((field) => controlHtml(field)),
    '  <input name="hp_website" tabindex="-1" autocomplete="off" hidden>',
    `  <button>${escaped(button)}</button>`,
    '</form>',
    `<script${written({ src: `${origin}/forms.js` })} defer></script>`,
  ].join('\n')
}

function controlHtml(field: FormField): string {
  const { name, label, type, choices } = field
  const attributes = written({ name, ...attributesOf(field) })
  const text = escaped(label)
  if (type === 'boolean') return `  <label class="check"><input${attributes}> ${text}</label>`
  if (type === 'long') return `  <label>${text} <textarea rows="4"${attributes}></textarea></label>`
  if (type !== 'choice') return `  <label>${text} <input${attributes}></label>`
  const options = ['', ...choices].map(
    (choice) => `      <option${written({ value: choice })}>${escaped(choice || '–')}</option>`,
  )
  return [
    `  <label>${text}`,
    `    <select${attributes}>`,
    ...options,
    '    </select>',
    '  </label>',
  ].join('\n')
}

export interface PageOptions extends FormAddress {
  language: string
}

/** A page of its own, readable on a phone, light and dark, without anything from elsewhere. */
export function pageHtml(draft: FormDraft, { language, ...address }: PageOptions): string {
  const { heading, about } = draft
  return `<!doctype html>
<html lang="${escaped(language)}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escaped(heading)}</title>
<style>
${pageStyle}
</style>
</head>
<body>
<main>
<h1>${escaped(heading)}</h1>
${about.trim() === '' ? '' : `<p>${escaped(about)}</p>\n`}${formHtml(draft, address)}
</main>
</body>
</html>
`
}

const pageStyle = `:root { color-scheme: light dark; --line: light-dark(#cfd6d9, #3a454b) }
body { margin: 0; background: light-dark(#f4f6f6, #0b0e10); color: light-dark(#12181b, #e9eef0);
  font: 16px/1.5 system-ui, sans-serif }
main { max-width: 32rem; margin: 0 auto; padding: 3rem 1.25rem }
h1 { font-size: 1.75rem; line-height: 1.2; margin: 0 0 .5rem }
form { display: grid; gap: 1.1rem; margin-top: 1.75rem }
label { display: grid; gap: .35rem; font-weight: 500 }
label.check { display: flex; gap: .6rem; align-items: center; font-weight: 400 }
input:not([type=checkbox], [type=file]), select, textarea { font: inherit; padding: .6rem .75rem;
  border: 1px solid var(--line); border-radius: .5rem; background: light-dark(#fff, #12171a);
  color: inherit; width: 100%; box-sizing: border-box }
button { font: inherit; font-weight: 600; padding: .7rem 1.25rem; border: 0; border-radius: .5rem;
  background: light-dark(#0b5d66, #62c6d0); color: light-dark(#fff, #04181b); justify-self: start;
  cursor: pointer }
:focus-visible { outline: 3px solid light-dark(#0b5d6688, #62c6d088); outline-offset: 1px }
.hp-error { color: light-dark(#b0232e, #f58f96); font-size: .9rem }`

function written(attributes: Readonly<Record<string, string>>): string {
  return Object.entries(attributes)
    .map(([name, value]) =>
      value === '' && name === 'required' ? ` ${name}` : ` ${name}="${escaped(value)}"`,
    )
    .join('')
}

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
}

function escaped(text: string): string {
  return text.replaceAll(/[&<>"]/g, (character) => entities[character] ?? character)
}
