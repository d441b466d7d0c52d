/** The part of the guide to lists that tells what a filter may say: by examples, then by rules. */
import { limits } from '../../../contract/limits.ts'
import { programBlock } from '../code-block.ts'
import { numberText } from '../describe/words.ts'
import { filterExamples } from '../filter-examples.ts'
import { html, type Html } from '../html.ts'
import { pairTable } from '../pair-table.ts'
import { code } from '../prose.ts'

export function filterGrammar(): Html {
  return html`${pairTable(
      ['You want', 'Filter'],
      filterExamples.map(({ wanted, filter }) => [wanted, code(filter)]),
    )}
    <p>
      ${code('and')} binds closer than ${code('or')}; parentheses say otherwise, and these words may
      be in capitals. A filter has at most ${numberText(limits.filter_characters_max)} characters,
      ${limits.filter_comparisons_max} comparisons, ${limits.filter_depth_max} levels of parentheses
      and ${code('not')}, and ${limits.filter_list_values_max} values in a list.
    </p>
    <h3 id="values">Values from elsewhere</h3>
    <p>
      A text stands in double quotes and is written as in JSON. Write what a person typed with the
      JSON function of your language, and it stays one text whatever is in it:
    </p>
    ${programBlock(
      'JavaScript',
      [
        'const filter = `name = ${JSON.stringify(typed)} and total >= ${Number(least)}`',
        'const query = new URLSearchParams({ filter, limit: 50 })',
      ].join('\n'),
    )}
    <h3 id="fields">Fields</h3>
    ${fields()}
    <h3 id="types">Types</h3>
    ${types()}
    <h3 id="times">Times</h3>
    ${times()}`
}

function fields(): Html {
  return html`<ul>
    <li>Names are those of the data, with dots into objects and quotes where one is no word.</li>
    <li>
      ${code('id')}, ${code('created_at')}, ${code('updated_at')}, ${code('version')} and
      ${code('source')} are those of the document. A field of the data that is called so is
      ${code('data.created_at')}.
    </li>
    <li>
      The same goes for ${code('and')}, ${code('or')}, ${code('not')}, ${code('true')},
      ${code('false')} and ${code('null')}: ${code('data.not = 1')}.
    </li>
    <li>Arrays are not walked into; ${code('has')} looks for a value in one.</li>
  </ul>`
}

function types(): Html {
  return html`<ul>
    <li>
      Types are never mixed: ${code('1')} and ${code('"1"')} differ. Where the type is another, a
      comparison is false.
    </li>
    <li>
      ${code('!=')} and ${code('not')} turn that round exactly, so ${code('total != 7')} is true of
      a document without ${code('total')}.
    </li>
    <li>
      Texts compare letter for letter, capitals and accents included. To find words in any case, use
      ${code('q')}.
    </li>
    <li>
      ${code('= null')} is true of null and of what is missing; ${code('exists')} is the opposite.
    </li>
    <li>Nothing matches an array or an object as a whole.</li>
  </ul>`
}

function times(): Html {
  return html`<ul>
    <li>
      ${code('@now')} and ${code('@today')}, with ${code('+')} or ${code('-')} and a length:
      ${code('90s')}, ${code('30m')}, ${code('12h')}, ${code('7d')}, ${code('2w')}. A day of a
      length has 24 hours.
    </li>
    <li>
      ${code('@2026-11-01')} is the moment at which that day begins, in ${code('timezone')};
      ${code('@2026-11-01T10:00')} is read there too, unless it ends with a zone.
    </li>
    <li>
      They compare with the times of the document, and with texts of the data that are an ISO 8601
      date or date and time. Other texts have no order among times.
    </li>
    <li>${code('@now')} is the time of the first page on all pages.</li>
  </ul>`
}
