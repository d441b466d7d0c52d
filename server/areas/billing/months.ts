/** The balance by month: payments, and spending by source. */
import type { MemberCaller } from '../../contract/people.ts'
import { euroFromMicro } from '../../kernel/values/money.ts'
import * as projects from '../projects/service.ts'
import { readMonths } from './months-store.ts'
import type { Month } from './people-schema.ts'

export async function listMonths(
  { db, project }: Pick<MemberCaller, 'db' | 'project'>,
  { months }: { months: number },
): Promise<{ data: Month[] }> {
  const project_id = projects.findPayingProject(project)
  const rows = await readMonths(db, { project_id, limit: months })
  const groups = Map.groupBy(rows, ({ month }) => month)
  return { data: [...groups].map(([month, parts]) => presentMonth(month, parts)) }
}

function presentMonth(month: string, parts: Awaited<ReturnType<typeof readMonths>>): Month {
  const sum = (values: readonly bigint[]) => values.reduce((total, one) => total + one, 0n)
  const spent = parts
    .filter(({ spent_micro }) => spent_micro !== 0n)
    .toSorted((left, right) => Number(right.spent_micro - left.spent_micro))
  return {
    month: month.slice(0, 7),
    topped_up_eur: euroFromMicro(sum(parts.map(({ paid_micro }) => paid_micro))),
    spent_eur: euroFromMicro(sum(parts.map(({ spent_micro }) => spent_micro))),
    spent_on: spent.map(({ source, spent_micro }) => {
      return { source, amount_eur: euroFromMicro(spent_micro) }
    }),
  }
}
