/** The rules of sending domains: add, check, rotate the key, delete. */
import { isTest, type Caller } from '../../../contract/caller.ts'
import { Problem } from '../../../contract/errors.ts'
import { limits } from '../../../contract/limits.ts'
import { readPage, type PageQuery } from '../../../contract/schema/pages.ts'
import type { Runtime } from '../../../kernel/runtime.ts'
import { newId } from '../../../kernel/values/ids.ts'
import { parseDomain } from '../addresses/parse-address.ts'
import { lockSettings, requireEnabled } from '../settings/settings.ts'
import { checkRecords, listWanted, type WantedRecord } from './check-records.ts'
import { createDkimKey, DKIM_PURPOSE, readTags } from './dkim-keys.ts'
import type { DomainInput, SendingDomain, SendingDomainPage } from './domain-schema.ts'
import * as store from './domain-store.ts'
import { settleCheck } from './settle-check.ts'

const TTL_S = 3_600

export async function listDomains(caller: Caller, query: PageQuery): Promise<SendingDomainPage> {
  const page = await readPage(caller, {
    list: 'sending_domains',
    query,
    read: (count, after) => store.list(caller.db, { project_id: caller.project.id, count, after }),
  })
  return { ...page, data: page.data.map((row) => presentDomain(caller.runtime, row)) }
}

export async function findDomain(caller: Caller, id: string): Promise<SendingDomain> {
  return presentDomain(caller.runtime, await readDomain(caller, id))
}

export async function readDomain({ db, project }: Caller, id: string): Promise<store.DomainRow> {
  const row = await store.find(db, { project_id: project.id, id })
  if (!row) throw unknownDomain()
  return row
}

export async function addDomain(caller: Caller, input: DomainInput): Promise<SendingDomain> {
  const { runtime, db, project } = caller
  await requireEnabled(db, project)
  if (input.dedicated_ip === true) {
    const detail = 'This server has no IP address for the emails of one project alone.'
    throw new Problem('dedicated_ip_not_available', detail)
  }
  const domain = parseDomain(input.domain)
  if (domain === null) {
    const message = 'must be a domain such as bakery.example'
    throw new Problem('validation_failed', `/domain ${message}.`, {
      errors: [{ path: '/domain', message }],
    })
  }
  const { private_key, public_key } = await createDkimKey()
  const id = newId(runtime.clock)
  const row = await db.transact(async (tx) => {
    await lockSettings(tx, runtime, project.id)
    if (await store.findByName(tx, { project_id: project.id, domain })) {
      throw new Problem('conflict', `${domain} is a sending domain of this project already.`)
    }
    const count = await store.count(tx, project.id)
    if (count >= limits.sending_domains_max) {
      throw new Problem(
        'conflict',
        `This project has ${count} sending domains, the most there may be.`,
      )
    }
    return store.insert(tx, {
      project_id: project.id,
      id,
      domain,
      status: 'pending',
      return_path_host: `bounce.${domain}`,
      dkim_selector: selectorOf(id),
      dkim_public_key: public_key,
      sealed_dkim_key: runtime.seal.seal(private_key, DKIM_PURPOSE),
      results: JSON.stringify([]),
      created_at: runtime.clock.now(),
      test: isTest(caller),
    })
  })
  return presentDomain(runtime, row)
}

/** Different for each key, so that several projects can use one domain. */
function selectorOf(id: string): string {
  return `hp${id.replaceAll('-', '').slice(-10)}`
}

/** Checks the records now. */
export async function verifyDomain(caller: Caller, id: string): Promise<SendingDomain> {
  const row = await checkDomain(caller.runtime, await readDomain(caller, id))
  if (row === null) throw unknownDomain()
  return presentDomain(caller.runtime, row)
}

/** Returns null if the domain was deleted meanwhile. */
export async function checkDomain(
  runtime: Runtime,
  row: store.DomainRow,
): Promise<store.DomainRow | null> {
  const { project_id, id } = row
  const found = await checkRecords(runtime, row)
  return runtime.db.transact(async (tx) => {
    const before = await store.find(tx, { project_id, id })
    if (!before) return null
    // A key that was rotated during the check is checked the next time.
    const is_current = before.next_dkim_selector === row.next_dkim_selector
    const { results, ...change } = settleCheck(
      is_current ? before : row,
      found,
      runtime.clock.now(),
    )
    if (!is_current) return before
    const changed = await store.update(tx, {
      project_id,
      id,
      ...change,
      results: JSON.stringify(results),
    })
    return changed ?? null
  })
}

/** Creates the next key. It signs once its record is visible; until then the current one does. */
export async function rotateKey(caller: Caller, id: string): Promise<SendingDomain> {
  const { runtime, db, project } = caller
  const before = await readDomain(caller, id)
  if (before.next_dkim_selector !== null) return presentDomain(runtime, before)
  const { private_key, public_key } = await createDkimKey()
  const row = await db.transact((tx) =>
    store.update(tx, {
      project_id: project.id,
      id,
      next_dkim_selector: selectorOf(newId(runtime.clock)),
      next_dkim_public_key: public_key,
      next_sealed_dkim_key: runtime.seal.seal(private_key, DKIM_PURPOSE),
    }),
  )
  if (!row) throw unknownDomain()
  return presentDomain(runtime, row)
}

export async function removeDomain({ db, project }: Caller, id: string): Promise<void> {
  const key = { project_id: project.id, id }
  await db.transact(async (tx) => {
    const waiting = await store.countWaiting(tx, key)
    if (waiting > 0) {
      throw new Problem('conflict', `${waiting} emails of this domain are not delivered yet.`)
    }
    if (!(await store.remove(tx, key))) throw unknownDomain()
  })
}

export async function nameOfDomain({ db, project }: Caller, id: string): Promise<string | null> {
  return (await store.find(db, { project_id: project.id, id }))?.domain ?? null
}

export function unknownDomain(): Problem {
  return new Problem('not_found', 'There is no sending domain with this id.')
}

export function presentDomain(runtime: Runtime, row: store.DomainRow): SendingDomain {
  return {
    id: row.id,
    domain: row.domain,
    status: row.status,
    return_path_host: row.return_path_host,
    dkim: { selector: row.dkim_selector, next_selector: row.next_dkim_selector },
    dmarc: readDmarc(row),
    bimi:
      row.bimi_logo_url === null
        ? null
        : {
            logo_url: row.bimi_logo_url,
            vmc_url: row.bimi_vmc_url,
            gmail_ready: row.bimi_vmc_url !== null,
          },
    records: listWanted(runtime, row).map((wanted) => presentRecord(row, wanted)),
    verified_at: row.verified_at?.toISOString() ?? null,
    last_checked_at: row.last_checked_at?.toISOString() ?? null,
    created_at: row.created_at.toISOString(),
    test: row.test,
  }
}

function presentRecord(
  { results }: store.DomainRow,
  { purpose, type, name, value, required }: WantedRecord,
): SendingDomain['records'][number] {
  const result = results.find((one) => one.purpose === purpose)
  return {
    purpose: purpose === 'next_dkim' ? 'dkim' : purpose,
    type,
    name,
    value,
    ttl: TTL_S,
    priority: null,
    required,
    status: result?.status ?? 'pending',
    found: result?.found ?? [],
    message: result?.message ?? 'The record was not checked yet.',
  }
}

function readDmarc({ results }: store.DomainRow): SendingDomain['dmarc'] {
  const found = results.find(({ purpose }) => purpose === 'dmarc')?.found ?? []
  const tags = readTags(found.find((one) => /^v=DMARC1\b/i.test(one)) ?? '')
  const pct = Number(tags.get('pct') ?? Number.NaN)
  return {
    policy: tags.get('p') ?? null,
    pct: Number.isInteger(pct) ? pct : null,
    sp: tags.get('sp') ?? null,
  }
}
