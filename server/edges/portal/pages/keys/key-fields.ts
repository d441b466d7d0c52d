/** The fields by which people say what a key may do and what it works with, and how they are read. */
import * as keys from '../../../../areas/keys/service.ts'
import type * as sites from '../../../../areas/sites/service.ts'
import { scopes, type Scope } from '../../../../contract/scopes.ts'
import { selection } from '../../../../contract/limited-to.ts'
import { html, type Html } from '../../../html/html.ts'
import { choice } from '../../pieces.ts'

export function scopeFields(offered: readonly Scope[]): Html {
  return html`<fieldset>
    <legend>What it may do</legend>
    ${choice({ type: 'radio', name: 'may', value: 'all', text: 'Everything', checked: true })}
    ${choice({ type: 'radio', name: 'may', value: 'read', text: 'Only read' })}
    ${choice({ type: 'radio', name: 'may', value: 'chosen', text: 'What is chosen here:' })}
    <details>
      <summary>Choose scopes</summary>
      ${offered.map((scope) =>
        choice({
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

/** Null: no scope was chosen. */
export function readScopes(form: URLSearchParams): keys.KeyInput['scopes'] | null {
  const may = form.get('may')
  if (may === 'all') return 'full'
  if (may === 'read') return 'read_only'
  const wanted = new Set(form.getAll('scope'))
  const chosen: Scope[] = keys.allScopes.filter((scope) => wanted.has(scope))
  return chosen.length > 0 ? chosen : null
}

/** Deleted sites stay chosen until a person removes them. */
export function reachFields(
  choices: readonly sites.Site[],
  access: keys.Key['access'] = null,
): Html | null {
  const known = new Set(choices.map(({ id }) => id))
  const gone = access?.sites.filter((id) => !known.has(id)) ?? []
  if (choices.length + gone.length === 0) return null
  const site = (id: string, text: string) =>
    choice({
      type: 'checkbox',
      name: 'site',
      value: id,
      text,
      checked: access?.sites.includes(id) ?? false,
    })
  const whole = access === null
  return html`<fieldset>
    <legend>What it works with</legend>
    ${choice({ type: 'radio', name: 'reach', value: 'project', text: 'The whole project', checked: whole })}
    ${choice({ type: 'radio', name: 'reach', value: 'sites', text: 'Only these sites:', checked: !whole })}
    <div class="choices">
      ${choices.map(({ id, title, slug }) => site(id, `${title} (${slug})`))}
      ${gone.map((id) => site(id, `A site that is gone (${id})`))}
    </div>
    <p class="hint">
      The data that forms of a site post to come along. Whatever is of the whole project does not.
    </p>
  </fieldset>`
}

/** Undefined: limited, but to nothing. A site that is ticked limits, whatever else was said. */
export function readReach(form: URLSearchParams): keys.Key['access'] | undefined {
  const chosen = form.getAll('site')
  if (form.get('reach') === 'project' && chosen.length === 0) return null
  if (chosen.length > 0) return selection({ sites: chosen })
  return form.get('reach') === 'sites' ? undefined : null
}
