/** The guide to forms: from nothing to a form on a website that arrives, and what guards it. */
import { limits } from '../../../contract/limits.ts'
import { programBlock, shellBlock } from '../code-block.ts'
import { bearerHeader, curl } from '../describe/curl.ts'
import { bytesText, durationText, numberText } from '../describe/words.ts'
import { formCollection, formMarkup, formOrigin } from '../form-example.ts'
import { html, type Html } from '../html.ts'
import { pairTable } from '../pair-table.ts'
import { code, prose } from '../prose.ts'
import { errorPath, eventPath, paths, type Page, type Site } from '../site.ts'

export function formsPage(site: Site): Page {
  return {
    path: paths.forms,
    title: 'Forms on a website',
    about: 'How to build a form on a website that adds documents to a collection.',
    main: html`<h1>Forms on a website</h1>
      <p class="lead">
        A form on any website can add documents to a collection: a booking, a question, a sign-up.
        It takes a collection, a public token and one piece of HTML, and no server of your own.
      </p>
      <ol class="tour">
        ${steps(site)}
      </ol>
      <h2 id="script">With the script</h2>
      ${withScript(site)}
      <h2 id="without">Without JavaScript</h2>
      ${withoutScript()}
      <h2 id="files">Files</h2>
      ${files(site)}
      <h2 id="languages">Languages and accessibility</h2>
      ${accessibility()}
      <h2 id="own">With a script of your own</h2>
      ${ownScript(site)}
      <h2 id="spam">What keeps programs away</h2>
      ${protection(site)}
      <h2 id="limits">Limits</h2>
      ${bounds()}`,
  }
}

function steps(site: Site): Html {
  return html`<li>
      <h3>Make a collection</h3>
      <p>
        Its schema says what a document looks like, and ${code('public_write')} lets forms in. What
        is in the schema can be read by everybody.
      </p>
      ${shellBlock('POST /collections', post(site, '/collections', formCollection))}
    </li>
    <li>
      <h3>Create a public token</h3>
      <p>
        A page shows it instead of a key. It is not a secret: it works only from pages of its
        allowed origins, and only for what is open to visitors. The reply shows it once. Name every
        origin where the form stands, at most ${limits.public_token_origins_max}, without a path:
        ${code('https://example.nl')} and ${code('https://www.example.nl')} are two.
      </p>
      ${shellBlock('POST /chat-tokens', post(site, '/chat-tokens', { allowed_origins: [formOrigin] }))}
      <p>
        Forms on a <a href="${paths.sites}">site of the project</a> need no token of yours: leave it
        out, and the deploy adds the token of the site, which works at every address of the site.
      </p>
    </li>
    <li>
      <h3>Put the form on the page</h3>
      <p>Fields are named as in the schema. Put your token in both places.</p>
      ${programBlock('HTML', formMarkup(site.base_url))}
    </li>
    <li>
      <h3>Hear of what comes in</h3>
      <p>
        With ${code('webhook_on_insert')} every new document sends
        <a href="${eventPath('document.created')}">${code('document.created')}</a> to the
        <a href="${paths.events}">webhooks</a> that chose it.
        <a href="${paths.verify_signatures}">Check the signature</a> before you believe it.
      </p>
      ${shellBlock(
        'POST /webhooks',
        post(site, '/webhooks', {
          url: 'https://example.com/hooks/homeport',
          events: ['document.created'],
        }),
      )}
      <p>
        Or read them: <a href="${paths.filters}">${code('source = "form"')}</a> is a filter like any
        other.
      </p>
    </li>`
}

function post(site: Site, path: string, body: unknown): string {
  return curl({
    method: 'POST',
    url: site.base_url + path,
    headers: [bearerHeader, 'Content-Type: application/json'],
    body,
  })
}

function withScript(site: Site): Html {
  const { origin } = new URL(site.base_url)
  return html`<ul>
    <li>What is filled in is checked by the schema before it is sent, and the page stays.</li>
    <li>
      The schema says what is a number, a boolean or a list. A list is several fields of one name;
      ${code('address.city')} is a field inside an object. Empty fields are left out.
    </li>
    <li>
      Faults stand beside their fields, as ${code('.hp-error')}. Progress and the result are in
      ${code('.hp-status')}, at the end of the form. Any style of yours outweighs ours.
    </li>
    <li>
      With ${code('redirect')} the visitor goes to that page afterwards. Without it the form is
      emptied and says thanks, in words of your own with ${code('data-success')}.
    </li>
    <li>
      A strict content security policy needs ${code(`script-src ${origin}`)} and
      ${code(`connect-src ${origin}`)}; without JavaScript, ${code(`form-action 'self' ${origin}`)}.
    </li>
  </ul>`
}

function withoutScript(): Html {
  return html`<p>
      The browser sends the same form by itself. That needs ${code('action')} and the hidden
      ${code('token')}. It also happens when the script cannot reach the server.
    </p>
    <ul>
      <li>
        The visitor goes to ${code('redirect')}, which must be on an origin of the token, or gets a
        small page of thanks.
      </li>
      <li>
        What does not fit the schema is answered with a page that names the fields. The button of
        the browser leads back to what was filled in.
      </li>
      <li>
        A page with the referrer policy ${code('no-referrer')}, or in a sandboxed frame, sends the
        origin ${code('null')}, which is refused with
        <a href="${errorPath('origin_not_allowed')}">${code('origin_not_allowed')}</a>.
      </li>
    </ul>`
}

function files(site: Site): Html {
  return html`<p>
      A field of the format ${code('media')} takes a file, and a list of them takes several. Say in
      the form that files come with it, and put the token before them.
    </p>
    ${programBlock('In the schema of the collection', fileSchema)}
    ${programBlock('HTML', fileMarkup(site.base_url))}
    <p>
      The file goes to the media library, into the folder ${code('forms/bookings')}, and the
      document has its id: ${code('GET /media/{id}')} tells what it is, and
      ${code('GET /media/{id}/link')} gives it. Pictures are kept without what the camera wrote into
      them. A form with files is sent by the browser itself, so the visitor gets a page of thanks or
      goes to ${code('redirect')}. When the form is refused, nothing is kept.
    </p>`
}

const fileSchema = `{
  "type": "object",
  "properties": {
    "name": { "type": "string" },
    "photo": { "type": "string", "format": "media" },
    "papers": { "type": "array", "items": { "type": "string", "format": "media" } }
  }
}`

function fileMarkup(base_url: string): string {
  return `<form method="post" enctype="multipart/form-data"
  action="${base_url}/public/collections/bookings/documents">
  <input type="hidden" name="token" value="hm_pub_…">
  <p><label>Name <input name="name"></label></p>
  <p><label>Photo <input type="file" name="photo" accept="image/*"></label></p>
  <p><label>Papers <input type="file" name="papers" multiple></label></p>
  <button>Send</button>
</form>`
}

function accessibility(): Html {
  return html`<ul>
    <li>
      What the script says is in English, Dutch, German, French or Spanish: the language of the form
      (${code('lang')}), else of the page, else of the browser. Pages without a script go by
      ${code('Accept-Language')}.
    </li>
    <li>
      The first field with a fault gets the focus. Each fault is tied to its field with
      ${code('aria-describedby')} and ${code('aria-invalid')}, and goes away as soon as it is
      mended. Results are announced to screen readers.
    </li>
    <li>
      What is left for you: a ${code('label')} for every field, a ${code('fieldset')} with a
      ${code('legend')} around choices that belong together, and ${code('autocomplete')} for what
      browsers know.
    </li>
  </ul>`
}

function ownScript(site: Site): Html {
  const url = `${site.base_url}/public/collections/${formCollection.name}/documents`
  const program = [
    "const booking = { name: 'Anna', email: 'anna@example.com', guests: 4, day: '2026-12-24' }",
    `const reply = await fetch('${url}', {`,
    "  method: 'POST',",
    "  headers: { Authorization: 'Bearer hm_pub_…', 'Content-Type': 'application/json' },",
    '  body: JSON.stringify(booking),',
    '})',
    'const { id, created_at, user_message, errors } = await reply.json()',
  ]
  return html`<p>
      ${prose(
        site,
        'Send the document itself to POST /public/collections/{name}/documents. The reply is its ' +
          'id and created_at, never the data. GET /public/collections/{name}/form has the title ' +
          'and the schema for a form that builds itself.',
      )}
    </p>
    ${programBlock('In the page', program.join('\n'))}
    ${pairTable(
      ['Refused with', 'When'],
      [
        [
          problem('schema_mismatch'),
          html`Something does not fit; ${code('errors')} names the fields.`,
        ],
        [problem('origin_not_allowed'), 'The page is on an origin that the token does not allow.'],
        [problem('collection_not_public'), html`The collection has no ${code('public_write')}.`],
        [problem('challenge_failed'), 'It was sent too fast, or without what a challenge asks.'],
        [
          problem('rate_limited'),
          html`Too much came in a short time; ${code('Retry-After')} says how long to wait.`,
        ],
      ],
    )}`
}

function problem(slug: Parameters<typeof errorPath>[0]): Html {
  return html`<a href="${errorPath(slug)}">${code(slug)}</a>`
}

function protection(site: Site): Html {
  const fill = durationText(limits.form_fill_s_min)
  const challenge = curl({
    method: 'PATCH',
    url: `${site.base_url}/collections/${formCollection.name}`,
    headers: [bearerHeader, 'Content-Type: application/json'],
    body: { form: { challenge: true } },
  })
  return html`<ul>
      <li>
        <strong>A trap.</strong> No person sees the field ${code('hp_website')}; programs fill it
        in. They are answered as if all went well, and nothing is stored.
      </li>
      <li>
        <strong>Time.</strong> The script tells when the form was read. What is sent within ${fill}
        is refused; the script waits that long. A form without a script does not tell; where that
        matters, ask for a challenge.
      </li>
      <li>
        <strong>Rates.</strong> In any ${durationText(limits.public_window_s)}, one address may send
        ${limits.public_submissions_per_address_max} forms, faulty ones included, and all visitors
        with one token ${numberText(limits.public_submissions_per_token_max)}.
      </li>
      <li>
        <strong>A challenge.</strong> The browser solves a small computation, which is good for
        ${durationText(limits.form_challenge_lifetime_s)} and for one form. It keeps away what the
        others let through, but the form needs JavaScript then, and https. The script does it by
        itself:
      </li>
    </ul>
    ${shellBlock('PATCH /collections/{name}', challenge)}`
}

function bounds(): Html {
  return html`${pairTable(
      ['What', 'At most'],
      [
        ['A form as it is sent, its files apart', bytesText(limits.form_bytes_max)],
        ['Files of a form', numberText(limits.form_files_max)],
        ['One of these files', bytesText(limits.form_file_bytes_max)],
        ['Fields of a form, hidden ones included', numberText(limits.form_fields_max)],
        ['A document', bytesText(limits.document_bytes_max)],
        ['Documents in a collection', numberText(limits.documents_per_collection_max)],
        [
          'Requests of one address',
          `${limits.public_requests_per_address_max} in ${durationText(limits.public_window_s)}`,
        ],
        [
          'Requests with one token',
          `${numberText(limits.public_requests_per_token_max)} in ${durationText(limits.public_window_s)}`,
        ],
      ],
    )}
    <p>There are more <a href="${paths.limits}">limits</a>, and what each plan includes.</p>`
}
