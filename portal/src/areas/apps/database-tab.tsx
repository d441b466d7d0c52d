/** Looks into the database of an app: its tables, and a query that reads. */
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { ApiProblem } from '../../api/client.ts'
import { useAct } from '../../api/mutations.tsx'
import { useProjectScope } from '../../api/project-scope.tsx'
import { Button } from '../../ui/actions/button.tsx'
import { Card } from '../../ui/display/card.tsx'
import { Table } from '../../ui/display/table.tsx'
import { Field } from '../../ui/forms/field.tsx'
import { Textarea } from '../../ui/forms/input.tsx'
import { appsKey, queryDatabase } from './queries.ts'
import { useAppTexts } from './texts.ts'

const tables = `select table_name from information_schema.tables
  where table_schema = current_schema() and table_name <> '_migrations' order by 1`

interface DatabaseTabProps {
  id: string
  sql: string
  setSql(sql: string): void
}

export function DatabaseTab({ id, sql, setSql }: DatabaseTabProps) {
  const t = useAppTexts()
  const scope = useProjectScope()
  const [fault, setFault] = useState<string | undefined>()
  const known = useQuery({
    queryKey: [...appsKey(scope), 'tables', id],
    queryFn: async () => (await queryDatabase(scope, id, tables)).rows.map(nameOf),
  })
  const act = useAct({
    run: (text: string) => {
      setFault(undefined)
      return queryDatabase(scope, id, text)
    },
    onFault: (problem: ApiProblem) => {
      setFault(problem.message)
      return true
    },
  })
  const look = (table: string) => {
    const text = `select * from "${table.replaceAll('"', '""')}" limit 100`
    setSql(text)
    act.mutate(text)
  }
  return (
    <div className="flex flex-col gap-6">
      <Card title={t('query')}>
        <form
          className="flex flex-col gap-4"
          onSubmit={(event) => {
            event.preventDefault()
            act.mutate(sql)
          }}
        >
          {known.data !== undefined && known.data.length > 0 && (
            <div className="flex flex-wrap gap-2" role="group" aria-label={t('tables')}>
              {known.data.map((name) => (
                <Button key={name} size="sm" onClick={() => look(name)}>
                  {name}
                </Button>
              ))}
            </div>
          )}
          <Field label={t('query')} hint={t('query_hint')} fault={fault}>
            <Textarea
              required
              rows={4}
              spellCheck={false}
              className="font-mono text-sm"
              value={sql}
              onChange={(event) => setSql(event.target.value)}
            />
          </Field>
          <div>
            <Button type="submit" kind="primary" busy={act.isPending}>
              {t('run')}
            </Button>
          </div>
        </form>
      </Card>
      {act.data !== undefined && <Result {...act.data} />}
    </div>
  )
}

function nameOf(row: Record<string, unknown>): string {
  return String(row['table_name'])
}

interface Numbered {
  row: Record<string, unknown>
  index: number
}

interface ResultProps {
  columns: string[]
  rows: Record<string, unknown>[]
  truncated: boolean
}

function Result({ columns, rows, truncated }: ResultProps) {
  const t = useAppTexts()
  const numbered = rows.map((row, index) => ({ row, index }))
  return (
    <Card title={t('result')} about={t('rows', { count: rows.length })} flush>
      {rows.length === 0 ? (
        <p className="px-5 pb-5 text-muted">{t('no_rows')}</p>
      ) : (
        <Table<Numbered>
          label={t('result')}
          columns={columns.map((name) => ({
            id: name,
            title: name,
            cell: ({ row }) => (
              <span className="font-mono text-sm wrap-anywhere">{textOf(row[name])}</span>
            ),
          }))}
          rows={numbered}
          keyOf={({ index }) => String(index)}
        />
      )}
      {truncated && <p className="px-5 py-3 text-sm text-muted">{t('truncated')}</p>}
    </Card>
  )
}

function textOf(value: unknown): string {
  if (value === null || value === undefined) return 'null'
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}
