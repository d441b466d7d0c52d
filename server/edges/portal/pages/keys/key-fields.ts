/** The form fields for the scopes and sites of a key, and their readers. */
import * as keys from '../../../../areas/keys/service.ts'
import type * as sites from '../../../../areas/sites/service.ts'
import { scopes, type Scope } from '../../../../contract/scopes.ts'
import { fillSelection } from '../../../../contract/access/limited-to.ts'
import { html, type Html } from '../../../html/html.ts'
import { renderChoice } from '../../pieces.ts'

export function scopeFields(offered: readonly Scope[]): Html {
  return html`<fieldset>
    <legend>Scopes</legend>
    ${renderChoice({ type: 'radio', name: 'may', value: 'all', text: 'All', checked: true })}
    ${renderChoice({ type: 'radio', name: 'may', value: 'read', text: 'Read only' })}
    ${renderChoice({ type: 'radio', name: 'may', value: 'chosen', text: 'Only these:' })}
    <details>
      <summary>Choose scopes</summary>
      ${offered.map((scope) =>
        renderChoice({
          type: 'checkbox',
          name: 'scope',
          value: scope,
          text: html`<span
            ><code>${scope}</code> ${scopes[scope].title}: ${scopes[scope].may}</span
          >`,
        }),
      )}
    </details>
  </fieldset>`
}

/** Returns the chosen scopes; null if none was chosen. */
export function readScopes(form: URLSearchParams): keys.KeyInput['scopes'] | null {
  const may = form.get('may')
  if (may === 'all') return 'full'
  if (may === 'read') return 'read_only'
  const wanted = new Set(form.getAll('scope'))
  const chosen: Scope[] = keys.allScopes.filter((scope) => wanted.has(scope))
  return chosen.length > 0 ? chosen : null
}

/** A deleted site stays chosen until a person removes it. */
export function reachFields(
  choices: readonly sites.Site[],
  access: keys.Key['access'] = null,
): Html | null {
  const known = new Set(choices.map(({ id }) => id))
  const gone = access?.sites.filter((id) => !known.has(id)) ?? []
  if (choices.length + gone.length === 0) return null
  const site = (id: string, text: string) =>
    renderChoice({
      type: 'checkbox',
      name: 'site',
      value: id,
      text,
      checked: access?.sites.includes(id) ?? false,
    })
  const whole = access === null
  return html`<fieldset>
    <legend>Access</legend>
    ${renderChoice({ type: 'radio', name: 'reach', value: 'project', text: 'The whole project', checked: whole })}
    ${renderChoice({ type: 'radio', name: 'reach', value: 'sites', text: 'Only these sites:', checked: !whole })}
    <div class="choices">
      ${choices.map(({ id, title, slug }) => site(id, `${title} (${slug})`))}
      ${gone.map((id) => site(id, `Deleted site (${id})`))}
    </div>
    <p class="hint">
      This includes the collections that forms of these sites write to, and excludes everything else
      of the project.
    </p>
  </fieldset>`
}

/**
 * Returns the limits of the form; null for the whole project, undefined if the key is limited to
 * sites but no site was chosen. Chosen sites take precedence over `reach`.
 */
export function readReach(form: URLSearchParams): keys.Key['access'] | undefined {
  const chosen = form.getAll('site')
  if (form.get('reach') === 'project' && chosen.length === 0) return null
  if (chosen.length > 0) return fillSelection({ sites: chosen })
  return form.get('reach') === 'sites' ? undefined : null
}
