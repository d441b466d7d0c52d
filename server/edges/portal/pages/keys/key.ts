/** One API key: its name and what it works with are changed here, and it is revoked for good. */
import * as keys from '../../../../areas/keys/service.ts'
import * as sites from '../../../../areas/sites/service.ts'
import { Problem } from '../../../../contract/errors.ts'
import { limits } from '../../../../contract/limits.ts'
import { html, type Html } from '../../../html/html.ts'
import { facts, moment, notice } from '../../pieces.ts'
import { projectFrame } from '../../project-frame.ts'
import { withNext } from '../../session-cookie.ts'
import { idOf, type Outcome, type ProjectVisit } from '../../visit.ts'
import { memberOf } from '../approvals/approvals.ts'
import { reachFields, readReach } from './key-fields.ts'
import {
  areKnown,
  isKeyName,
  keysPath,
  NAME_FAULT,
  nameField,
  REACH_FAULT,
  reachInWords,
  SITE_FAULT,
} from './keys.ts'

async function keyOf(visit: ProjectVisit): Promise<keys.Key> {
  const key = await keys.findKey(await memberOf(visit), idOf(visit.request, 'key_id'))
  if (key) return key
  const user_message = 'This project has no such key.'
  throw new Problem('not_found', user_message, { user_message })
}

export async function keyPage(visit: ProjectVisit, fault: string | null = null): Promise<Outcome> {
  const { who, caller } = visit
  const key = await keyOf(visit)
  const path = `${keysPath(visit)}/${key.id}`
  if (!who.fresh) return { to: withNext('/portal/confirm', path) }
  if (key.revoked_at !== null) return { to: keysPath(visit) }
  const { data } = await sites.list(caller, { limit: limits.page_limit_max })
  return {
    ...projectFrame(visit, 'keys'),
    ...(fault !== null && { status: 422 }),
    main: html`<h1>${key.name}</h1>
      ${fault !== null && notice('bad', html`<p>${fault}</p>`)} ${factsOf(key, data)}
      <section class="card">
        <h2>Change it</h2>
        <form class="narrow-form" method="post" action="${path}">
          ${nameField(key.name)} ${reachFields(data, key.access)}
          <p class="hint">
            It holds from the key's next request on. What the key may do stays: make another one for
            that.
          </p>
          <button class="primary" type="submit">Save</button>
        </form>
      </section>
      <p><a href="${path}/revoke">Revoke this key</a></p>
      <p><a href="${keysPath(visit)}">Back to the keys</a></p>`,
  }
}

function factsOf(key: keys.Key, known: readonly sites.Site[]): Html {
  return facts([
    ['Key', html`<code>${key.start}…</code>`],
    ['Mode', key.mode],
    ['Works with', reachInWords(key, known)],
    ['Made', html`${moment(key.created_at)}`],
    ['By', key.created_by ?? 'the operator'],
  ])
}

export async function changeKey(visit: ProjectVisit): Promise<Outcome> {
  const { who, form } = visit
  const key = await keyOf(visit)
  if (!who.fresh) return { to: withNext('/portal/confirm', keysPath(visit)) }
  const name = (form.get('name') ?? '').trim()
  if (!isKeyName(name)) return keyPage(visit, NAME_FAULT)
  const access = readReach(form)
  if (access === undefined) return keyPage(visit, REACH_FAULT)
  const asBefore = sameSites(access, key.access)
  if (!asBefore && !(await areKnown(visit, access))) return keyPage(visit, SITE_FAULT)
  const change = asBefore ? { name } : { name, access }
  await keys.changeKey(await memberOf(visit), key.id, change)
  return { to: `${keysPath(visit)}?done=changed` }
}

function sameSites(one: keys.Key['access'], other: keys.Key['access']): boolean {
  if (one === null || other === null) return one === other
  return [...one.sites].toSorted().join() === [...other.sites].toSorted().join()
}

/** Asks first: a key that is revoked never works again, and what uses it stops. */
export async function revokePage(visit: ProjectVisit): Promise<Outcome> {
  const key = await keyOf(visit)
  const path = `${keysPath(visit)}/${key.id}/revoke`
  if (!visit.who.fresh) return { to: withNext('/portal/confirm', path) }
  if (key.revoked_at !== null) return { to: keysPath(visit) }
  return {
    ...projectFrame(visit, 'keys'),
    main: html`<div class="narrow">
      <h1>Revoke ${key.name}?</h1>
      <p>
        Whatever uses the key <code>${key.start}…</code> gets 401 from its next request on. This
        cannot be undone.
      </p>
      <div class="buttons">
        <form method="post" action="${path}">
          <button class="danger" type="submit">Revoke it</button>
        </form>
        <a href="${keysPath(visit)}">Keep it</a>
      </div>
    </div>`,
  }
}

export async function revokeKey(visit: ProjectVisit): Promise<Outcome> {
  const key_id = idOf(visit.request, 'key_id')
  if (!visit.who.fresh) return { to: withNext('/portal/confirm', keysPath(visit)) }
  await keys.revokeKey(await memberOf(visit), key_id)
  return { to: `${keysPath(visit)}?done=revoked` }
}
