/** Signing in, step by step, and signing out. */
import * as people from '../../../areas/people/service.ts'
import { html } from '../../docs/html.ts'
import { nextPath, whoVisits, type Outcome, type Visit } from '../visit.ts'

export async function signInPage(visit: Visit): Promise<Outcome> {
  if (await whoVisits(visit)) return { to: nextPath(visit.query.get('next')) }
  return {
    title: 'Sign in',
    main: html`<div class="narrow">
      <h1>Sign in</h1>
      <p>
        Open the link that Homeport printed at its first start, or make a new one where it runs:
      </p>
      <pre><code>npm run -s homeport -- people sign-in-link --email you@example.com</code></pre>
    </div>`,
  }
}

export async function signOut(visit: Visit): Promise<Outcome> {
  const { house, cookies, reply } = visit
  const who = await whoVisits(visit)
  if (who) await people.endSession(house, who, who.session_id)
  cookies.clear(reply, 'session')
  return { to: '/portal/sign-in?done=signed-out' }
}
