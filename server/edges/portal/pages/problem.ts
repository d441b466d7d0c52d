/** What stands where a page cannot: a problem, in words for people. */
import { errorCatalogue, type Problem } from '../../../contract/errors.ts'
import { html } from '../../html/html.ts'
import type { PortalPage } from '../layout.ts'

const titles: Readonly<Record<number, string>> = {
  403: 'Not for you',
  404: 'Nothing here',
  429: 'Too many tries',
  503: 'Back in a moment',
}

export function problemPage(problem: Problem): PortalPage {
  const title = titles[problem.status] ?? 'That did not work'
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
