/**
 * A one-time sign-in link made by the operator. Opened directly in a browser without a session, it
 * signs in at once. In every other case the page asks for confirmation first: a prefetch would use
 * the link up, a link on another site would sign its visitor in to an account chosen by that site
 * (login CSRF), and an existing session would silently change its person.
 */
import * as people from '../../../../areas/people/service.ts'
import { html } from '../../../html/html.ts'
import type { PortalPage } from '../../layout.ts'
import { finishSignIn } from '../../session-cookie.ts'
import { accountTexts } from './texts.ts'
import { readParameters, findSession, type PortalReply, type PortalVisit } from '../../visit.ts'

export async function openLink(visit: PortalVisit): Promise<PortalReply> {
  const secret = secretOf(visit)
  const found = await people.findLink(visit.runtime, 'portal', secret)
  if (!found) return invalidLinkPage(visit)
  const who = await findSession(visit)
  const isAsked = visit.query.has('confirm')
  if (who === null && !isAsked && !isPrefetch(visit) && isOpenedDirectly(visit)) {
    return useLink(visit)
  }
  return confirmLinkPage(visit, { email: found.email, other: who?.person.email ?? null })
}

export async function useLink(visit: PortalVisit): Promise<PortalReply> {
  const { runtime, device } = visit
  visit.rates.step(device.network)
  const secret = secretOf(visit)
  const proven = await people.signInByLink(runtime, { realm: 'portal', secret, device })
  if (!proven) return invalidLinkPage(visit)
  const before = await findSession(visit)
  if (before) await people.endSession(runtime, before, before.session_id)
  return finishSignIn(visit, proven, '/portal')
}

function secretOf({ request }: PortalVisit): string {
  return readParameters(request)['secret'] ?? ''
}

/**
 * Whether no other page led here: the address was typed, pasted, or opened by another program
 * (Sec-Fetch-Site: none). Browsers omit that header over plain http outside localhost, so a client
 * that asks for HTML without it gets the confirmation first. Clients that are not browsers carry no
 * cookies that a third party could abuse.
 */
function isOpenedDirectly({ request: { headers } }: PortalVisit): boolean {
  const site = headers['sec-fetch-site']
  if (site !== undefined) return site === 'none' || site === 'same-origin'
  return !(headers.accept ?? '').includes('text/html')
}

/** Whether nobody sees the page: a browser prefetches it, or a mail scanner sends HEAD. */
function isPrefetch({ request: { headers, method } }: PortalVisit): boolean {
  if (method === 'HEAD') return true
  const purpose = headers['sec-purpose'] ?? headers['purpose'] ?? ''
  return /prefetch|prerender|preview/i.test(String(purpose))
}

function invalidLinkPage({ language }: PortalVisit): PortalPage & { status: number } {
  const t = accountTexts[language]
  return {
    status: 404,
    title: t.link_invalid,
    language,
    main: html`<div class="narrow">
      <h1>${t.link_invalid}</h1>
      <p>${t.link_invalid_about}</p>
      <p><a href="/portal/sign-in">${t.another_way}</a>, ${t.or_on_server}</p>
      <pre><code>npm run -s homeport -- people sign-in-link --email you@example.com</code></pre>
    </div>`,
  }
}

function confirmLinkPage(
  visit: PortalVisit,
  { email, other }: { email: string; other: string | null },
): PortalPage {
  const t = accountTexts[visit.language]
  return {
    title: t.sign_in,
    language: visit.language,
    // Shows this page again: a change of the language must not use up the link.
    here: `/portal/sign-in/link/${secretOf(visit)}?confirm=1`,
    main: html`<div class="narrow">
      <h1>${t.sign_in_as(email)}</h1>
      ${other !== null && html`<p>${t.other_session(other)}</p>`}
      <form method="post" action="/portal/sign-in/link/${secretOf(visit)}">
        <button class="primary" type="submit">${t.sign_in}</button>
      </form>
    </div>`,
  }
}
