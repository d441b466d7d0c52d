/** The page of one API key: change its name and sites, or revoke it. */
import * as keys from '../../../../areas/keys/service.ts'
import * as sites from '../../../../areas/sites/service.ts'
import { Problem } from '../../../../contract/errors.ts'
import { limits } from '../../../../contract/limits.ts'
import { html, type Html } from '../../../html/html.ts'
import { renderFacts, renderMoment, renderNotice } from '../../pieces.ts'
import { projectFrame } from '../../project-frame.ts'
import { withNext } from '../../session-cookie.ts'
import { readId, type PortalReply, type ProjectVisit } from '../../visit.ts'
import { createMemberCaller } from '../approvals/approvals.ts'
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
  const key = await keys.findKey(await createMemberCaller(visit), readId(visit.request, 'key_id'))
  if (key) return key
  const user_message = 'This project has no such key.'
  throw new Problem('not_found', user_message, { user_message })
}

export async function keyPage(
  visit: ProjectVisit,
  fault: string | null = null,
): Promise<PortalReply> {
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
      ${fault !== null && renderNotice('bad', html`<p>${fault}</p>`)} ${factsOf(key, data)}
      <section class="card">
        <h2>Change this key</h2>
        <form class="narrow-form" method="post" action="${path}">
          ${nameField(key.name)} ${reachFields(data, key.access)}
          <p class="hint">
            Changes apply from the next request of the key. Scopes cannot be changed: create another
            key instead.
          </p>
          <button class="primary" type="submit">Save</button>
        </form>
      </section>
      <p><a href="${path}/revoke">Revoke this key</a></p>
      <p><a href="${keysPath(visit)}">Back to the keys</a></p>`,
  }
}

function factsOf(key: keys.Key, known: readonly sites.Site[]): Html {
  return renderFacts([
    ['Key', html`<code>${key.start}…</code>`],
    ['Mode', key.mode],
    ['Access', reachInWords(key, known)],
    ['Created', html`${renderMoment(key.created_at)}`],
    ['By', key.created_by ?? 'the operator'],
  ])
}

export async function changeKey(visit: ProjectVisit): Promise<PortalReply> {
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
  await keys.changeKey(await createMemberCaller(visit), key.id, change)
  return { to: `${keysPath(visit)}?done=changed` }
}

function sameSites(one: keys.Key['access'], other: keys.Key['access']): boolean {
  if (one === null || other === null) return one === other
  return [...one.sites].toSorted().join() === [...other.sites].toSorted().join()
}

/** The confirmation page before a key is revoked, which cannot be undone. */
export async function revokePage(visit: ProjectVisit): Promise<PortalReply> {
  const key = await keyOf(visit)
  const path = `${keysPath(visit)}/${key.id}/revoke`
  if (!visit.who.fresh) return { to: withNext('/portal/confirm', path) }
  if (key.revoked_at !== null) return { to: keysPath(visit) }
  return {
    ...projectFrame(visit, 'keys'),
    main: html`<div class="narrow">
      <h1>Revoke ${key.name}?</h1>
      <p>
        Requests with the key <code>${key.start}…</code> get 401 from now on. This cannot be undone.
      </p>
      <div class="buttons">
        <form method="post" action="${path}">
          <button class="danger" type="submit">Revoke</button>
        </form>
        <a href="${keysPath(visit)}">Cancel</a>
      </div>
    </div>`,
  }
}

export async function revokeKey(visit: ProjectVisit): Promise<PortalReply> {
  const key_id = readId(visit.request, 'key_id')
  if (!visit.who.fresh) return { to: withNext('/portal/confirm', keysPath(visit)) }
  await keys.revokeKey(await createMemberCaller(visit), key_id)
  return { to: `${keysPath(visit)}?done=revoked` }
}
