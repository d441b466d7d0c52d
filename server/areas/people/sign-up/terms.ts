/** The terms of use of the installation, and which people still have to accept them. */
import { Problem } from '../../../contract/errors.ts'
import type { PersonCaller } from '../../../contract/people.ts'
import type { Runtime } from '../../../kernel/runtime.ts'
import type { Me, TermsAcceptance } from '../schema.ts'
import { insertAcceptedTerms } from './sign-up-store.ts'

export interface Terms {
  version: string
  /** The operator's page with the terms; null: they are shown at /portal/terms. */
  url: string | null
  /** The text for /portal/terms; empty: the standard text. */
  text: string
}

export function findTerms({ config }: Pick<Runtime, 'config'>): Terms {
  const { terms, terms_version: version } = config.sign_up
  const isUrl = /^https?:\/\/\S+$/.test(terms)
  return { version, url: isUrl ? terms : null, text: isUrl ? '' : terms }
}

/**
 * Returns the terms if they apply and their version is not among the accepted ones. They apply where
 * people create their own accounts, or where the operator wrote terms; then also to invited members
 * of a team, but not to operators.
 */
export function findTermsToAccept(
  runtime: Pick<Runtime, 'config'>,
  { is_operator, accepted }: { is_operator: boolean; accepted: readonly string[] },
): Me['terms'] {
  const { mode, terms } = runtime.config.sign_up
  const { version, url } = findTerms(runtime)
  const apply = !is_operator && (mode !== 'closed' || terms !== '')
  if (!apply || accepted.includes(version)) return null
  return { version, url: url ?? '/portal/terms', accepted_before: accepted.length > 0 }
}

export async function acceptTermsInPortal(
  { runtime, db, person }: PersonCaller,
  { version }: TermsAcceptance,
): Promise<void> {
  if (version !== findTerms(runtime).version) {
    const user_message = 'The terms changed in the meantime. Reload the page and read the new ones.'
    throw new Problem('conflict', user_message, { user_message })
  }
  const accepted_at = runtime.clock.now()
  await db.transact((tx) => insertAcceptedTerms(tx, { person_id: person.id, version, accepted_at }))
}
