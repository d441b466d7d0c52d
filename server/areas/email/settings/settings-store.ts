/** The SQL of the email module of a project, and of its daily counts. */
import { sql, type Selectable, type Updateable } from 'kysely'
import type { Reader, Transaction } from '../../../kernel/database/database.ts'
import type { EmailDaysTable, EmailSettingsTable } from '../../../kernel/database/tables.ts'

export type SettingsRow = Selectable<EmailSettingsTable>
export type DayRow = Pick<Selectable<EmailDaysTable>, 'recipients' | 'new_recipients'>

export function find(db: Reader, project_id: string): Promise<SettingsRow | undefined> {
  return db
    .selectFrom('email_settings')
    .selectAll()
    .where('project_id', '=', project_id)
    .executeTakeFirst()
}

/** Locks the row of a project, which is created if there is none. */
export async function lock(
  tx: Transaction,
  { project_id, now }: { project_id: string; now: Date },
): Promise<SettingsRow> {
  await sql`insert into email_settings (project_id, enabled, counted_from)
    values (${project_id}, false, ${now}) on conflict do nothing`.execute(tx)
  return tx
    .selectFrom('email_settings')
    .selectAll()
    .where('project_id', '=', project_id)
    .forUpdate()
    .executeTakeFirstOrThrow()
}

export function update(
  tx: Transaction,
  { project_id, ...changes }: { project_id: string } & Updateable<EmailSettingsTable>,
): Promise<SettingsRow> {
  return tx
    .updateTable('email_settings')
    .set(changes)
    .where('project_id', '=', project_id)
    .returningAll()
    .executeTakeFirstOrThrow()
}

interface Day {
  project_id: string
  test: boolean
  day: string
}

export async function readDay(db: Reader, { project_id, test, day }: Day): Promise<DayRow> {
  const row = await db
    .selectFrom('email_days')
    .select(['recipients', 'new_recipients'])
    .where('project_id', '=', project_id)
    .where('test', '=', test)
    .where('day', '=', day)
    .executeTakeFirst()
  return row ?? { recipients: 0, new_recipients: 0 }
}

/** Adds to the counts of a day; another day starts again. */
export async function addToDay(tx: Transaction, row: Day & DayRow): Promise<void> {
  await sql`
    insert into email_days (project_id, test, day, recipients, new_recipients)
    values (${row.project_id}, ${row.test}, ${row.day}, ${row.recipients}, ${row.new_recipients})
    on conflict (project_id, test) do update set
      recipients = excluded.recipients
        + case when email_days.day = excluded.day then email_days.recipients else 0 end,
      new_recipients = excluded.new_recipients
        + case when email_days.day = excluded.day then email_days.new_recipients else 0 end,
      day = excluded.day`.execute(tx)
}

export interface Reputation {
  sent: number
  bounced: number
  complaint_window: number
  complaints: number
  /** Different addresses among the complaints. */
  complainers: number
}

interface Windows {
  project_id: string
  counted_from: Date
  bounce_window: number
  complaint_window: number
}

/** Counts bounces and complaints of the latest recipients since `counted_from`. */
export async function readReputation(db: Reader, windows: Windows): Promise<Reputation> {
  const { project_id, counted_from, bounce_window, complaint_window } = windows
  const { rows } = await sql<Reputation>`
    with latest as (
      select address, bounce_type, complained_at, row_number() over (order by id desc) as place
      from email_recipients
      where project_id = ${project_id} and not test and sent_at is not null
        and sent_at >= ${counted_from}
      order by id desc limit ${complaint_window}
    )
    select count(*) filter (where place <= ${bounce_window})::int as sent,
      count(*) filter (where place <= ${bounce_window} and bounce_type = 'permanent')::int as bounced,
      count(*)::int as complaint_window,
      count(*) filter (where complained_at is not null)::int as complaints,
      count(distinct address) filter (where complained_at is not null)::int as complainers
    from latest`.execute(db)
  return rows[0] ?? { sent: 0, bounced: 0, complaint_window: 0, complaints: 0, complainers: 0 }
}

/** Recipients of the last thirty days by day and outcome, for the chart in the portal. */
export async function countByDay(
  db: Reader,
  {
    project_id,
    test,
    since,
    timezone,
  }: { project_id: string; test: boolean; since: Date; timezone: string },
): Promise<
  { day: string; delivered: number; bounced: number; complained: number; waiting: number }[]
> {
  const { rows } = await sql<{
    day: string
    delivered: number
    bounced: number
    complained: number
    waiting: number
  }>`
    select to_char(sent_at at time zone ${timezone}, 'YYYY-MM-DD') as day,
      count(*) filter (where status = 'delivered')::int as delivered,
      count(*) filter (where status = 'bounced')::int as bounced,
      count(*) filter (where status = 'complained')::int as complained,
      count(*) filter (where status in ('sent', 'delayed'))::int as waiting
    from email_recipients
    where project_id = ${project_id} and test = ${test} and sent_at >= ${since}
    group by 1 order by 1`.execute(db)
  return rows
}
