/** The API of portal sessions: access, and the operations for people only. */
import { html } from '../../html/html.ts'
import { renderCode } from '../render/prose.ts'
import { paths, type DocsPage, type DocsSite } from '../site.ts'
import { renderAreaSections, listLinks } from './reference.ts'

const ROOT = '/portal/api/v1'

export function portalApiPage(site: DocsSite): DocsPage {
  const origin = URL.parse(site.base_url)?.origin ?? ''
  const operations = site.people ?? []
  return {
    path: paths.portal_api,
    title: 'Portal API',
    about: 'The operations for portal sessions: projects, teams, going live, billing.',
    wide: true,
    inside: listLinks(operations),
    main: html`<h1>Portal API</h1>
      <p class="lead">
        Scripts of portal pages can do what the pages do, below ${renderCode(origin + ROOT)}.
        Requests are authenticated by the cookie of a session, and neither by keys nor by access
        tokens: these operations are for people only.
      </p>
      <ul>
        <li>
          Every operation of the <a href="${paths.reference}">reference</a> that needs a key can
          also be called, below ${renderCode('/projects/{project_id}')}, such as
          ${renderCode('GET /projects/{project_id}/collections')}: with the scopes of the role, the
          limits of the member, and the same errors.
        </li>
        <li>
          The header ${renderCode('Homeport-Mode')} selects live or test mode, like the mode of a
          key.
        </li>
        <li>Changes are accepted from pages of this server only. There is no CORS.</li>
        <li>
          A person has the rate limit of a key. An Idempotency-Key belongs to the person who sends
          it.
        </li>
        <li>
          Keys, billing and going live need a recent confirmation of identity. Without it the reply
          is 403 with ${renderCode('confirm_url')}, the page to confirm it.
        </li>
      </ul>
      <p>
        All of it is in the <a href="${origin + ROOT}/openapi.json">OpenAPI document</a> of the
        portal. In the examples, ${renderCode('$HOMEPORT_SESSION')} stands for the cookie.
      </p>
      ${renderAreaSections({ ...site, base_url: origin + ROOT }, operations)}`,
  }
}
