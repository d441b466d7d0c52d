/** The page of an error, with the text for users. */
import { errorCatalogue, type Problem } from '../../../contract/errors.ts'
import { html } from '../../html/html.ts'
import type { PortalPage } from '../layout.ts'

const titles: Readonly<Record<number, string>> = {
  403: 'Access denied',
  404: 'Page not found',
  429: 'Too many attempts',
  503: 'Temporarily unavailable',
}

export function problemPage(problem: Problem): PortalPage {
  const title = titles[problem.status] ?? 'Request failed'
  const { user_message = errorCatalogue[problem.slug].user } = problem.extra
  return {
    title,
    main: html`<div class="narrow">
      <h1>${title}</h1>
      <p>${user_message}</p>
      <p><a href="/portal">Back to your projects</a></p>
    </div>`,
  }
}
