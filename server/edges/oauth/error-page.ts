/** The error page for a client that cannot be connected. It never redirects. */
import type { KoaContextWithOIDC } from 'oidc-provider'
import { html, type Html } from '../html/html.ts'
import { renderPage, pageHeaders, type PortalPage } from '../portal/layout.ts'

interface OAuthError {
  error: string
  error_description?: string | undefined
}

export function sendErrorPage(ctx: KoaContextWithOIDC, fault: OAuthError): void {
  const page = createErrorPage(fault)
  ctx.set(pageHeaders(page))
  ctx.type = 'html'
  ctx.body = renderPage(page)
}

export function createErrorPage({ error, error_description = '' }: OAuthError): PortalPage {
  const over = error_description.includes('session') || error_description.includes('expired')
  return {
    title: 'Not connected',
    main: html`<div class="reading">
      <h1>Connection failed</h1>
      ${over ? tooLate : wrong(error)}
      <p class="hint">
        For the developer of the program: <code>${error}</code>
        ${error_description !== '' && html`(${error_description})`}
      </p>
    </div>`,
  }
}

const tooLate = html`<p>
  This connection request has expired, or was started in another browser. No access was granted.
  Start again in the program that you want to connect.
</p>`

function wrong(error: string): Html {
  if (error === 'server_error' || error === 'temporarily_unavailable') {
    return html`<p>An error occurred. No access was granted. Try again in a moment.</p>`
  }
  return html`<p>
    The request of the program is invalid or unsafe, so no access was granted and you were not
    redirected to it. Start again in the program. If that does not help, report the error below to
    its developer.
  </p>`
}
