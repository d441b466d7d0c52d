/** Compares the records of a sending domain in the DNS with those that it needs. */
import type { Runtime } from '../../../kernel/runtime.ts'
import { dnsRecordsOf, type Found } from '../../../providers/dns-records/dns-records.ts'
import { dkimValue, hasKey, readTags } from './dkim-keys.ts'
import type { DomainRow, RecordResult } from './domain-store.ts'

const DMARC_SUGGESTION = 'v=DMARC1; p=none'

/** A record that the owner creates at the name server of the domain. */
export interface WantedRecord {
  purpose: RecordResult['purpose']
  type: 'TXT' | 'CNAME'
  name: string
  value: string
  required: boolean
}

/** The host of the service that receives bounces. */
export function bounceHostOf({ config }: Pick<Runtime, 'config'>): string {
  if (config.email.host !== '') return config.email.host
  return URL.parse(config.public_url)?.hostname ?? 'localhost'
}

export function listWanted(runtime: Pick<Runtime, 'config'>, row: DomainRow): WantedRecord[] {
  const dkim = (selector: string) => `${selector}._domainkey.${row.domain}`
  return [
    {
      purpose: 'dkim',
      type: 'TXT',
      name: dkim(row.dkim_selector),
      value: dkimValue(row.dkim_public_key),
      required: true,
    },
    ...(row.next_dkim_selector === null || row.next_dkim_public_key === null
      ? []
      : [
          {
            purpose: 'next_dkim' as const,
            type: 'TXT' as const,
            name: dkim(row.next_dkim_selector),
            value: dkimValue(row.next_dkim_public_key),
            required: false,
          },
        ]),
    {
      purpose: 'return_path',
      type: 'CNAME',
      name: row.return_path_host,
      value: bounceHostOf(runtime),
      required: true,
    },
    {
      purpose: 'dmarc',
      type: 'TXT',
      name: `_dmarc.${row.domain}`,
      value: DMARC_SUGGESTION,
      required: false,
    },
    ...(row.bimi_logo_url === null
      ? []
      : [
          {
            purpose: 'bimi' as const,
            type: 'TXT' as const,
            name: `default._bimi.${row.domain}`,
            value: `v=BIMI1; l=${row.bimi_logo_url}; a=${row.bimi_vmc_url ?? ''}`,
            required: false,
          },
        ]),
  ]
}

export function checkRecords(runtime: Runtime, row: DomainRow): Promise<RecordResult[]> {
  return Promise.all(listWanted(runtime, row).map((wanted) => checkRecord(runtime, row, wanted)))
}

async function checkRecord(
  runtime: Runtime,
  row: DomainRow,
  wanted: WantedRecord,
): Promise<RecordResult> {
  const { purpose, type, name } = wanted
  const dns = dnsRecordsOf(runtime)
  const found: Found<string> = type === 'CNAME' ? await dns.cname(name) : await dns.txt(name)
  if (found === 'no_answer') {
    const message = `The name servers did not answer for ${name}. It is checked again.`
    return { purpose, status: 'temporary_failure', found: [], message }
  }
  const judged = judge(row, wanted, found)
  return { purpose, found: found.slice(0, 5).map((one) => one.slice(0, 600)), ...judged }
}

type Judged = Pick<RecordResult, 'status' | 'message'>

function judge(row: DomainRow, wanted: WantedRecord, found: readonly string[]): Judged {
  if (wanted.purpose === 'dmarc') return judgeDmarc(wanted, found)
  const { name, type, value, purpose } = wanted
  if (found.length === 0) {
    return { status: 'missing', message: `There is no ${type} record with the name ${name} yet.` }
  }
  const key = purpose === 'next_dkim' ? (row.next_dkim_public_key ?? '') : row.dkim_public_key
  const fits = (one: string) => {
    if (type === 'CNAME') return one.toLowerCase().replace(/\.$/, '') === value
    return purpose === 'bimi' ? hasSameTags(one, value) : hasKey(one, key)
  }
  if (found.some(fits)) return { status: 'verified', message: 'The record is right.' }
  const message =
    type === 'CNAME'
      ? `The record leads to ${found[0]}, and must lead to ${value}.`
      : `The record ${name} has another value. Copy the value again, with all its characters.`
  return { status: 'invalid', message }
}

function hasSameTags(one: string, other: string): boolean {
  const [found, wanted] = [readTags(one), readTags(other)]
  return ['v', 'l', 'a'].every((name) => (found.get(name) ?? '') === (wanted.get(name) ?? ''))
}

function judgeDmarc({ name }: WantedRecord, found: readonly string[]): Judged {
  const policies = found.filter((one) => /^v=DMARC1\b/i.test(one.trim()))
  if (policies.length === 0) {
    const message = `There is no DMARC record at ${name}. Large mailbox providers ask for one.`
    return { status: 'missing', message }
  }
  if (policies.length > 1) {
    return {
      status: 'invalid',
      message: 'There are several DMARC records, so none of them counts.',
    }
  }
  const policy =
    readTags(policies[0] ?? '')
      .get('p')
      ?.toLowerCase() ?? ''
  if (!['none', 'quarantine', 'reject'].includes(policy)) {
    return {
      status: 'invalid',
      message: 'The DMARC record has no policy p=none, quarantine or reject.',
    }
  }
  return { status: 'verified', message: `The DMARC policy is ${policy}.` }
}
