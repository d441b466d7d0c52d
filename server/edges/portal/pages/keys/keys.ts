/**
 * The API keys of a project, listed by their first characters. Creating one needs a recent
 * confirmation of identity. A new key is shown once, in the reply to its form. A form creates one
 * key, however often it is sent.
 */
import * as keys from '../../../../areas/keys/service.ts'
import * as sites from '../../../../areas/sites/service.ts'
import type { Mode } from '../../../../contract/caller.ts'
import { limits } from '../../../../contract/limits.ts'
import { scopes } from '../../../../contract/scopes.ts'
import { sameText } from '../../../../kernel/secrets/crypto.ts'
import { isUuid, newId } from '../../../../kernel/values/ids.ts'
import { html, type Html } from '../../../html/html.ts'
import { renderMoment, renderNotice, renderPill, renderTable } from '../../pieces.ts'
import { projectFrame } from '../../project-frame.ts'
import { withNext } from '../../session-cookie.ts'
import type { PortalReply, ProjectVisit } from '../../visit.ts'
import { createMemberCaller } from '../approvals/approvals.ts'
import { reachFields, readReach, readScopes, scopeFields } from './key-fields.ts'

const results: Readonly<Record<string, string>> = {
  revoked: 'The key is revoked. Requests with it get 401 from now on.',
  changed: 'The key is changed. The change applies from its next request.',
  again:
    'This key was already created and shown once. If you did not save it, revoke it and create another.',
}

export async function keysPage(
  visit: ProjectVisit,
  fault: string | null = null,
): Promise<PortalReply> {
  const { who, query, caller } = visit
  const rows = await keys.listKeys(await createMemberCaller(visit))
  const { data } = await sites.list(caller, { limit: limits.page_limit_max })
  const done = results[query.get('done') ?? '']
  return {
    ...projectFrame(visit, 'keys'),
    ...(fault !== null && { status: 422 }),
    main: html`<h1>Keys</h1>
      ${done !== undefined && renderNotice('good', html`<p>${done}</p>`)}
      ${fault !== null && renderNotice('bad', html`<p>${fault}</p>`)}
      ${
        rows.length === 0
          ? html`<p>This project has no key yet.</p>`
          : renderTable(
              'API keys',
              ['Key', 'Mode', 'Scopes', 'Access', 'Created', 'State'],
              rows.map((row) => keyRow(visit, row, data)),
            )
      }
      ${who.fresh ? newKeyForm(visit, data) : askFirst(visit)}`,
  }
}

function keyRow(
  visit: ProjectVisit,
  row: keys.Key,
  known: readonly sites.Site[],
): (Html | string)[] {
  const path = `${keysPath(visit)}/${row.id}`
  const unseen = html`<span class="unseen"> ${row.name} ${row.start}</span>`
  return [
    html`<span><b>${row.name}</b> <code>${row.start}…</code></span>`,
    row.mode,
    html`<span class="words">${scopesInWords(row)}</span>`,
    reachInWords(row, known),
    html`${renderMoment(row.created_at)}${row.created_by !== null && html` by ${row.created_by}`}`,
    row.revoked_at === null
      ? html`<a href="${path}">Change${unseen}</a> <a href="${path}/revoke">Revoke${unseen}</a>`
      : renderPill('quiet', 'revoked'),
  ]
}

function scopesInWords({ scopes: names }: keys.Key): string {
  if (names.length === keys.allScopes.length) return 'all'
  const reading = keys.allScopes.filter((scope) => scopes[scope].read_only)
  if (names.length === reading.length && names.every((name) => scopes[name].read_only)) {
    return 'read only'
  }
  return names.join(', ')
}

export function reachInWords({ in_force }: keys.Key, known: readonly sites.Site[]): string {
  if (in_force === null) return 'the whole project'
  const names = in_force.sites.map((id) => known.find((site) => site.id === id)?.slug ?? 'a site')
  return names.length > 0 ? names.join(', ') : 'nothing'
}

function askFirst(visit: ProjectVisit): Html {
  return html`<p>
    <a href="${withNext('/portal/confirm', keysPath(visit))}">
      Confirm your identity to create, change or revoke a key
    </a>
  </p>`
}

export function nameField(name = ''): Html {
  return html`<div class="field">
    <label for="name">Name</label>
    <input
      id="name"
      name="name"
      value="${name}"
      maxlength="${limits.key_name_characters_max}"
      aria-describedby="name-hint"
      required
    />
    <p class="hint" id="name-hint">Describe what uses the key, so that you recognize it later.</p>
  </div>`
}

function newKeyForm(visit: ProjectVisit, choices: readonly sites.Site[]): Html {
  const modes = keys.listKeyModes(visit.membership.project)
  if (modes.length === 0) {
    return html`<p>Live keys are available once the company is verified.</p>`
  }
  return html`<section class="card">
    <h2>New key</h2>
    <form class="narrow-form" method="post" action="${keysPath(visit)}">
      <input type="hidden" name="once" value="${newOnce(visit)}" />
      ${nameField()}
      <div class="field">
        <label for="mode">Mode</label>
        <select id="mode" name="mode">
          ${modes.map((mode) => html`<option value="${mode}">${modeWords[mode]}</option>`)}
        </select>
        <p class="hint">
          ${modeHint}
          ${!modes.includes('live') && 'Live keys are available once the company is verified.'}
        </p>
      </div>
      ${scopeFields(visit.scopes_in_use)} ${reachFields(choices)}
      <button class="primary" type="submit">Create key</button>
    </form>
  </section>`
}

const modeWords: Readonly<Record<Mode, string>> = { test: 'Test', live: 'Live' }
const modeHint = 'A test key causes no real calls, messages or payments. Sites and data are real.'

export function keysPath({ membership }: ProjectVisit): string {
  return `/portal/projects/${membership.project.id}/keys`
}

/**
 * The signed id of the key to be created. A form that is sent twice names the same id, so only one
 * key is created.
 */
function newOnce(visit: ProjectVisit): string {
  const id = newId(visit.runtime.clock)
  return `${id}.${macOf(visit, id)}`
}

function macOf({ runtime, who, membership }: ProjectVisit, id: string): string {
  const text = `${membership.project.id} ${who.session_id} ${id}`
  return runtime.seal.mac(text, 'portal.key-form').toString('base64url')
}

/** Returns the id in the form; null if the form was not issued to this person in this session. */
function readOnce(visit: ProjectVisit): string | null {
  const [id = '', mac = ''] = (visit.form.get('once') ?? '').split('.')
  return isUuid(id) && sameText(mac, macOf(visit, id)) ? id : null
}

export function isKeyName(name: string): boolean {
  const length = [...name].length
  return length > 0 && length <= limits.key_name_characters_max && !/\p{Cc}/u.test(name)
}

export const NAME_FAULT = `A key needs a name of at most ${limits.key_name_characters_max} characters.`
export const REACH_FAULT = 'Choose sites, or the whole project.'
export const SITE_FAULT = 'One of the sites does not belong to this project.'

export async function createKey(visit: ProjectVisit): Promise<PortalReply> {
  const { who, form, caller } = visit
  if (!who.fresh) return { to: withNext('/portal/confirm', keysPath(visit)) }
  const id = readOnce(visit)
  if (id === null) return keysPage(visit, 'This form has expired. Please fill it in again.')
  const name = (form.get('name') ?? '').trim()
  const mode = keys.listKeyModes(caller.project).find((one) => one === form.get('mode'))
  const chosen = readScopes(form)
  const access = readReach(form)
  if (!isKeyName(name)) return keysPage(visit, NAME_FAULT)
  if (mode === undefined) return keysPage(visit, 'This project cannot have a key of this mode.')
  if (chosen === null) return keysPage(visit, 'Choose at least one scope.')
  if (access === undefined) return keysPage(visit, REACH_FAULT)
  if (!(await areKnown(visit, access))) return keysPage(visit, SITE_FAULT)
  const input = { name, mode, scopes: chosen, access }
  const made = await keys.createKeyOnce(await createMemberCaller(visit), id, input)
  return made ? newKeyPage(visit, made.key) : { to: `${keysPath(visit)}?done=again` }
}

export async function areKnown(
  { caller }: ProjectVisit,
  access: keys.Key['access'],
): Promise<boolean> {
  if (access === null) return true
  const { data } = await sites.list(caller, { limit: limits.page_limit_max })
  const known = new Set(data.map(({ id }) => id))
  return access.sites.every((id) => known.has(id.toLowerCase()))
}

function newKeyPage(visit: ProjectVisit, key: string): PortalReply {
  const once = 'This key is shown only once. Save it in a safe place now.'
  return {
    ...projectFrame(visit, 'keys'),
    main: html`<h1>Your new key</h1>
      ${renderNotice('warning', html`<p>${once}</p>`)}
      <pre><code>${key}</code></pre>
      <h2>Try it</h2>
      <pre><code>curl ${visit.runtime.config.public_url}/api/v1/project -H "Authorization: Bearer ${key}"</code></pre>
      <p>Use keys on servers only, never in a browser or a mobile app.</p>
      <p><a href="${keysPath(visit)}">I have saved it</a></p>`,
  }
}
