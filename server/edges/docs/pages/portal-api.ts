/** The API of portal sessions: access, and the operations for people only. */
import { html } from '../../html/html.ts'
import { code } from '../prose.ts'
import { paths, type DocsPage, type DocsSite } from '../site.ts'
import { areaSections, linksTo } from './reference.ts'

const ROOT = '/portal/api/v1'

export function portalApiPage(site: DocsSite): DocsPage {
  const origin = URL.parse(site.base_url)?.origin ?? ''
  const operations = site.people ?? []
  return {
    path: paths.portal_api,
    title: 'Portal API',
    about: 'What people call with the session of the portal: projects, teams, going live, money.',
    wide: true,
    inside: linksTo(operations),
    main: html`<h1>Portal API</h1>
      <p class="lead">
        What the pages of the portal do, their scripts can do too, below ${code(origin + ROOT)}. It
        takes the session of somebody who has signed in, as a cookie, and neither keys nor access
        tokens: what stands here is for people alone.
      </p>
      <ul>
        <li>
          Every operation of the <a href="${paths.reference}">reference</a> that needs a key can be
          called as well, below ${code('/projects/{project_id}')}, such as
          ${code('GET /projects/{project_id}/collections')}: with the scopes of the role, within the
          limits of the member, and with the same problems.
        </li>
        <li>
          The header ${code('Homeport-Mode')} says whether it is meant as with a live or a test key.
        </li>
        <li>What changes something is taken from pages of this server only. There is no CORS.</li>
        <li>
          A person may ask as often as a key. An Idempotency-Key belongs to the person who sends it.
        </li>
        <li>
          Keys, money and going live ask for a fresh proof of who you are. Without one the answer is
          403 with ${code('confirm_url')}, the page on which to give it.
        </li>
      </ul>
      <p>
        All of it is in the <a href="${origin + ROOT}/openapi.json">OpenAPI document</a> of the
        portal. In the examples, ${code('$HOMEPORT_SESSION')} stands for the cookie.
      </p>
      ${areaSections({ ...site, base_url: origin + ROOT }, operations)}`,
  }
}
