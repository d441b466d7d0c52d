/** The confirmation step before an action that cannot be undone. */
import { html } from '../html/html.ts'
import type { PortalReply, PersonVisit } from './visit.ts'

interface Confirmation {
  title: string
  /** What the action does, in one or two sentences. */
  explanation: string
  /** Text of the button that runs the action. */
  button: string
  /** Path of the page to return to without running the action. */
  back: string
}

/** Whether the form of the confirmation page was sent; never for a GET, which has no form. */
export function isConfirmed({ form, request }: PersonVisit): boolean {
  return request.method === 'POST' && form.get('confirmed') === 'yes'
}

/**
 * A page whose form sends a POST to the same address with `confirmed=yes`. A GET of that address
 * shows it too, so that it can be loaded again.
 */
export function askToConfirm({ request, who }: PersonVisit, question: Confirmation): PortalReply {
  const { title, explanation, button, back } = question
  return {
    title,
    email: who.person.email,
    main: html`<div class="narrow">
      <h1>${title}</h1>
      <p>${explanation}</p>
      <div class="buttons">
        <form method="post" action="${request.url.split('?')[0]}">
          <input type="hidden" name="confirmed" value="yes" />
          <button class="danger" type="submit">${button}</button>
        </form>
        <a href="${back}">Cancel</a>
      </div>
    </div>`,
  }
}
