/** The error page for a client that cannot be connected. It never redirects. */
import type { KoaContextWithOIDC } from 'oidc-provider'
import { html, type Html } from '../html/html.ts'
import { layOut, pageHeaders, type PortalPage } from '../portal/layout.ts'

interface Fault {
  error: string
  error_description?: string | undefined
}

export function faultPage(ctx: KoaContextWithOIDC, fault: Fault): void {
  const page = pageOf(fault)
  ctx.set(pageHeaders(page))
  ctx.type = 'html'
  ctx.body = layOut(page)
}

export function pageOf({ error, error_description = '' }: Fault): PortalPage {
  const over = error_description.includes('session') || error_description.includes('expired')
  return {
    title: 'Not connected',
    main: html`<div class="reading">
      <h1>This could not be connected</h1>
      ${over ? tooLate : wrong(error)}
      <p class="hint">
        For whoever makes the program: <code>${error}</code>
        ${error_description !== '' && html`(${error_description})`}
      </p>
    </div>`,
  }
}

const tooLate = html`<p>
  This request to connect is no longer open, or was begun in another browser. Nothing was allowed.
  Start again in the program that you want to connect.
</p>`

function wrong(error: string): Html {
  if (error === 'server_error' || error === 'temporarily_unavailable') {
    return html`<p>Something went wrong here. Nothing was allowed. Try again in a moment.</p>`
  }
  return html`<p>
    The program that sent you here asked in a way that is not safe to answer, so nothing was allowed
    and you were not sent back to it. Start again in the program. If that does not help, tell
    whoever makes it what stands below.
  </p>`
}
