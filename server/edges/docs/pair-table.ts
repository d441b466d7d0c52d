/** A table of two columns, for guides: what a row is about, and what is to be said of it. */
import { html, type Html, type Piece } from './html.ts'

export function pairTable(
  [first, second]: readonly [string, string],
  rows: readonly (readonly [Piece, Piece])[],
): Html {
  return html`<table class="pairs">
    <caption>
      ${first}, ${second}
    </caption>
    <thead>
      <tr>
        <th scope="col">${first}</th>
        <th scope="col">${second}</th>
      </tr>
    </thead>
    <tbody>
      ${rows.map(
        ([name, text]) =>
          html`<tr>
            <th scope="row">${name}</th>
            <td>${text}</td>
          </tr> `,
      )}
    </tbody>
  </table>`
}
