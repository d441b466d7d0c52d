/** Verification codes of the simulated Telnyx Verify. Nothing is sent; /dev/phone shows them. */
import { Type } from 'typebox'
import { schemaChecks } from '../../../../kernel/values/typebox.ts'
import { insertRecord, listRecords } from '../../../../kernel/simulator-records.ts'
import type { Runtime } from '../../../../kernel/runtime.ts'
import { newId } from '../../../../kernel/values/ids.ts'

const CODES = 'telnyx codes'
const SHOWN_MAX = 50

export const VerificationRequest = Type.Object({
  phone_number: Type.String({ pattern: String.raw`^\+[1-9][0-9]{6,14}$` }),
  verify_profile_id: Type.String({ minLength: 1 }),
  custom_code: Type.String({ pattern: '^[0-9]{4,10}$' }),
})

const Sent = Type.Object({ to: Type.String(), code: Type.String(), channel: Type.String() })

export interface SentCode {
  to: string
  code: string
  channel: string
  sent_at: Date
}

export async function noteCode(
  runtime: Runtime,
  sent: Omit<SentCode, 'sent_at'>,
): Promise<{ id: string }> {
  const id = newId(runtime.clock)
  await insertRecord(runtime, { simulator: CODES, id, record: sent })
  return { id }
}

/** The latest codes, newest first. */
export async function listSentCodes(runtime: Runtime): Promise<SentCode[]> {
  const rows = await listRecords(runtime, CODES)
  return rows
    .slice(-SHOWN_MAX)
    .toReversed()
    .flatMap(({ record, created_at }) =>
      schemaChecks().Check(Sent, record) ? [{ ...record, sent_at: created_at }] : [],
    )
}
