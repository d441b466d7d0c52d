/**
 * The MCP clients connected to a project: their person, scopes and sites, with forms to change and
 * revoke them.
 */
import * as connections from '../../../../areas/connections/service.ts'
import * as people from '../../../../areas/people/service.ts'
import * as sites from '../../../../areas/sites/service.ts'
import { limits } from '../../../../contract/limits.ts'
import { isScope, scopes } from '../../../../contract/scopes.ts'
import { fillSelection } from '../../../../contract/access/limited-to.ts'
import { html, type Html } from '../../../html/html.ts'
import { renderChoice, renderFacts, renderMoment, renderNotice, renderPill } from '../../pieces.ts'
import { projectFrame } from '../../project-frame.ts'
import { askToConfirm, isConfirmed } from '../../question.ts'
import { withNext } from '../../session-cookie.ts'
import { readId, type PortalReply, type ProjectVisit } from '../../visit.ts'

const results: Readonly<Record<string, string>> = {
  revoked: 'The connection is revoked. Its requests get 401 from now on.',
  changed: 'The connection is changed. The change applies from its next request.',
}

export async function connectionsPage(
  visit: ProjectVisit,
  fault: string | null = null,
): Promise<PortalReply> {
  const { runtime, caller, query } = visit
  const rows = await connections.list(runtime, viewerOf(visit))
  const { data } = await sites.list(caller, { limit: limits.page_limit_max })
  const done = results[query.get('done') ?? '']
  return {
    ...projectFrame(visit, 'connections'),
    ...(fault !== null && { status: 422 }),
    main: html`<h1>Connections</h1>
      ${done !== undefined && renderNotice('good', html`<p>${done}</p>`)}
      ${fault !== null && renderNotice('bad', html`<p>${fault}</p>`)}
      ${
        rows.length === 0
          ? html`<p>No assistant is connected yet.</p>`
          : rows.map((row) => connectionCard(visit, row, data))
      }
      ${howTo(runtime.config.public_url)}`,
  }
}

function howTo(public_url: string): Html {
  return html`<section class="card">
    <h2>Connect an assistant</h2>
    <p>
      Add this address to an assistant that supports MCP, as a connector or an MCP server. It
      redirects you here to choose its permissions.
    </p>
    <pre><code>${public_url}/mcp</code></pre>
    <p><a href="/docs/guides/connect">How to do it in Claude, ChatGPT and others</a></p>
  </section>`
}

function viewerOf({ membership, who }: ProjectVisit) {
  const { project, role, access } = membership
  return { project, person: { id: who.person.id, role }, access }
}

function connectionCard(
  visit: ProjectVisit,
  row: connections.ConnectionFacts,
  choices: readonly sites.Site[],
): Html {
  const { client_name, redirect_host, person, mode, last_used_at } = row
  return html`<section class="card">
    <h2>${client_name} ${renderPill(mode === 'live' ? 'warning' : 'quiet', mode)}</h2>
    ${renderFacts([
      ['Redirects to', redirect_host],
      ['Person', person.id === visit.who.person.id ? `${person.email} (you)` : person.email],
      ['Can read', mayWords(visit, row, true)],
      ['Can change', mayWords(visit, row, false)],
      ['Works with', worksWith(row, choices)],
      ['Connected', renderMoment(row.created_at)],
      ['Last used', last_used_at === null ? 'never' : renderMoment(last_used_at)],
    ])}
    <div class="buttons">
      <form method="post" action="${pathOf(visit)}/${row.id}/revoke">
        <button class="danger" type="submit">
          Revoke<span class="unseen"> ${client_name} of ${person.email}</span>
        </button>
      </form>
    </div>
    ${
      visit.who.fresh
        ? changeForm(visit, row, choices)
        : html`<p>
            <a href="${withNext('/portal/confirm', pathOf(visit))}">
              Confirm your identity<span class="unseen"> to change ${client_name}</span>
            </a>
            to change it.
          </p>`
    }
  </section>`
}

function mayWords(
  { scopes_in_use }: ProjectVisit,
  { scopes: held }: connections.ConnectionFacts,
  read_only: boolean,
): string {
  const names = scopes_in_use
    .filter((scope) => held.includes(scope) && scopes[scope].read_only === read_only)
    .map((scope) => (read_only ? scopes[scope].title : scopes[scope].may).toLowerCase())
  return names.join(read_only ? ', ' : '; ') || 'nothing'
}

function worksWith(
  { access }: connections.ConnectionFacts,
  choices: readonly sites.Site[],
): string {
  if (access === null) return 'everything that this person can access'
  const slugs = access.sites.map((id) => choices.find((site) => site.id === id)?.slug ?? 'a site')
  return slugs.join(', ') || 'no site'
}

function changeForm(
  visit: ProjectVisit,
  { id, scopes: held, access, client_name }: connections.ConnectionFacts,
  choices: readonly sites.Site[],
): Html {
  const box = (name: string, value: string, words: { text: string; checked: boolean }) =>
    renderChoice({ type: 'checkbox', id: `${name}-${id}-${value}`, name, value, ...words })
  return html`<details>
    <summary>Change<span class="unseen"> ${client_name}</span></summary>
    <form method="post" action="${pathOf(visit)}/${id}/change">
      <fieldset>
        <legend>Permissions</legend>
        ${visit.scopes_in_use
          .filter((scope) => held.includes(scope))
          .map((scope) => {
            const { title, may, read_only } = scopes[scope]
            const text = read_only ? `read ${title.toLowerCase()}` : may
            return box('scope', scope, { text, checked: true })
          })}
        <p class="hint">To add permissions, connect again.</p>
      </fieldset>
      ${
        manages(visit) &&
        choices.length > 0 &&
        html`<fieldset>
          <legend>Only these sites</legend>
          ${choices.map((site) =>
            box('site', site.id, {
              text: site.slug,
              checked: access?.sites.includes(site.id) ?? false,
            }),
          )}
          <p class="hint">None chosen: everything that this person can access.</p>
        </fieldset>`
      }
      <button type="submit">Save</button>
    </form>
  </details>`
}

function manages({ membership }: ProjectVisit): boolean {
  return membership.access === null && people.hasRole(membership.role, 'admin')
}

function pathOf({ membership }: ProjectVisit): string {
  return `/portal/projects/${membership.project.id}/connections`
}

export async function changeConnection(visit: ProjectVisit): Promise<PortalReply> {
  const { runtime, who, form, request, caller } = visit
  if (!who.fresh) return { to: withNext('/portal/confirm', pathOf(visit)) }
  const id = readId(request, 'connection_id')
  const viewer = viewerOf(visit)
  const { access: before } = await connections.find(runtime, viewer, id)
  const chosen = form.getAll('scope').filter(isScope)
  if (chosen.length === 0) {
    return connectionsPage(visit, 'Keep at least one permission, or revoke the connection.')
  }
  const { data } = await sites.list(caller, { limit: limits.page_limit_max })
  const wanted = new Set(form.getAll('site'))
  const ids = data.map((site) => site.id).filter((one) => wanted.has(one))
  if (ids.length < wanted.size) {
    return connectionsPage(visit, 'One of the sites does not belong to this project.')
  }
  const access = ids.length === 0 ? null : fillSelection({ ...before, sites: ids })
  const limited = manages(visit) && data.length > 0 ? { access } : {}
  await connections.change(runtime, viewer, { id, scopes: chosen, ...limited })
  return { to: `${pathOf(visit)}?done=changed` }
}

export async function revokeConnection(visit: ProjectVisit): Promise<PortalReply> {
  const { runtime, request } = visit
  const viewer = viewerOf(visit)
  const id = readId(request, 'connection_id')
  if (!isConfirmed(visit)) {
    const { client_name } = await connections.find(runtime, viewer, id)
    return askToConfirm(visit, {
      title: `Revoke the connection of ${client_name}?`,
      explanation: `Requests of ${client_name} get 401 from now on. To use it again, connect it again.`,
      button: 'Revoke',
      back: pathOf(visit),
    })
  }
  await connections.revoke(runtime, viewer, id)
  return { to: `${pathOf(visit)}?done=revoked` }
}
