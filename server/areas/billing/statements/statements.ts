/** The transactions of a month, and its spending by day. */
import type { MemberCaller } from '../../../contract/people.ts'
import { readPage } from '../../../contract/schema/pages.ts'
import type { Runtime } from '../../../kernel/runtime.ts'
import { firstIdAt } from '../../../kernel/values/ids.ts'
import { euroFromMicro } from '../../../kernel/values/money.ts'
import * as projects from '../../projects/service.ts'
import { presentTransaction } from '../present.ts'
import type { Day, TransactionsPage, TransactionsQuery } from './statements-schema.ts'
import * as store from './statements-store.ts'

export async function listTransactions(
  caller: MemberCaller,
  { month, type, source, ...query }: TransactionsQuery,
): Promise<TransactionsPage> {
  const span = toSpan(caller, month)
  const page = await readPage(caller, {
    list: 'transactions',
    query,
    read: (count, after) =>
      store.listTransactions(caller.db, {
        ...span,
        count,
        after,
        type: type ?? null,
        source: source ?? null,
      }),
  })
  return { ...page, data: page.data.map(presentTransaction) }
}

export async function listDays(
  caller: MemberCaller,
  { month }: { month: string },
): Promise<{ data: Day[] }> {
  const timezone = caller.runtime.config.billing_timezone
  const rows = await store.sumByDay(caller.db, { ...toSpan(caller, month), timezone })
  const groups = Map.groupBy(rows, ({ day }) => day)
  return { data: [...groups].map(([day, parts]) => presentDay(day, parts)) }
}

function presentDay(day: string, parts: readonly store.DayPart[]): Day {
  const paid_micro = parts.reduce((total, part) => total + part.paid_micro, 0n)
  return {
    day,
    topped_up_eur: euroFromMicro(paid_micro),
    spent_on: parts
      .filter(({ spent_micro }) => spent_micro !== 0n)
      .map(({ source, spent_micro }) => ({ source, amount_eur: euroFromMicro(spent_micro) })),
  }
}

function toSpan({ runtime, project }: MemberCaller, month: string): store.MonthSpan {
  const begin = Temporal.PlainYearMonth.from(month)
  return {
    project_id: projects.findPayingProject(project),
    first: firstIdOf(runtime, begin),
    end: firstIdOf(runtime, begin.add({ months: 1 })),
  }
}

function firstIdOf({ config }: Runtime, month: Temporal.PlainYearMonth): string {
  const start = month.toPlainDate({ day: 1 }).toZonedDateTime(config.billing_timezone)
  return firstIdAt(start.epochMilliseconds)
}
