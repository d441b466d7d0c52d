/**
 * Checks emails in a fixed order: module, pause, domain, fields, attachments, addresses, known people,
 * suppressions, limits, content. reserve.ts then counts and charges under a lock.
 */
import { isTest, mayBeReal, type Caller } from '../../../contract/caller.ts'
import { Problem } from '../../../contract/errors.ts'
import { limits } from '../../../contract/limits.ts'
import { createPause } from '../../../kernel/limits/slices.ts'
import { newId } from '../../../kernel/values/ids.ts'
import * as billing from '../../billing/service.ts'
import { readKnownBadLinks, type BadLinks } from '../../sites/service.ts'
import * as addressStore from '../addresses/address-store.ts'
import { takesMail } from '../addresses/check-address.ts'
import { findKnown, type KnownPeople } from '../addresses/find-known.ts'
import { domainOf, parseMailbox } from '../addresses/parse-address.ts'
import { checkContent } from '../check-content.ts'
import { listByNames, type DomainRow } from '../domains/domain-store.ts'
import { canSend } from '../domains/settle-check.ts'
import { requireEnabled, requireRunning } from '../settings/settings.ts'
import * as settingsStore from '../settings/settings-store.ts'
import { findAttached, readAttachments, type ReadAttachment } from './attachments.ts'
import { readInput, type ReadEmail } from './read-input.ts'

export interface CheckedEmail extends ReadEmail {
  id: string
  domain: DomainRow
  test: boolean
  files: ReadAttachment[]
  people: KnownPeople
  /** The reason by address. If it has all of `to`, nobody gets the email. */
  suppressed: Map<string, string>
}

/** The checks of one request, which looks everything up for all its emails at once. */
type Checked<Email> = (Email | Problem)[]

/**
 * Runs the checks that need no lock. Each email is a Problem or has passed them. Throws the Problem of the
 * module, which concerns all.
 */
export async function checkAll(
  caller: Caller,
  given: readonly unknown[],
): Promise<Checked<CheckedEmail>> {
  const { runtime, db, project } = caller
  requireRunning(await requireEnabled(db, project))
  const test = !mayBeReal(caller, 'email')
  const findDomain = await readDomains(caller, given)
  const read = given.map((one) =>
    attempt(() => ({
      domain: requireDomain(findDomain, one, test),
      ...readInput(one, runtime.clock.now()),
    })),
  )
  const withFiles = await addFiles(caller, read)
  const arrived = test ? withFiles : await requireDeliverable(caller, withFiles)
  const addresses = [
    ...new Set(passed(arrived).flatMap(({ recipients }) => recipients.map(({ key }) => key))),
  ]
  const people = await findKnown(caller, addresses, test)
  const suppressed = await addressStore.findSuppressed(db, { project_id: project.id, addresses })
  const today = await settingsStore.readDay(db, {
    project_id: project.id,
    test,
    day: todayOf(caller),
  })
  const pause = createPause()
  const checked: Checked<CheckedEmail> = []
  for (const one of arrived) {
    await pause()
    checked.push(
      one instanceof Problem
        ? one
        : attempt(() => {
            const email = { ...one, id: newId(runtime.clock), test, people, suppressed }
            requireKnown(email)
            requireRoom(email, today)
            requireHarmless(email, badLinksOf(caller))
            return email
          }),
    )
  }
  return checked
}

/** Returns the Problem that `check` throws. */
export function attempt<Result>(check: () => Result): Result | Problem {
  try {
    return check()
  } catch (error) {
    if (error instanceof Problem) return error
    throw error
  }
}

function passed<Email>(checked: Checked<Email>): Email[] {
  return checked.filter((one): one is Exclude<typeof one, Problem> => !(one instanceof Problem))
}

function senderOf(given: unknown): string | null {
  const from =
    typeof given === 'object' && given !== null && 'from' in given ? given.from : undefined
  const sender = typeof from === 'string' ? parseMailbox(from) : null
  return sender && domainOf(sender.address)
}

type FindDomain = (name: string) => DomainRow | undefined

async function readDomains(
  { db, project }: Caller,
  given: readonly unknown[],
): Promise<FindDomain> {
  const names = [...new Set(given.map(senderOf).filter((name) => name !== null))]
  const rows = await listByNames(db, { project_id: project.id, names })
  return (name) => rows.find(({ domain }) => domain === name)
}

/** In test mode a domain need not be verified. */
function requireDomain(find: FindDomain, given: unknown, test: boolean): DomainRow {
  const name = senderOf(given)
  // The validation of the fields names what is wrong with the sender.
  if (name === null) readInput(given, new Date(0))
  const domain = find(name ?? '')
  if (!domain) {
    throw new Problem(
      'email_domain_not_verified',
      `${name} is not a sending domain of this project.`,
    )
  }
  if (!test && !canSend(domain)) {
    throw new Problem(
      'email_domain_not_verified',
      `${name} is not verified: its status is ${domain.status}.`,
    )
  }
  return domain
}

type Read = ReadEmail & { domain: DomainRow }
type WithFiles = Read & { files: ReadAttachment[] }

async function addFiles(caller: Caller, read: Checked<Read>): Promise<Checked<WithFiles>> {
  const media = await findAttached(
    caller,
    passed(read).flatMap(({ attachments }) => attachments),
  )
  const found: Checked<WithFiles> = []
  for (const one of read) {
    if (one instanceof Problem) found.push(one)
    else {
      const files = await readAttachments(caller, one.attachments, media).catch(keepProblem)
      found.push(files instanceof Problem ? files : { ...one, files })
    }
  }
  return found
}

export function keepProblem(error: unknown): Problem {
  if (error instanceof Problem) return error
  throw error
}

async function requireDeliverable(
  { runtime }: Caller,
  emails: Checked<WithFiles>,
): Promise<Checked<WithFiles>> {
  const names = new Set(
    passed(emails).flatMap(({ recipients }) => recipients.map(({ address }) => domainOf(address))),
  )
  const results = await Promise.all(
    [...names].map(async (name) => [name, await takesMail(runtime, name)] as const),
  )
  const fine = new Map(results)
  return emails.map((one) => {
    if (one instanceof Problem) return one
    const wrong = one.recipients.find(({ address }) => !fine.get(domainOf(address)))
    if (!wrong) return one
    return new Problem(
      'email_address_invalid',
      `The domain ${domainOf(wrong.address)} takes no email.`,
    )
  })
}

function requireKnown({ recipients, people }: CheckedEmail): void {
  const unknown = recipients.filter(({ key }) => people.unknown.has(key)).map(({ key }) => key)
  if (unknown.length > 0) throw unknownPeople(unknown)
}

export function todayOf({ runtime: { clock, config } }: Caller): string {
  return billing.toDay(clock.now(), config.billing_timezone)
}

function unknownPeople(unknown: readonly string[]): Problem {
  const more = unknown.length > 1 ? ` and ${unknown.length - 1} more` : ''
  const detail = `The project does not know ${unknown[0]}${more}.`
  return new Problem('recipient_not_allowed', detail, { fields: { recipients: [...unknown] } })
}

/** The recipients that get the email: none if every `to` is suppressed. */
export function listReached({ recipients, suppressed }: CheckedEmail): ReadEmail['recipients'] {
  const is_blocked = recipients.every(({ field, key }) => field !== 'to' || suppressed.has(key))
  return is_blocked ? [] : recipients.filter(({ key }) => !suppressed.has(key))
}

export function countFresh(email: CheckedEmail): number {
  return listReached(email).filter(({ key }) => email.people.fresh.has(key)).length
}

export function requireRoom(email: CheckedEmail, today: settingsStore.DayRow): void {
  const limit = limits.email_recipients_per_day_max
  if (today.recipients + listReached(email).length > limit) {
    throw new Problem(
      'email_limit_reached',
      `The project has ${today.recipients} of ${limit} recipients today.`,
      {
        fields: { limit, used_today: today.recipients },
      },
    )
  }
  const new_limit = limits.email_new_recipients_per_day_max
  const fresh = countFresh(email)
  if (fresh > 0 && today.new_recipients + fresh > new_limit) {
    const detail = `The project has ${today.new_recipients} of ${new_limit} new recipients today.`
    throw new Problem('email_limit_reached', detail, {
      fields: {
        limit: new_limit,
        reason: 'new_recipients_limit',
        used_today: today.new_recipients,
      },
    })
  }
}

const badLinksByConfig = new WeakMap<object, BadLinks>()

function badLinksOf({ runtime: { config } }: Caller): BadLinks {
  const known = badLinksByConfig.get(config) ?? readKnownBadLinks(config.bad_links)
  badLinksByConfig.set(config, known)
  return known
}

function requireHarmless({ subject, text, html }: CheckedEmail, bad_links: BadLinks): void {
  const errors = checkContent({ subject, text, html, bad_links })
  const [first] = errors
  if (first) throw new Problem('email_blocked', first.message, { errors })
}

/** Whether the caller sees test emails. */
export function seesTest(caller: Caller): boolean {
  return isTest(caller) || caller.project.shape === 'test'
}
