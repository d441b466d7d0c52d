/** Reads the identifiers of a person, and checks that the caller may see all of their records. */
import type { Caller } from '../../../contract/caller.ts'
import { Problem } from '../../../contract/errors.ts'
import type { Person, PersonQuery } from '../../../contract/person/person.ts'
import { PHONE_SEPARATOR } from '../../../kernel/database/contact-filter.ts'
import { mayChangeTestOnly } from '../../../contract/problems/mode-mismatch.ts'
import { readEmail } from '../../people/service.ts'
import { findDeclared } from '../of-areas.ts'
import type { PersonInput } from './schema.ts'

const separators = new RegExp(PHONE_SEPARATOR, 'gu')
const e164Pattern = /^\+[1-9][0-9]{6,14}$/

export function readPerson({ phone, email, visitor }: PersonInput): Person {
  if (phone === undefined && email === undefined && visitor === undefined)
    throw new Problem('validation_failed', 'The person needs phone, email or visitor.', {
      errors: [{ path: '', message: 'must have phone, email or visitor' }],
    })
  return {
    phone: phone === undefined ? null : readPhone(phone),
    email:
      email === undefined ? null : (readEmail(email) ?? refuse('email', 'is no email address')),
    visitor: visitor ?? null,
  }
}

function readPhone(text: string): string {
  const phone = text.replaceAll(separators, '').replace(/^00/, '+')
  if (e164Pattern.test(phone)) return phone
  return refuse('phone', 'is no phone number with its country, such as +31 6 12345678')
}

function refuse(field: string, message: string): never {
  throw new Problem('validation_failed', `/${field} ${message}.`, {
    errors: [{ path: `/${field}`, message }],
  })
}

/** A search that left out what the key may not read would look complete. */
export function requireScopes({ runtime, scopes }: Caller, access: 'read' | 'write'): void {
  const needed = findDeclared(runtime).personalRecords.map((one) => one.scopes[access])
  const missing = [...new Set(needed)].filter((scope) => !scopes.has(scope))
  if (missing.length === 0) return
  const names = missing.join(', ')
  const detail = `All kinds of records are searched, so these scopes are needed too: ${names}.`
  throw new Problem('missing_scope', detail)
}

export function newSearch(caller: Caller, person: Person): PersonQuery {
  const test_only = mayChangeTestOnly(caller)
  return { project_id: caller.project.id, person, test_only, related: new Set() }
}
