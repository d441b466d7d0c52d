/** Fills in the form of a served page and submits it like a browser without scripts. */
import { BROWSER, type SiteFixture } from '../test/fixtures/sites/site.ts'

export interface ServedForm {
  /** Relative to the API root; null if the form is not sent to a collection. */
  path: string | null
  hidden: readonly (readonly [name: string, value: string])[]
  /** The input types of the fields, by name. */
  fields: ReadonlyMap<string, string>
}

/** Parses the first form of a page. */
export function formOn(html: string): ServedForm {
  const [form = ''] = /<form\b[\s\S]*?(?:<\/form>|$)/i.exec(html) ?? []
  const action = attribute(/<form\b[^>]*>/i.exec(form)?.[0] ?? '', 'action')
  const [, path = null] =
    /\/api\/v1(\/public\/collections\/.*)$/.exec(action.replaceAll('&amp;', '&')) ?? []
  const inputs = [...form.matchAll(/<(?:input|textarea)\b[^>]*>/gi)].map(([tag]) => ({
    name: attribute(tag, 'name'),
    type: attribute(tag, 'type') || 'text',
    value: attribute(tag, 'value'),
    hidden:
      /\shidden\b/i.test(tag.replaceAll(/"[^"]*"/g, '')) || attribute(tag, 'type') === 'hidden',
  }))
  const named = inputs.filter(({ name }) => name !== '')
  return {
    path,
    hidden: named.flatMap(({ hidden, name, value }) => (hidden ? [[name, value] as const] : [])),
    fields: new Map(named.flatMap(({ hidden, name, type }) => (hidden ? [] : [[name, type]]))),
  }
}

function attribute(tag: string, name: string): string {
  return new RegExp(`\\s${name}\\s*=\\s*["']?([^"'\\s>]*)`, 'i').exec(tag)?.[1] ?? ''
}

interface Sending {
  form: ServedForm
  origin: string
  filled: Readonly<Record<string, string | number>>
}

/** Whether the form was accepted. */
export async function sendForm(
  page: SiteFixture,
  { form, origin, filled }: Sending,
): Promise<boolean> {
  if (form.path === null) return false
  const own = Object.entries(filled).map(([name, value]) => [name, String(value)] as const)
  const fields = [...form.hidden, ...own]
  const answer = await page.send(`POST ${form.path}`, {
    fields,
    origin,
    token: null,
    accept: BROWSER,
  })
  return answer.status < 400
}
