/** The terms of use, if the operator has no page of its own for them. */
import * as people from '../../../../areas/people/service.ts'
import { html } from '../../../html/html.ts'
import type { PortalReply, PortalVisit } from '../../visit.ts'
import { textsOf } from './parts.ts'

export async function termsPage(visit: PortalVisit): Promise<PortalReply> {
  const t = textsOf(visit)
  const { url, text, version } = people.findTerms(visit.runtime)
  if (url !== null) return { to: url }
  const paragraphs = text === '' ? t.standard_terms : text.split(/\n{2,}/)
  return {
    title: t.terms_title,
    language: visit.device.language,
    main: html`<div class="reading">
      <h1>${t.terms_title}</h1>
      <p class="hint">${t.version(version)}</p>
      ${paragraphs.map((paragraph) => html`<p>${paragraph}</p>`)}
    </div>`,
  }
}
