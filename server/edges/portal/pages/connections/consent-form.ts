/** The fields of the consent page: mode, scopes and sites of a new connection. */
import * as keys from '../../../../areas/keys/service.ts'
import * as people from '../../../../areas/people/service.ts'
import type { ConnectionLimits } from '../../../../areas/connections/service.ts'
import * as sites from '../../../../areas/sites/service.ts'
import type { Mode } from '../../../../contract/caller.ts'
import { limits } from '../../../../contract/limits.ts'
import { isScope, scopes, type Scope } from '../../../../contract/scopes.ts'
import { fillSelection } from '../../../../contract/access/limited-to.ts'
import { html, type Html } from '../../../html/html.ts'
import type { AuthorizationRequest } from '../../../oauth/authorization-requests.ts'
import { renderChoice, renderNotice, renderPill } from '../../pieces.ts'
import type { PersonVisit } from '../../visit.ts'

interface ProjectChoice {
  membership: people.Membership
  /** Whether the person can choose between projects. */
  many: boolean
}

export async function consentForm(
  visit: PersonVisit,
  waiting: AuthorizationRequest,
  { membership, many }: ProjectChoice,
): Promise<Html> {
  const { project } = membership
  const path = visit.request.url.split('?')[0]
  return html`<form method="post" action="${path}">
    <input type="hidden" name="project" value="${project.id}" />
    <p>
      Project: <b>${project.name}</b>
      ${many && html`<a href="${path}">Choose another</a>`}
    </p>
    ${modeFields(visit, membership)} ${scopeFields(visit, waiting, membership)}
    ${sitesFields(visit, membership, await sitesOf(visit, membership))}
    <p>
      It never has more permissions than you, and you can revoke it at any time under Connections in
      the project.
    </p>
    <div class="buttons">
      <button class="primary" type="submit" name="decision" value="allow">Allow</button>
      <button type="submit" name="decision" value="cancel" formnovalidate>Cancel</button>
    </div>
  </form>`
}

const modeWords: Readonly<Record<Mode, readonly [string, string]>> = {
  test: ['Test', 'no real calls or payments; sites and data are real in test mode too'],
  live: ['Live', 'rails that are live have real effects and can cost money'],
}

function modeFields({ form }: PersonVisit, { project }: people.Membership): Html {
  const modes = keys.listKeyModes(project)
  const checked = modes.find((mode) => mode === form.get('mode')) ?? modes[0]
  return html`<fieldset>
    <legend>Mode</legend>
    ${modes.map((mode) =>
      renderChoice({
        type: 'radio',
        name: 'mode',
        value: mode,
        text: html`<span><b>${modeWords[mode][0]}</b>: ${modeWords[mode][1]}</span>`,
        checked: mode === checked,
      }),
    )}
    ${
      !modes.includes('live') &&
      html`<p class="hint">Live mode is available once the company of the project is verified.</p>`
    }
  </fieldset>`
}

/** Requested read scopes are preselected; scopes that change something are not. */
function scopeFields(
  visit: PersonVisit,
  waiting: AuthorizationRequest,
  { role }: people.Membership,
): Html {
  const may = people.listScopes(role)
  const given = visit.form.getAll('scope')
  const was_sent = visit.form.has('decision')
  const scopeChoice = (scope: Scope) => {
    const asked = waiting.scopes.includes(scope)
    const on = was_sent ? given.includes(scope) : asked && scopes[scope].read_only
    const { title, may, read_only } = scopes[scope]
    const text = html`<span>
      <b>${title}</b>: ${may} ${asked && !read_only && renderPill('warning', 'requested')}
    </span>`
    return renderChoice({ type: 'checkbox', name: 'scope', value: scope, text, checked: on })
  }
  const ofGroup = (read_only: boolean) =>
    visit.scopes_in_use.filter((scope) => may.has(scope) && scopes[scope].read_only === read_only)
  const changing = ofGroup(false)
  return html`<p>
      <b>${waiting.client.name}</b> gets exactly the permissions checked below. At first only
      requested read permissions are checked.
    </p>
    ${askedToChange(waiting, changing)}
    <fieldset>
      <legend>Read</legend>
      ${ofGroup(true).map(scopeChoice)}
    </fieldset>
    ${
      changing.length > 0 &&
      html`<fieldset>
        <legend>Change</legend>
        <p class="hint">Granted only if you check it. Connect again to grant more later.</p>
        ${changing.map(scopeChoice)}
      </fieldset>`
    }`
}

/** Names the requested scopes that are not preselected, because they permit changes. */
function askedToChange(
  { client, scopes: asked }: AuthorizationRequest,
  changing: readonly Scope[],
): Html | null {
  const wanted = changing.filter((scope) => asked.includes(scope))
  if (wanted.length === 0) return null
  const words = wanted.map((scope) => `${scopes[scope].title} (${scopes[scope].may})`).join('; ')
  return renderNotice(
    'quiet',
    html`<p>
      ${client.name} also requests permission to make changes: ${words}. These are not checked.
      Without them it can read, and its attempts to change something are refused.
    </p>`,
  )
}

async function sitesOf(
  { runtime, who, request }: PersonVisit,
  membership: people.Membership,
): Promise<sites.Site[]> {
  const caller = people.createMemberCaller(runtime, who, { membership, request_id: request.id })
  return (await sites.list(caller, { limit: limits.page_limit_max })).data
}

function sitesFields(
  { form }: PersonVisit,
  { access }: people.Membership,
  choices: readonly sites.Site[],
): Html | null {
  if (choices.length === 0) return null
  const given = form.getAll('site')
  return html`<details ${given.length > 0 && html`open`}>
    <summary>Limit to some sites</summary>
    <fieldset>
      <legend>Only these sites and their data</legend>
      ${choices.map(({ id, title, slug }) =>
        renderChoice({
          type: 'checkbox',
          name: 'site',
          value: id,
          text: `${title} (${slug})`,
          checked: given.includes(id),
        }),
      )}
      <p class="hint">
        None chosen: ${access === null ? 'the whole project' : 'all sites that you can access'}.
      </p>
    </fieldset>
  </details>`
}

export type ConsentFormResult =
  | { mode: Mode; scopes: Scope[]; access: ConnectionLimits }
  | { fault: string }

/** Reads the form. Returns the grant, or the fault to show. */
export async function readConsentForm(
  visit: PersonVisit,
  membership: people.Membership,
): Promise<ConsentFormResult> {
  const { form } = visit
  const mode = keys.listKeyModes(membership.project).find((one) => one === form.get('mode'))
  if (mode === undefined) return { fault: 'Choose a mode that the project offers.' }
  const may = people.listScopes(membership.role)
  const chosen = form.getAll('scope').filter(isScope)
  if (chosen.some((scope) => !may.has(scope))) {
    return { fault: 'Your role in this project does not include all of these permissions.' }
  }
  const scopes_chosen = chosen.filter((scope) => visit.scopes_in_use.includes(scope))
  if (scopes_chosen.length === 0) return { fault: 'Choose at least one permission.' }
  const wanted = new Set(form.getAll('site'))
  const known = (await sitesOf(visit, membership)).map(({ id }) => id)
  const ids = known.filter((id) => wanted.has(id))
  if (ids.length < wanted.size)
    return { fault: 'One of the sites does not belong to this project.' }
  return {
    mode,
    scopes: scopes_chosen,
    access: ids.length === 0 ? null : fillSelection({ sites: ids }),
  }
}
