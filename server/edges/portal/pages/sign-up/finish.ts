/** The last steps of creating an account: a way to sign in, and the first project. */
import { findPasswordFault } from '../../../../areas/credentials/service.ts'
import * as people from '../../../../areas/people/service.ts'
import { limits } from '../../../../contract/limits.ts'
import { PORTAL_APP_PATH } from '../../../../contract/manifest/portal-pages.ts'
import { html, type Html } from '../../../html/html.ts'
import { passkeyForm } from '../account/passkey-form.ts'
import type { PersonVisit, PortalReply } from '../../visit.ts'
import { ROOT, signUpPage, textsOf } from './parts.ts'

const METHOD = `${ROOT}/method`
const PROJECT = `${ROOT}/project`

/** Skipped by people who can sign in without a code already. */
export async function methodPage(
  visit: PersonVisit,
  fault: string | null = null,
): Promise<PortalReply> {
  const { runtime, who } = visit
  const t = textsOf(visit)
  const hasPasskey = (await people.listPasskeys(runtime.db, who)).length > 0
  if (who.person.has_password || hasPasskey) return { to: PROJECT }
  return signUpPage(visit, {
    title: t.method,
    step: 3,
    fault,
    email: who.person.email,
    main: html`<p>${t.method_about}</p>
      ${await passkeyPart(visit)}
      <form method="post" action="${METHOD}/password">
        <input type="hidden" name="username" autocomplete="username" value="${who.person.email}" />
        <div class="field">
          <label for="password">${t.password}</label>
          <input
            id="password"
            name="password"
            type="password"
            autocomplete="new-password"
            aria-describedby="password-about"
            maxlength="${limits.password_characters_max}"
            required
          />
          <p class="hint" id="password-about">${t.password_about}</p>
        </div>
        <button class="primary" type="submit">${t.save_password}</button>
      </form>
      <p class="hint"><a href="${PROJECT}">${t.by_code}</a></p>`,
  })
}

async function passkeyPart(visit: PersonVisit): Promise<Html | null> {
  const t = textsOf(visit)
  const question = await people.newPasskeyOptions(visit.runtime, visit.who)
  return (
    question &&
    passkeyForm({
      action: `${METHOD}/passkey`,
      language: visit.language,
      creates: true,
      question,
      fields: html`<p>${t.passkey_about}</p>`,
      button: t.passkey,
    })
  )
}

export async function submitPassword(visit: PersonVisit): Promise<PortalReply> {
  const { runtime, who, form, rates, device } = visit
  rates.step(device.network)
  if (!who.fresh || who.person.has_password) return { to: METHOD }
  const password = form.get('password') ?? ''
  const fault = findPasswordFault(password, who.person.email, device.language)
  if (fault !== null) return methodPage(visit, fault)
  await people.setPassword(runtime, who, password)
  return { to: PROJECT }
}

export async function submitPasskey(visit: PersonVisit): Promise<PortalReply> {
  const { runtime, who, form, rates, device } = visit
  rates.step(device.network)
  if (!who.fresh) return { to: METHOD }
  const t = textsOf(visit)
  const given = { name: t.passkey_name, response: form.get('response') ?? '' }
  const refused = await people.addPasskey(runtime, who, given)
  return refused ? methodPage(visit, t.passkey_fault) : { to: PROJECT }
}

/** Skipped by people who have a project already. */
export async function projectPage(
  visit: PersonVisit,
  { fault = null, name = '' }: { fault?: string | null; name?: string } = {},
): Promise<PortalReply> {
  const { runtime, who } = visit
  const t = textsOf(visit)
  if ((await people.listMemberships(runtime.db, who.person)).length > 0) return { to: '/portal' }
  return signUpPage(visit, {
    title: t.project,
    step: 4,
    fault,
    email: who.person.email,
    main: html`<p>${t.project_about}</p>
      <form method="post" action="${PROJECT}">
        <div class="field">
          <label for="name">${t.project_name}</label>
          <input
            id="name"
            name="name"
            autocomplete="organization"
            aria-describedby="name-hint"
            maxlength="${limits.project_name_characters_max}"
            value="${name}"
            required
          />
          <p class="hint" id="name-hint">${t.project_hint}</p>
        </div>
        <button class="primary" type="submit">${t.create_project}</button>
      </form>
      <p class="hint"><a href="/portal">${t.no_project}</a></p>`,
  })
}

export async function submitProject(visit: PersonVisit): Promise<PortalReply> {
  const { runtime, who, form, rates, device } = visit
  rates.step(device.network)
  const name = (form.get('name') ?? '').trim()
  const isLong = name.length > limits.project_name_characters_max
  if (name === '' || isLong || /\p{Cc}/u.test(name)) {
    return projectPage(visit, {
      fault: textsOf(visit).project_name_wrong,
      name: name.slice(0, 300),
    })
  }
  const id = await people.createFirstProject(runtime, { person: who.person, name })
  return { to: `${PORTAL_APP_PATH}/projects/${id}/start?mode=test` }
}
