/**
 * The company of a project, or the person of a personal account. These details are needed to go
 * live. After a refusal the form keeps the input.
 */
import * as people from '../../../../areas/people/service.ts'
import * as projects from '../../../../areas/projects/service.ts'
import { Problem } from '../../../../contract/errors.ts'
import { html, type Html } from '../../../html/html.ts'
import { createBodyValidator, type Validator } from '../../../http/validate.ts'
import { renderChoice, renderNotice } from '../../pieces.ts'
import { projectFrame } from '../../project-frame.ts'
import { requireWholeProject, type PortalReply, type ProjectVisit } from '../../visit.ts'

const labels = {
  company_name: 'Company name',
  register_number: 'Number in the business register',
  vat_number: 'VAT number',
  street: 'Street',
  house_number: 'House number',
  postal_code: 'Postal code',
  city: 'City',
  country: 'Country, in two letters such as NL',
  name: 'Contact person',
  phone: 'Phone number of the contact person',
} as const
type Field = keyof typeof labels
const fields = Object.keys(labels).filter((name): name is Field => Object.hasOwn(labels, name))

type Typed = Record<Field | 'account_type', string>

export async function companyPage(
  visit: ProjectVisit,
  { faults = [], typed }: { faults?: readonly string[]; typed?: Typed } = {},
): Promise<PortalReply> {
  requireWholeProject(visit)
  const saved = await projects.showCompany(visit.caller)
  const values = typed ?? typedFrom(saved)
  const manages = people.hasRole(visit.membership.role, 'admin')
  return {
    ...projectFrame(visit, 'go_live'),
    ...(faults.length > 0 && { status: 422 }),
    main: html`<h1>Company</h1>
      ${visit.query.get('done') === 'saved' && renderNotice('good', html`<p>The company is saved.</p>`)}
      ${faults.length > 0 && renderNotice('bad', html`${faults.map((fault) => html`<p>${fault}</p>`)}`)}
      ${
        saved.missing.length > 0 &&
        renderNotice(
          'quiet',
          html`<p>Still missing: ${saved.missing.join(', ').replaceAll('_', ' ')}.</p>`,
        )
      }
      ${manages ? companyForm(visit, values) : html`<p>Owners and admins can edit the company.</p>`}
      <p>
        <a href="/portal/projects/${visit.membership.project.id}/go-live">Back to Go live</a>
      </p>`,
  }
}

type Company = Awaited<ReturnType<typeof projects.showCompany>>

function typedFrom({ account_type, address, contact, ...saved }: Company): Typed {
  const register_number = saved.kvk_number ?? saved.registration_number
  const { company_name, vat_number } = saved
  const known = { company_name, register_number, vat_number, ...address, ...contact }
  const text = (name: Field) =>
    String(Object.entries(known).find(([one]) => one === name)?.[1] ?? '')
  return { account_type, ...textsOf(text) }
}

function textsOf(text: (name: Field) => string): Record<Field, string> {
  return {
    company_name: text('company_name'),
    register_number: text('register_number'),
    vat_number: text('vat_number'),
    street: text('street'),
    house_number: text('house_number'),
    postal_code: text('postal_code'),
    city: text('city'),
    country: text('country'),
    name: text('name'),
    phone: text('phone'),
  }
}

function companyForm(visit: ProjectVisit, typed: Typed): Html {
  const sort = (value: string, text: string) => {
    const checked = typed.account_type === value
    return renderChoice({
      type: 'radio',
      id: `type-${value}`,
      name: 'account_type',
      value,
      text,
      checked,
    })
  }
  return html`<form class="narrow-form" method="post" action="${pathOf(visit)}">
    <fieldset>
      <legend>Account type</legend>
      ${sort('business', 'A business')} ${sort('personal', 'A person')}
    </fieldset>
    ${fields.map(
      (name) =>
        html`<div class="field">
          <label for="${name}">${labels[name]}</label>
          <input id="${name}" name="${name}" value="${typed[name]}" maxlength="200" />
        </div>`,
    )}
    <p class="hint">For a person, only the address and the contact are required.</p>
    <button class="primary" type="submit">Save</button>
  </form>`
}

function pathOf({ membership }: ProjectVisit): string {
  return `/portal/projects/${membership.project.id}/company`
}

let check: Validator | null = null

export async function saveCompany(visit: ProjectVisit): Promise<PortalReply> {
  requireWholeProject(visit)
  const typed = readTyped(visit.form)
  const body = bodyFrom(typed)
  check ??= createBodyValidator(projects.CompanyInput)
  const faults = check(body).map(sentenceOf)
  if (faults.length > 0 || !projects.isCompanyInput(body)) {
    return companyPage(visit, { faults, typed })
  }
  try {
    await projects.replaceCompany(visit.caller, body)
  } catch (error) {
    if (!(error instanceof Problem) || error.status >= 500) throw error
    return companyPage(visit, { faults: [wordsOf(error)], typed })
  }
  return { to: `${pathOf(visit)}?done=saved` }
}

function readTyped(form: URLSearchParams): Typed {
  const text = (name: string) => (form.get(name) ?? '').trim()
  const typed = textsOf(text)
  return {
    ...typed,
    account_type: text('account_type'),
    country: typed.country.toUpperCase(),
    phone: typed.phone.replaceAll(/[\s()-]/g, ''),
  }
}

/**
 * Creates the request body. Empty fields become null. The register number is `kvk_number` for Dutch
 * companies and `registration_number` for others.
 */
function bodyFrom(typed: Typed): unknown {
  const { account_type, company_name, register_number, vat_number, name, phone, ...rest } = typed
  const { street, house_number, postal_code, city, country } = rest
  const address = { street, house_number, postal_code, city, country }
  const contact = { name, phone }
  const is_empty = (part: object) => Object.values(part).every((text) => text === '')
  const is_dutch = country === 'NL'
  return {
    account_type,
    company_name: company_name || null,
    kvk_number: (is_dutch && register_number) || null,
    registration_number: (!is_dutch && register_number) || null,
    vat_number: vat_number || null,
    address: is_empty(address) ? null : address,
    contact: is_empty(contact) ? null : contact,
  }
}

function labelOf(path: string): string {
  const name = path.split('/').at(-1) ?? ''
  if (name === 'kvk_number' || name === 'registration_number') return labels.register_number
  const field = fields.find((one) => one === name)
  return field === undefined ? 'This form' : labels[field]
}

function sentenceOf({ path, message }: { path: string; message: string }): string {
  const label = labelOf(path)
  if (label !== labels.phone) return `${label} ${message}.`
  return `${label} must begin with the country code, such as +31 20 123 4567.`
}

/** Returns the first field error as a sentence; without one, the text for users. */
function wordsOf({ extra, detail }: Problem): string {
  const [fault] = extra.errors ?? []
  return fault
    ? sentenceOf(fault)
    : (extra.user_message ?? detail).replaceAll('vat_number', 'VAT number')
}
