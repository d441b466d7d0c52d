/** The guide to lists of documents: the grammar of filters by examples, order, pages and groups. */
import { Problem, problemDocument } from '../../../contract/errors.ts'
import { limits } from '../../../contract/limits.ts'
import { jsonBlock, programBlock, shellBlock } from '../code-block.ts'
import { bearerHeader, curl } from '../describe/curl.ts'
import { responseHeaders } from '../describe/headers.ts'
import { bytesText, numberText } from '../describe/words.ts'
import { faultExample, groupExample, listExample, sortExamples } from '../filter-examples.ts'
import { html, type Html } from '../html.ts'
import { pairTable } from '../pair-table.ts'
import { code, prose } from '../prose.ts'
import { errorPath, paths, type Page, type Site } from '../site.ts'
import { filterGrammar } from './filter-grammar.ts'

export function filtersPage(site: Site): Page {
  return {
    path: paths.filters,
    title: 'Filter, sort and search',
    about: 'How to find documents in a collection: filters, order, search, pages and groups.',
    main: html`<h1>Filter, sort and search</h1>
      <p class="lead">
        A list of documents takes a filter, an order and words to look for. Whatever is not asked
        for is left out: without parameters it is the newest documents, in pages.
      </p>
      ${request(site)}
      <h2 id="filters">Filters</h2>
      ${filterGrammar()}
      <h2 id="sort">Sort order</h2>
      ${order()}
      <h2 id="search">Search</h2>
      ${search()}
      <h2 id="pages">Pages and count</h2>
      ${pages(site)}
      <h2 id="groups">Groups</h2>
      ${groups(site)}
      <h2 id="faults">What a fault looks like</h2>
      ${faults(site)}
      <h2 id="fast">What makes it fast</h2>
      ${speed(site)}`,
  }
}

function request(site: Site): Html {
  const command = [
    `curl -G ${site.base_url}/collections/orders/documents`,
    `-H "${bearerHeader}"`,
    ...Object.entries(listExample).map(([name, value]) => `--data-urlencode '${name}=${value}'`),
  ]
  return html`${shellBlock('GET /collections/{name}/documents', command.join(' \\\n  '))}
    ${pairTable(
      ['Parameter', 'Does'],
      [
        [code('filter'), 'Keeps the documents that match.'],
        [
          code('sort'),
          html`Puts them in order: fields with commas between, ${code('-')} before one turns it
          round.`,
        ],
        [
          code('fields'),
          `Shows these fields of the data alone, at most ${limits.shown_fields_max}.`,
        ],
        [code('q'), 'Keeps the documents with all of these words.'],
        [
          code('timezone'),
          html`Where days begin, such as ${code('Europe/Amsterdam')}; UTC if left out.`,
        ],
        [
          code('count'),
          html`With ${code('true')}: also tells how many match on all pages together.`,
        ],
        [
          html`${code('limit')}, ${code('cursor')}`,
          html`The size of a page and its place: <a href="#pages">pages</a>.`,
        ],
      ],
    )}
    <p>
      ${prose(
        site,
        'All of it is in the reference: GET /collections/{name}/documents. ' +
          'GET /collections/{name}/documents/export takes the same filter and sort, and so does ' +
          'GET /public/collections/{name}/documents, for the fields that websites may read.',
      )}
    </p>`
}

function order(): Html {
  return html`${pairTable(
      ['You want', 'sort'],
      sortExamples.map(({ wanted, sort }) => [wanted, code(sort)]),
    )}
    <ul>
      <li>
        At most ${limits.sort_fields_max} fields. Among equals the document that was added first
        comes first, and last where the last field is turned round.
      </li>
      <li>
        What has no order comes first (null, missing, arrays and objects), then false, true, numbers
        and texts. Texts go by code point, by their first ${limits.sort_text_bytes_max} bytes.
      </li>
    </ul>`
}

function search(): Html {
  return html`<p>
      ${code('q')} wants each of its words, at most ${limits.search_words_max}, somewhere in the
      values of a document; names of fields are not looked at.
    </p>
    <ul>
      <li>
        A word is found at the beginning of a word, in any case, with or without accents, and in the
        forms that the languages of the project's assistant give it.
      </li>
      <li>
        A longer word may have one letter wrong, missing, too many or swapped with the next, but not
        the first.
      </li>
      <li>
        It keeps documents and does not rank them: the order is that of ${code('sort')}. It goes
        together with ${code('filter')}.
      </li>
      <li>A collection of more than ${bytesText(limits.search_bytes_max)} cannot be searched.</li>
    </ul>`
}

function pages(site: Site): Html {
  const program = [
    `const address = '${site.base_url}/collections/orders/documents'`,
    'const headers = { Authorization: `Bearer ${process.env.HOMEPORT_KEY}` }',
    'let cursor = null',
    'do {',
    "  const query = new URLSearchParams({ filter, sort: '-total' })",
    "  if (cursor) query.set('cursor', cursor)",
    '  const reply = await fetch(`${address}?${query}`, { headers })',
    '  if (!reply.ok) throw new Error((await reply.json()).detail)',
    '  const page = await reply.json()',
    '  for (const { id, data } of page.data) console.log(id, data)',
    '  cursor = page.next_cursor',
    '} while (cursor)',
  ]
  return html`<p>
      A page has ${limits.page_limit_default} documents, or ${code('limit')}: 1 to
      ${limits.page_limit_max}. Its ${code('next_cursor')} is the ${code('cursor')} of the next
      page, null on the last.
    </p>
    ${programBlock('All pages', program.join('\n'))}
    <ul>
      <li>
        A cursor is a place, not a number to skip. Documents that come or go meanwhile make none of
        the others appear twice or not at all. One whose sort value changes may move past the place.
      </li>
      <li>
        A cursor belongs to its collection, ${code('filter')}, ${code('sort')}, ${code('q')} and
        ${code('timezone')}. With others it is 400.
      </li>
      <li>
        ${code('count=true')} adds ${code('count')}, of all pages together. Ask for it once, not on
        every page.
      </li>
    </ul>`
}

function groups(site: Site): Html {
  const route = 'POST /collections/{name}/documents/query'
  const command = curl({
    method: 'POST',
    url: `${site.base_url}/collections/orders/documents/query`,
    headers: [bearerHeader, 'Content-Type: application/json'],
    body: groupExample.query,
  })
  return html`<p>
      ${prose(site, `${route} counts and adds up, so that no client has to read all.`)}
    </p>
    ${shellBlock(route, command)} ${jsonBlock('Reply 200', groupExample.reply)}
    <ul>
      <li>
        Up to ${limits.query_group_fields_max} fields to group by. For times, ${code('by')} is
        ${code('hour')}, ${code('day')}, ${code('week')} (named by its Monday), ${code('month')} or
        ${code('year')}. Documents without a value are the group null.
      </li>
      <li>
        Up to ${limits.query_aggregates_max} aggregates: ${code('count')}, ${code('sum')},
        ${code('avg')}, ${code('min')} and ${code('max')}. ${code('sum')} and ${code('avg')} take
        numbers and pass over the rest; ${code('count')} with a field counts where it is not null.
      </li>
      <li>
        Without ${code('group_by')} there is one row for all, without ${code('aggregates')} there is
        ${code('count')}.
      </li>
      <li>
        ${code('having')} is a filter on the rows, and ${code('sort')} their order. Both name the
        members of a row.
      </li>
      <li>
        ${limits.query_groups_default} rows, or ${code('limit')}: at most
        ${numberText(limits.query_groups_max)}. ${code('truncated')} tells that there are more.
      </li>
    </ul>`
}

function faults(site: Site): Html {
  const { filter, detail, extra } = faultExample
  const problem = problemDocument(new Problem('invalid_parameter', detail, extra), {
    request_id: responseHeaders.request_id.example,
    docs_url: site.docs_url,
  })
  return html`<p>
      A filter that cannot be read is 400
      <a href="${errorPath('invalid_parameter')}">${code('invalid_parameter')}</a>. It names the
      ${code('parameter')}, the ${code('column')} (the first character is 1) and what was
      ${code('expected')} there. The text in ${code(filter)} has no quotes:
    </p>
    ${jsonBlock('Reply 400', problem)}
    <p>
      A comparison with a field of the document that could never hold, such as
      ${code('version = "1"')}, is a fault too. So is a field that neither the schema of the
      collection nor any document has, and a value of a type that neither of them has:
      ${code('suggestion')} then names the nearest field. A schema with
      ${code('"additionalProperties": true')}, or without ${code('properties')}, allows filters on
      any field.
    </p>`
}

function speed(site: Site): Html {
  const command = curl({
    method: 'PATCH',
    url: `${site.base_url}/collections/orders`,
    headers: [bearerHeader, 'Content-Type: application/json'],
    body: { indexes: ['status', 'total'] },
  })
  return html`${shellBlock('PATCH /collections/{name}', command)}
    <ul>
      <li>
        Put the fields that you often filter or sort by into ${code('indexes')} of the collection,
        at most ${limits.collection_indexes_max}. Fields of ${code('unique')}, at most
        ${limits.collection_unique_max}, serve as well.
      </li>
      <li>
        ${code('=')}, ${code('in')}, ${code('<')}, ${code('<=')}, ${code('>')}, ${code('>=')} and
        ${code('starts with')} go by an index where they stand in the outermost ${code('and')}. The
        rest is as right, and slower.
      </li>
      <li>Newest or oldest first (${code('id')}) needs no index.</li>
      <li>
        ${code('count')} and ${code('q')} read more than a page. ${code('fields')} makes replies
        smaller.
      </li>
      <li>
        ${prose(
          site,
          'To follow what changes, do not ask again and again: ' +
            'GET /collections/{name}/documents/changes tells you.',
        )}
      </li>
    </ul>`
}
