/**
 * The arguments of an approval as a table: text unchanged, files as a list, other values as JSON.
 */
import { formatSize } from '../../../../kernel/values/size.ts'
import { html, type Html } from '../../../html/html.ts'
import type { ApprovalTexts } from './texts.ts'

export function argumentsTable(given: Record<string, unknown>, t: ApprovalTexts): Html {
  const entries = Object.entries(given)
  if (entries.length === 0) return html`<p>${t.no_arguments}</p>`
  return html`<table>
    <caption class="unseen">
      ${t.arguments}
    </caption>
    <tbody>
      ${entries.map(
        ([name, value]) =>
          html`<tr>
            <th scope="row">${name}</th>
            <td>${(name === 'files' && fileList(value, t)) || shown(value)}</td>
          </tr>`,
      )}
    </tbody>
  </table>`
}

function shown(value: unknown): Html {
  if (typeof value === 'string') return html`<span class="words">${value}</span>`
  if (typeof value !== 'object' || value === null) return html`<code>${String(value)}</code>`
  return html`<pre tabindex="0"><code>${JSON.stringify(value, null, 2)}</code></pre>`
}

/** Paths and sizes, with the JSON folded away. Null if the value is not a list of files. */
function fileList(value: unknown, t: ApprovalTexts): Html | null {
  if (!Array.isArray(value) || value.length === 0) return null
  const files = value.map(readFile)
  if (files.includes(null)) return null
  return html`<ul>
      ${files.map(
        (file) =>
          file !== null &&
          html`<li>
            <code>${file.path}</code>${file.bytes !== null && `, ${formatSize(file.bytes)}`}
          </li>`,
      )}
    </ul>
    <details>
      <summary>${t.with_contents}</summary>
      ${shown(value)}
    </details>`
}

interface ListedFile {
  path: string
  /** null if the proposal does not state it. */
  bytes: number | null
}

function readFile(file: unknown): ListedFile | null {
  if (typeof file !== 'object' || file === null) return null
  const { path, content, encoding, bytes }: Record<string, unknown> = { ...file }
  if (typeof path !== 'string') return null
  if (typeof content !== 'string') return { path, bytes: typeof bytes === 'number' ? bytes : null }
  const size = Buffer.byteLength(content, encoding === 'base64' ? 'base64' : 'utf8')
  return { path, bytes: size }
}
