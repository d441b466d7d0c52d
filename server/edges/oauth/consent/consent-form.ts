/** The fields of the consent page: mode, scopes and sites of a new connection. */
import * as keys from '../../../areas/keys/service.ts'
import * as people from '../../../areas/people/service.ts'
import type { ConnectionLimits } from '../../../areas/connections/service.ts'
import * as sites from '../../../areas/sites/service.ts'
import type { Mode } from '../../../contract/caller.ts'
import { limits } from '../../../contract/limits.ts'
import { isScope, scopes, type Scope } from '../../../contract/scopes.ts'
import { fillSelection } from '../../../contract/limited-to.ts'
import { html, type Html } from '../../html/html.ts'
import type { AuthorizationRequest } from '../authorization-requests.ts'
import { renderChoice, renderNotice, renderPill } from '../../portal/pieces.ts'
import type { PersonVisit } from '../../portal/visit.ts'
import { consentTexts } from './texts.ts'

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
  const t = consentTexts[visit.language]
  return html`<form method="post" action="${path}">
    <input type="hidden" name="project" value="${project.id}" />
    <p>
      ${t.project} <b>${project.name}</b>
      ${many && html`<a href="${path}">${t.another_project}</a>`}
    </p>
    ${modeFields(visit, membership)} ${scopeFields(visit, waiting, membership)}
    ${sitesFields(visit, membership, await sitesOf(visit, membership))}
    <p>${t.revocable}</p>
    <div class="buttons">
      <button class="primary" type="submit" name="decision" value="allow">${t.allow}</button>
      <button type="submit" name="decision" value="cancel" formnovalidate>${t.cancel}</button>
    </div>
  </form>`
}

function modeFields({ form, language }: PersonVisit, { project }: people.Membership): Html {
  const t = consentTexts[language]
  const modes = keys.listKeyModes(project)
  const checked = modes.find((mode) => mode === form.get('mode')) ?? modes[0]
  return html`<fieldset>
    <legend>${t.mode}</legend>
    ${modes.map((mode) =>
      renderChoice({
        type: 'radio',
        name: 'mode',
        value: mode,
        text: html`<span><b>${t.modes[mode][0]}</b>: ${t.modes[mode][1]}</span>`,
        checked: mode === checked,
      }),
    )}
    ${!modes.includes('live') && html`<p class="hint">${t.no_live}</p>`}
  </fieldset>`
}

/** Requested read scopes are preselected; scopes that change something are not. */
function scopeFields(
  visit: PersonVisit,
  waiting: AuthorizationRequest,
  { role }: people.Membership,
): Html {
  const t = consentTexts[visit.language]
  const may = people.listScopes(role)
  const given = visit.form.getAll('scope')
  const was_sent = visit.form.has('decision')
  const scopeChoice = (scope: Scope) => {
    const asked = waiting.scopes.includes(scope)
    const on = was_sent ? given.includes(scope) : asked && scopes[scope].read_only
    const { title, may } = t.scope(scope)
    const text = html`<span>
      <b>${title}</b>: ${may}
      ${asked && !scopes[scope].read_only && renderPill('warning', t.requested)}
    </span>`
    return renderChoice({ type: 'checkbox', name: 'scope', value: scope, text, checked: on })
  }
  const ofGroup = (read_only: boolean) =>
    visit.scopes_in_use.filter((scope) => may.has(scope) && scopes[scope].read_only === read_only)
  const changing = ofGroup(false)
  return html`<p><b>${waiting.client.name}</b>${t.gets}</p>
    ${askedToChange(visit, waiting, changing)}
    <fieldset>
      <legend>${t.read}</legend>
      ${ofGroup(true).map(scopeChoice)}
    </fieldset>
    ${
      changing.length > 0 &&
      html`<fieldset>
        <legend>${t.change}</legend>
        <p class="hint">${t.change_about}</p>
        ${changing.map(scopeChoice)}
      </fieldset>`
    }`
}

/** Names the requested scopes that are not preselected, because they permit changes. */
function askedToChange(
  { language }: PersonVisit,
  { client, scopes: asked }: AuthorizationRequest,
  changing: readonly Scope[],
): Html | null {
  const wanted = changing.filter((scope) => asked.includes(scope))
  if (wanted.length === 0) return null
  const t = consentTexts[language]
  const words = wanted.map(t.scope).map(({ title, may }) => `${title} (${may})`)
  return renderNotice('quiet', html`<p>${t.asks_changes(client.name, words.join('; '))}</p>`)
}

async function sitesOf(
  { runtime, who, request }: PersonVisit,
  membership: people.Membership,
): Promise<sites.Site[]> {
  const caller = people.createMemberCaller(runtime, who, { membership, request_id: request.id })
  return (await sites.list(caller, { limit: limits.page_limit_max })).data
}

function sitesFields(
  { form, language }: PersonVisit,
  { access }: people.Membership,
  choices: readonly sites.Site[],
): Html | null {
  if (choices.length === 0) return null
  const t = consentTexts[language]
  const given = form.getAll('site')
  return html`<details ${given.length > 0 && html`open`}>
    <summary>${t.limit_sites}</summary>
    <fieldset>
      <legend>${t.only_sites}</legend>
      ${choices.map(({ id, title, slug }) =>
        renderChoice({
          type: 'checkbox',
          name: 'site',
          value: id,
          text: `${title} (${slug})`,
          checked: given.includes(id),
        }),
      )}
      <p class="hint">${t.none_chosen(access === null)}</p>
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
  const { faults } = consentTexts[visit.language]
  const mode = keys.listKeyModes(membership.project).find((one) => one === form.get('mode'))
  if (mode === undefined) return { fault: faults.mode }
  const may = people.listScopes(membership.role)
  const chosen = form.getAll('scope').filter(isScope)
  if (chosen.some((scope) => !may.has(scope))) {
    return { fault: faults.role }
  }
  const scopes_chosen = chosen.filter((scope) => visit.scopes_in_use.includes(scope))
  if (scopes_chosen.length === 0) return { fault: faults.scope }
  const wanted = new Set(form.getAll('site'))
  const known = (await sitesOf(visit, membership)).map(({ id }) => id)
  const ids = known.filter((id) => wanted.has(id))
  if (ids.length < wanted.size) return { fault: faults.site }
  return {
    mode,
    scopes: scopes_chosen,
    access: ids.length === 0 ? null : fillSelection({ sites: ids }),
  }
}
