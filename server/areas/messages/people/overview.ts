/** What the page of messages shows besides the list: figures, and the preview of a new message. */
import { mayBeReal, type Caller } from '../../../contract/caller.ts'
import { Problem } from '../../../contract/errors.ts'
import { limits } from '../../../contract/limits.ts'
import { euroFromMicro } from '../../../kernel/values/money.ts'
import * as billing from '../../billing/service.ts'
import * as numbers from '../../numbers/service.ts'
import { listOptOuts } from '../incoming/opt-out-store.ts'
import { readDraft } from '../sending/draft.ts'
import * as store from '../store.ts'
import { foldText } from '../text/fold.ts'
import { segmentText } from '../text/segments.ts'
import { countByDay, countOptOuts, type DayCounts } from './overview-store.ts'
import type { MessagePreview, MessagesOverview, OptOuts, PreviewInput } from './people-schema.ts'

const DAY_MS = 24 * 3_600_000
const OPT_OUTS_SHOWN = 100

export async function showOverview(caller: Caller, days: number): Promise<MessagesOverview> {
  const { db, project, runtime } = caller
  const { clock, config } = runtime
  const test = !mayBeReal(caller, 'sms')
  const key = { project_id: project.id, test }
  const time_zone = config.billing_timezone
  const day = billing.toDay(clock.now(), time_zone)
  const since = new Date(clock.now_ms() - days * DAY_MS)
  const [by_day, sent_today, active, opted_out] = await Promise.all([
    countByDay(db, { ...key, since, time_zone }),
    store.readCount(db, { ...key, day }),
    numbers.listActive(db, project.id),
    countOptOuts(db, key),
  ])
  return {
    test,
    days: fillDays(by_day, { days, now_ms: clock.now_ms(), time_zone }),
    sent_today,
    per_day_max: limits.sms_per_day_max,
    segment_price_eur: euroFromMicro(billing.findPrice(runtime, 'sms.segment')),
    senders: active.filter((number) => test || !number.test).map(({ e164 }) => e164),
    opted_out,
  }
}

interface Period {
  days: number
  now_ms: number
  time_zone: string
}

/** Adds the days without messages. */
function fillDays(counted: readonly DayCounts[], { days, now_ms, time_zone }: Period): DayCounts[] {
  const by_day = new Map(counted.map((one) => [one.day, one]))
  const names = Array.from({ length: days }, (_, at) =>
    billing.toDay(new Date(now_ms - (days - 1 - at) * DAY_MS), time_zone),
  )
  return [...new Set(names)].map(
    (day) => by_day.get(day) ?? { day, delivered: 0, failed: 0, pending: 0, received: 0 },
  )
}

/** Counts a text that is being written, and names the first reason why it would be refused. */
export async function preview(caller: Caller, input: PreviewInput): Promise<MessagePreview> {
  const text = foldText(input.text)
  const { encoding, segments, units, units_left } = segmentText(text)
  const test = !mayBeReal(caller, 'sms')
  const price = billing.findPrice(caller.runtime, 'sms.segment')
  const is_empty = text === ''
  return {
    encoding,
    segments: is_empty ? 0 : segments,
    segments_max: limits.sms_segments_max,
    characters: units,
    characters_left: units_left,
    cost_eur: test || is_empty ? 0 : euroFromMicro(price * BigInt(segments)),
    problem: input.to === undefined || is_empty ? null : await findProblem(caller, input, test),
  }
}

async function findProblem(
  caller: Caller,
  { to = '', text, from }: PreviewInput,
  test: boolean,
): Promise<MessagePreview['problem']> {
  try {
    await readDraft(caller, { to, text, ...(from !== undefined && { from }) }, { test })
    return null
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    return { slug: error.slug, detail: error.message }
  }
}

export async function showOptOuts(caller: Caller): Promise<OptOuts> {
  const key = { project_id: caller.project.id, test: !mayBeReal(caller, 'sms') }
  const rows = await listOptOuts(caller.db, { ...key, count: OPT_OUTS_SHOWN })
  const data = rows.map(({ phone, opted_out_at }) => {
    return { phone, opted_out_at: opted_out_at.toISOString() }
  })
  return { data }
}
