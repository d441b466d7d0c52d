/** The logo of a sending domain in inboxes (BIMI): needs a strict DMARC policy, and a record that names it. */
import type { Caller } from '../../../contract/caller.ts'
import { Problem } from '../../../contract/errors.ts'
import { OutboundError } from '../../../kernel/outbound/outbound.ts'
import { dnsRecordsOf } from '../../../providers/dns-records/dns-records.ts'
import { findLogoFault, LOGO_BYTES_MAX } from './check-logo.ts'
import { readTags } from './dkim-keys.ts'
import type { BimiInput, SendingDomain } from './domain-schema.ts'
import { presentDomain, readDomain, unknownDomain } from './domains.ts'
import * as store from './domain-store.ts'

export async function setBimi(
  caller: Caller,
  id: string,
  { logo_url, vmc_url = null }: BimiInput,
): Promise<SendingDomain> {
  const { domain } = await readDomain(caller, id)
  const fault = await findPolicyFault(caller, domain)
  if (fault !== null) throw new Problem('bimi_not_ready', fault)
  await requireLogo(caller, logo_url)
  return change(caller, id, { bimi_logo_url: logo_url, bimi_vmc_url: vmc_url })
}

export async function removeBimi(caller: Caller, id: string): Promise<void> {
  await change(caller, id, { bimi_logo_url: null, bimi_vmc_url: null })
}

async function change(
  { runtime, db, project }: Caller,
  id: string,
  changes: Pick<store.DomainRow, 'bimi_logo_url' | 'bimi_vmc_url'>,
): Promise<SendingDomain> {
  const row = await db.transact((tx) =>
    store.update(tx, { ...changes, project_id: project.id, id }),
  )
  if (!row) throw unknownDomain()
  return presentDomain(runtime, row)
}

/** Returns a sentence; null if all mail of the domain is protected. */
async function findPolicyFault({ runtime }: Caller, domain: string): Promise<string | null> {
  const name = `_dmarc.${domain}`
  const found = await dnsRecordsOf(runtime).txt(name)
  if (found === 'no_answer') return `The name servers did not answer for ${name}.`
  const records = found.filter((one) => /^v=DMARC1\b/i.test(one.trim()))
  const [record] = records
  if (record === undefined || records.length > 1)
    return `There must be one DMARC record at ${name}.`
  const tags = readTags(record)
  const is_strict = (policy = '') => ['quarantine', 'reject'].includes(policy.toLowerCase())
  if (!is_strict(tags.get('p'))) return `The policy at ${name} must be p=quarantine or p=reject.`
  if ((tags.get('pct') ?? '100') !== '100')
    return `The record at ${name} must have no pct below 100.`
  if (tags.has('sp') && !is_strict(tags.get('sp')))
    return `The policy for subdomains at ${name} must be sp=quarantine or sp=reject.`
  return null
}

async function requireLogo({ runtime }: Caller, url: string): Promise<void> {
  try {
    const { status, body } = await runtime.outbound.request({
      url,
      response_bytes_max: LOGO_BYTES_MAX,
    })
    const fault =
      status === 200 ? findLogoFault(Buffer.from(body).toString()) : 'must be a public file'
    if (fault !== null) throw wrongLogo(`The logo ${fault}.`, fault)
  } catch (error) {
    if (!(error instanceof OutboundError)) throw error
    throw wrongLogo(
      `The logo could not be loaded: ${error.message}`,
      `could not be loaded: ${error.message}`,
    )
  }
}

function wrongLogo(detail: string, message: string): Problem {
  return new Problem('validation_failed', detail, { errors: [{ path: '/logo_url', message }] })
}
