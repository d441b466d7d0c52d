/** The error page for a client that cannot be connected. It never redirects. */
import type { KoaContextWithOIDC } from 'oidc-provider'
import { html } from '../html/html.ts'
import { chooseLanguage, type PageLanguage } from '../html/language.ts'
import { renderPage, pageHeaders, type PortalPage } from '../portal/layout.ts'
import { errorTexts } from './error-texts.ts'

interface OAuthError {
  error: string
  error_description?: string | undefined
}

export function sendErrorPage(ctx: KoaContextWithOIDC, fault: OAuthError): void {
  const page = createErrorPage(fault, chooseLanguage(undefined, ctx.req.headers))
  ctx.set(pageHeaders(page))
  ctx.type = 'html'
  ctx.body = renderPage(page)
}

/** `error` and `error_description` are for developers and stay English. */
export function createErrorPage(
  { error, error_description = '' }: OAuthError,
  language: PageLanguage,
): PortalPage {
  const t = errorTexts[language]
  const over = error_description.includes('session') || error_description.includes('expired')
  const failed = error === 'server_error' || error === 'temporarily_unavailable'
  return {
    title: t.title,
    language,
    main: html`<div class="reading">
      <h1>${t.heading}</h1>
      <p>${over ? t.too_late : failed ? t.unavailable : t.invalid}</p>
      <p class="hint">
        ${t.for_developer} <code>${error}</code>
        ${error_description !== '' && html`(<span lang="en">${error_description}</span>)`}
      </p>
    </div>`,
  }
}
