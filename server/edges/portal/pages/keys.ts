/**
 * The API keys of a project: listed by their first characters, made and revoked by who has just
 * proven who they are. A new key is on the page that answers the form, and never again.
 */
import * as keys from '../../../areas/keys/service.ts'
import * as sites from '../../../areas/sites/service.ts'
import type { Access, Mode } from '../../../contract/caller.ts'
import { Problem } from '../../../contract/errors.ts'
import { limits } from '../../../contract/limits.ts'
import { isScope, scopes, type Scope } from '../../../contract/scopes.ts'
import { html, type Html } from '../../docs/html.ts'
import { moment, notice, pill, table } from '../pieces.ts'
import { projectFrame } from '../project-frame.ts'
import { withNext } from '../session-cookie.ts'
import { idOf, requireWhole, type Outcome, type ProjectVisit } from '../visit.ts'

const NAME_CHARACTERS_MAX = 100

export async function keysPage(visit: ProjectVisit, fault: string | null = null): Promise<Outcome> {
  requireWhole(visit)
  const { house, membership, who, query, caller } = visit
  const rows = await keys.list(house, membership.project.id)
  const { data } = await sites.list(caller, { limit: limits.page_limit_max })
  return {
    ...projectFrame(visit, 'keys'),
    ...(fault !== null && { status: 422 }),
    main: html`<h1>Keys</h1>
      ${
        query.get('done') === 'revoked' &&
        notice('good', html`<p>The key is revoked. It gets 401 from now on.</p>`)
      }
      ${fault !== null && notice('bad', html`<p>${fault}</p>`)}
      ${
        rows.length === 0
          ? html`<p>This project has no key yet.</p>`
          : table(
              'API keys',
              ['Name', 'Key', 'Mode', 'May', 'Works with', 'Made', 'State'],
              rows.map((row) => keyRow(visit, row)),
            )
      }
      ${who.fresh ? newKeyForm(visit, data) : askFirst(visit)}`,
  }
}

function keyRow(visit: ProjectVisit, row: keys.KeyFacts): (Html | string)[] {
  const all = keys.allScopes.every((scope) => row.scopes.includes(scope))
  return [
    row.name,
    html`<code>${row.start}…</code>`,
    row.mode,
    all ? 'everything' : row.scopes.join(', '),
    row.access === null ? 'the whole project' : 'some sites',
    moment(row.created_at),
    row.revoked_at === null
      ? html`<form method="post" action="${pathOf(visit)}/${row.id}/revoke">
          <button class="danger" type="submit">
            Revoke<span class="unseen"> ${row.name} ${row.start}</span>
          </button>
        </form>`
      : pill('quiet', 'revoked'),
  ]
}

function askFirst(visit: ProjectVisit): Html {
  return html`<p>
    <a href="${withNext('/portal/confirm', pathOf(visit))}">
      Say again who you are to make or revoke a key
    </a>
  </p>`
}

function newKeyForm(visit: ProjectVisit, choices: readonly sites.Site[]): Html {
  const modes = keys.modesOf(visit.membership.project)
  if (modes.length === 0) {
    return html`<p>Live keys can be made once the company is verified.</p>`
  }
  return html`<section class="card">
    <h2>New key</h2>
    <form class="narrow-form" method="post" action="${pathOf(visit)}">
      <div class="field">
        <label for="name">Name</label>
        <input id="name" name="name" maxlength="${NAME_CHARACTERS_MAX}" required />
        <p class="hint">What it is for, so that you know it later.</p>
      </div>
      <div class="field">
        <label for="mode">Mode</label>
        <select id="mode" name="mode">
          ${modes.map((mode) => html`<option value="${mode}">${modeWords[mode]}</option>`)}
        </select>
        ${
          !modes.includes('live') &&
          html`<p class="hint">Live keys can be made once the company is verified.</p>`
        }
      </div>
      ${scopeFields()} ${sitesFields(choices)}
      <button class="primary" type="submit">Make the key</button>
    </form>
  </section>`
}

const modeWords: Readonly<Record<Mode, string>> = {
  test: 'test: no real calls, messages or payments, but sites and data are real',
  live: 'live',
}

function scopeFields(): Html {
  const choice = (value: string, text: string, checked = false) =>
    html`<label class="choice" for="may-${value}">
      <input
        id="may-${value}"
        type="radio"
        name="may"
        value="${value}"
        ${checked && html`checked`}
      />
      ${text}
    </label>`
  return html`<fieldset>
    <legend>What it may do</legend>
    ${choice('all', 'Everything', true)} ${choice('read', 'Only read')}
    ${choice('chosen', 'What is chosen here:')}
    <details>
      <summary>Choose scopes</summary>
      ${keys.allScopes.map(
        (scope) =>
          html`<label class="choice" for="scope-${scope}">
            <input id="scope-${scope}" type="checkbox" name="scope" value="${scope}" />
            <span><code>${scope}</code> ${scopes[scope].about}</span>
          </label>`,
      )}
    </details>
  </fieldset>`
}

function sitesFields(choices: readonly sites.Site[]): Html | null {
  if (choices.length === 0) return null
  return html`<fieldset>
    <legend>Only these sites</legend>
    ${choices.map(
      ({ id, title, slug }) =>
        html`<label class="choice" for="site-${id}">
          <input id="site-${id}" type="checkbox" name="site" value="${id}" /> ${title} (${slug})
        </label>`,
    )}
    <p class="hint">None chosen: the whole project.</p>
  </fieldset>`
}

function pathOf({ membership }: ProjectVisit): string {
  return `/portal/projects/${membership.project.id}/keys`
}

export async function createKey(visit: ProjectVisit): Promise<Outcome> {
  requireWhole(visit)
  const { house, who, form, membership, caller } = visit
  if (!who.fresh) return { to: withNext('/portal/confirm', pathOf(visit)) }
  const name = (form.get('name') ?? '').trim()
  const mode = keys.modesOf(membership.project).find((one) => one === form.get('mode'))
  const chosen = chosenScopes(form)
  if (name === '' || [...name].length > NAME_CHARACTERS_MAX || /\p{Cc}/u.test(name)) {
    return keysPage(visit, `A key needs a name of at most ${NAME_CHARACTERS_MAX} characters.`)
  }
  if (mode === undefined) return keysPage(visit, 'This project cannot have a key of this mode.')
  if (chosen.length === 0) return keysPage(visit, 'Choose at least one scope.')
  const { data } = await sites.list(caller, { limit: limits.page_limit_max })
  const access = accessOf(form.getAll('site'), data)
  if (access === undefined) return keysPage(visit, 'One of the sites is not of this project.')
  const { id } = membership.project
  const { key } = await keys.create(house, { project_id: id, mode, name, scopes: chosen, access })
  return newKeyPage(visit, key)
}

function chosenScopes(form: URLSearchParams): readonly Scope[] {
  const may = form.get('may')
  if (may === 'all') return keys.allScopes
  if (may === 'read') return keys.allScopes.filter((scope) => scopes[scope].read_only)
  return [...new Set(form.getAll('scope'))].filter(isScope)
}

/** Null: the whole project. Undefined: a site that is not there. */
function accessOf(
  wanted: readonly string[],
  known: readonly sites.Site[],
): Access | null | undefined {
  if (wanted.length === 0) return null
  const ids = known.map(({ id }) => id).filter((id) => wanted.includes(id))
  if (ids.length < new Set(wanted).size) return undefined
  return { sites: ids, apps: [], collections: [], limited_by: 'api_key' }
}

function newKeyPage(visit: ProjectVisit, key: string): Outcome {
  const once = 'This is the only time the key is shown. Keep it in a safe place now.'
  return {
    ...projectFrame(visit, 'keys'),
    main: html`<h1>Your new key</h1>
      ${notice('warning', html`<p>${once}</p>`)}
      <pre><code>${key}</code></pre>
      <h2>Try it</h2>
      <pre><code>curl ${visit.house.config.public_url}/api/v1/project -H "Authorization: Bearer ${key}"</code></pre>
      <p>Keys belong on servers, never in a browser or a mobile app.</p>
      <p><a href="${pathOf(visit)}">I have kept it</a></p>`,
  }
}

export async function revokeKey(visit: ProjectVisit): Promise<Outcome> {
  requireWhole(visit)
  const { house, who, membership, request } = visit
  if (!who.fresh) return { to: withNext('/portal/confirm', pathOf(visit)) }
  const key_id = idOf(request, 'key_id')
  const rows = await keys.list(house, membership.project.id)
  if (!rows.some(({ id }) => id === key_id.toLowerCase())) {
    throw new Problem('not_found', 'This project has no such key.')
  }
  await keys.revoke(house, key_id)
  return { to: `${pathOf(visit)}?done=revoked` }
}
