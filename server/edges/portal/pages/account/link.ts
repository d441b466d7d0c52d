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
import { readParameters, findSession, type PortalReply, type PortalVisit } from '../../visit.ts'

export async function openLink(visit: PortalVisit): Promise<PortalReply> {
  const secret = secretOf(visit)
  const found = await people.findLink(visit.runtime, 'portal', secret)
  if (!found) return invalidLinkPage()
  const who = await findSession(visit)
  if (who === null && !isPrefetch(visit) && isOpenedDirectly(visit)) return useLink(visit)
  return confirmLinkPage({ email: found.email, secret, other: who?.person.email ?? null })
}

export async function useLink(visit: PortalVisit): Promise<PortalReply> {
  const { runtime, device } = visit
  visit.rates.step(device.network)
  const secret = secretOf(visit)
  const proven = await people.signInByLink(runtime, { realm: 'portal', secret, device })
  if (!proven) return invalidLinkPage()
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

function isPrefetch({ request: { headers } }: PortalVisit): boolean {
  const purpose = headers['sec-purpose'] ?? headers['purpose'] ?? ''
  return /prefetch|prerender|preview/i.test(String(purpose))
}

function invalidLinkPage(): PortalPage & { status: number } {
  return {
    status: 404,
    title: 'This link no longer works',
    main: html`<div class="narrow">
      <h1>This link no longer works</h1>
      <p>It was used already, has expired, or is incomplete. A link works once.</p>
      <p><a href="/portal/sign-in">Sign in another way</a>, or create a new link on the server:</p>
      <pre><code>npm run -s homeport -- people sign-in-link --email you@example.com</code></pre>
    </div>`,
  }
}

function confirmLinkPage({
  email,
  secret,
  other,
}: {
  email: string
  secret: string
  other: string | null
}): PortalPage {
  return {
    title: 'Sign in',
    main: html`<div class="narrow">
      <h1>Sign in as ${email}?</h1>
      ${other !== null && html`<p>You are signed in as ${other}. That session will end.</p>`}
      <form method="post" action="/portal/sign-in/link/${secret}">
        <button class="primary" type="submit">Sign in</button>
      </form>
    </div>`,
  }
}
