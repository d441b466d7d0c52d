/**
 * The page on which a person lets a program in: who asks, where the answer leads, and for which
 * project. It needs no script. What the program wrote about itself is text, and is shown as such.
 */
import * as keys from '../../../../areas/keys/service.ts'
import * as people from '../../../../areas/people/service.ts'
import { html, type Html } from '../../../html/html.ts'
import { pageOf } from '../../../oauth/fault-page.ts'
import { allow, findWaiting, refuse, type Waiting } from '../../../oauth/requests.ts'
import { choice, notice } from '../../pieces.ts'
import { parametersOf, type Outcome, type PersonVisit } from '../../visit.ts'
import { choiceForm, readChoice } from './consent-form.ts'

export async function consentPage(
  visit: PersonVisit,
  fault: string | null = null,
): Promise<Outcome> {
  const waiting = await findWaiting(visit, uidOf(visit))
  if (!waiting) return over()
  const memberships = await connectable(visit)
  const wanted = visit.form.get('project') ?? visit.query.get('project')
  const chosen =
    memberships.length === 1
      ? memberships[0]
      : memberships.find(({ project }) => project.id === wanted)
  return {
    title: `Connect ${waiting.client.name}`,
    email: visit.who.person.email,
    form_leads_to: waiting.back.source,
    ...(fault !== null && { status: 422 }),
    main: html`<div class="reading">
      <h1>Connect ${waiting.client.name}?</h1>
      ${fault !== null && notice('bad', html`<p>${fault}</p>`)} ${whoAsks(waiting)}
      ${
        chosen
          ? await choiceForm(visit, waiting, { membership: chosen, many: memberships.length > 1 })
          : projectChooser(visit, memberships)
      }
    </div>`,
  }
}

function uidOf({ request }: PersonVisit): string {
  return parametersOf(request)['uid'] ?? ''
}

function over(): Outcome {
  const fault = { error: 'invalid_request', error_description: 'the session was not found' }
  return { ...pageOf(fault), status: 404 }
}

/** Projects that this person may connect a program to. */
async function connectable({ runtime, who }: PersonVisit): Promise<people.Membership[]> {
  const memberships = await people.listMemberships(runtime.db, who.person)
  return memberships.filter(({ project }) => project.enabled && keys.modesOf(project).length > 0)
}

function whoAsks(waiting: Waiting): Html {
  const { client, back } = waiting
  return html`<section class="card">
      <p><b>${client.name}</b> wants to work with a project of yours.</p>
      <p>Your answer goes to ${destination(back)}.</p>
    </section>
    ${client.vouched_by === null ? unchecked(waiting) : described(client.vouched_by, back)}`
}

function destination({ sort, host }: Waiting['back']): Html {
  if (sort === 'web') return html`<b>${host}</b>`
  if (sort === 'app') return html`the app that opens <b>${host}</b> on this device`
  return html`a program on this very computer, <b>${host}</b>`
}

function unchecked({ client, back }: Waiting): Html {
  const here =
    back.sort !== 'web' &&
    html`, and the answer stays on this device, where any program could pretend to be it`
  return notice(
    'warning',
    html`<p>
      Nobody has checked that this is really ${client.name}: the program chose its name
      itself${here}. Continue only if you have just begun this yourself, in a program that you
      trust.
    </p>`,
  )
}

function described(host: string, back: Waiting['back']): Html {
  const elsewhere = {
    web: host === back.host ? null : `The answer goes to ${back.host}, which is another address.`,
    loopback: 'The answer stays on this device, where any program could pretend to be it.',
    app: 'The answer stays on this device, where any program could pretend to be it.',
  }[back.sort]
  return notice(
    elsewhere === null ? 'quiet' : 'warning',
    html`<p>
      It is described at <b>${host}</b>. ${elsewhere} Continue only if you trust that address, and
      have just begun this yourself.
    </p>`,
  )
}

function projectChooser(visit: PersonVisit, memberships: readonly people.Membership[]): Html {
  const path = pathOf(visit)
  if (memberships.length === 0) {
    return html`<p>
        You are signed in as ${visit.who.person.email}, and have no part in a project that it could
        be connected to.
      </p>
      ${cancelForm(path)}`
  }
  return html`<form method="get" action="${path}">
      <fieldset>
        <legend>Which project?</legend>
        ${memberships.map(({ project, role }, index) =>
          choice({
            type: 'radio',
            name: 'project',
            value: project.id,
            text: html`<span
              >${project.name}
              <span class="soft">${[shapeWords[project.shape], role].join('')}</span></span
            >`,
            checked: index === 0,
          }),
        )}
      </fieldset>
      <div class="buttons"><button class="primary" type="submit">Continue</button></div>
    </form>
    ${cancelForm(path)}`
}

const shapeWords = { single: '', live: 'live project, ', test: 'test project, ' } as const

function cancelForm(path: string): Html {
  return html`<form method="post" action="${path}">
    <button type="submit" name="decision" value="cancel">Cancel</button>
  </form>`
}

function pathOf({ request }: PersonVisit): string {
  return request.url.split('?')[0] ?? ''
}

export async function decideConsent(visit: PersonVisit): Promise<Outcome> {
  const uid = uidOf(visit)
  const waiting = await findWaiting(visit, uid)
  if (!waiting) return over()
  if (visit.form.get('decision') !== 'allow') return goOn(await refuse(visit, uid))
  const memberships = await connectable(visit)
  const membership = memberships.find(({ project }) => project.id === visit.form.get('project'))
  if (!membership) return consentPage(visit, 'Choose a project that you have a part in.')
  const choice = await readChoice(visit, membership)
  if ('fault' in choice) return consentPage(visit, choice.fault)
  const decision = { person_id: visit.who.person.id, membership, ...choice }
  return goOn(await allow(visit, uid, { waiting, decision }))
}

function goOn(address: string | null): Outcome {
  return address === null ? over() : { to: address }
}
