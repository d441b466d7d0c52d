/**
 * Finds out whom a project knows: people from forms and records, visitors of the chat, users of its apps,
 * customers who paid, the team, and addresses that the owner confirmed. People who are only in records that software wrote, or that came with the
 * import of the project, count as new at their first email.
 */
import type { Caller } from '../../../contract/caller.ts'
import { Problem } from '../../../contract/errors.ts'
import { StatementTimeout } from '../../../kernel/database/database.ts'
import { findUserAddresses } from '../../apps/service.ts'
import { findVisitorAddresses } from '../../conversations/service.ts'
import { findAddressesInDocuments } from '../../data/service.ts'
import { findCustomerAddresses } from '../../payments/service.ts'
import { listManagers } from '../../people/service.ts'
import { findEmailed } from '../emails/email-store.ts'
import { findConfirmed } from './address-store.ts'

export interface KnownPeople {
  unknown: Set<string>
  /** Known only from records written by software, and without an email so far. */
  fresh: Set<string>
}

/** `addresses` are in lower case and distinct. */
export async function findKnown(
  { db, project }: Pick<Caller, 'db' | 'project'>,
  addresses: readonly string[],
  test: boolean,
): Promise<KnownPeople> {
  const confirmed = await findConfirmed(db, { project_id: project.id, addresses })
  const team = (await listManagers(db, project)).map(({ email }) => email.toLowerCase())
  const users = await findUserAddresses(db, { project_id: project.id, addresses })
  const customers = await findCustomerAddresses(db, { project_id: project.id, addresses, test })
  const sure = new Set([...confirmed, ...team, ...users, ...customers])
  const open = addresses.filter((address) => !sure.has(address))
  if (open.length === 0) return { unknown: new Set(), fresh: new Set() }
  const wanted = { project_id: project.id, addresses: open, imported_at: project.imported_at }
  const visitors = await findVisitorAddresses(db, wanted).catch(refuseSlow)
  const documents = await findAddressesInDocuments(db, wanted).catch(refuseSlow)
  const known = [...visitors, ...documents]
  const all = new Set(known.map(({ address }) => address))
  const byPeople = new Set(known.flatMap(({ address, by_people }) => (by_people ? address : [])))
  const software = [...all].filter((one) => !byPeople.has(one))
  const emailed = await findEmailed(db, { project_id: project.id, addresses: software, test })
  return {
    unknown: new Set(open.filter((one) => !all.has(one))),
    fresh: new Set(software.filter((one) => !emailed.has(one))),
  }
}

function refuseSlow(error: unknown): never {
  if (!(error instanceof StatementTimeout)) throw error
  throw new Problem('rate_limited', 'Looking for the recipients in the records took too long.', {
    cause: error,
    retry_after_s: 30,
  })
}
