/** The page of an error, with the text for users. */
import { errorCatalogue } from '../../../contract/error-catalogue.ts'
import type { Problem } from '../../../contract/errors.ts'
import { html } from '../../html/html.ts'
import type { PageLanguage } from '../../html/language.ts'
import type { PortalPage } from '../layout.ts'
import { problemTexts, translateMessage } from './problem-texts.ts'

export function problemPage(problem: Problem, language: PageLanguage): PortalPage {
  const t = problemTexts[language]
  const title = t.titles[problem.status] ?? t.failed
  const { user_message = errorCatalogue[problem.slug].user } = problem.extra
  const message = language === 'nl' ? translateMessage(user_message) : user_message
  const isTranslated = language === 'en' || message !== user_message
  return {
    title,
    language,
    main: html`<div class="narrow">
      <h1>${title}</h1>
      <p ${!isTranslated && html`lang="en"`}>${message}</p>
      <p><a href="/portal">${t.back}</a></p>
    </div>`,
  }
}
