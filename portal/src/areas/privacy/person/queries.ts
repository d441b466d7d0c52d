/** The data about one person. */
import { phoneIn } from '../../../language/phones.ts'
import { api, inProject, read, type Schemas, type Scope } from '../../../api/client.ts'

export type PersonInput = Schemas['PersonInput']
export type FoundKind = Schemas['PersonSearch']['kinds'][number]
export type PersonSearch = Schemas['PersonSearch']

/** Reads what a person typed: an address, a number, or else the id of a visitor. */
export function toPerson(text: string, country: string | null): PersonInput {
  const typed = text.trim()
  if (typed.includes('@')) return { email: typed }
  return /^[+\d(][\d\s().\-/]*$/.test(typed)
    ? { phone: phoneIn(typed, country) }
    : { visitor: typed }
}

export function searchPerson(scope: Scope, body: PersonInput) {
  const params = inProject(scope)
  return read(api.POST('/projects/{project_id}/personal-data/query', { params, body }))
}

export function exportPerson(scope: Scope, body: PersonInput) {
  const params = inProject(scope)
  return read(api.POST('/projects/{project_id}/personal-data/exports', { params, body }))
}

export function erasePerson(scope: Scope, body: PersonInput & { mentions: boolean }) {
  const params = inProject(scope)
  return read(api.POST('/projects/{project_id}/personal-data/erase', { params, body }))
}
