/** The files of a version, compared with another version. */
import { useQuery } from '@tanstack/react-query'
import { ArrowLeft } from 'lucide-react'
import { useState } from 'react'
import { useProjectScope } from '../../../api/project-scope.tsx'
import { QueryState } from '../../../api/query-state.tsx'
import { Button } from '../../../ui/actions/button.tsx'
import { cx } from '../../../ui/class-names.ts'
import { Card } from '../../../ui/display/card.tsx'
import { Select } from '../../../ui/forms/select.tsx'
import { filesQuery, type Site, type SiteFile, type Version } from '../queries.ts'
import { useSiteTexts } from '../texts.ts'
import { FileDiff } from './file-diff.tsx'

export interface VersionFilesProps {
  site: Site
  versions: readonly Version[]
  version: number
  onClose(): void
}

const NONE = '0'

/** Compares with the previous version initially. */
export function VersionFiles({ site, versions, version, onClose }: VersionFilesProps) {
  const t = useSiteTexts()
  const scope = useProjectScope()
  const others = versions.filter((one) => one.version !== version)
  const before = others.find((one) => one.version < version)
  const [other, setOther] = useState(String(before?.version ?? NONE))
  const files = useQuery(filesQuery(scope, site.id, version))
  const compared = useQuery({
    ...filesQuery(scope, site.id, Number(other)),
    enabled: other !== NONE,
  })
  const pending = other !== NONE && compared.data === undefined
  return (
    <>
      <div className="mb-4 flex flex-wrap items-center gap-3">
        <Button kind="ghost" onClick={onClose}>
          <ArrowLeft aria-hidden="true" />
          {t('all_versions')}
        </Button>
        <h2 className="flex-1 text-lg font-semibold tracking-tight">
          {t('version_short', { version })}
        </h2>
        <div className="w-56">
          <Select
            label={t('compare_with')}
            value={other}
            onChange={setOther}
            choices={[
              ...others.map((one) => ({
                value: String(one.version),
                text: t('compared_with', { version: one.version }),
              })),
              { value: NONE, text: t('not_compared') },
            ]}
          />
        </div>
      </div>
      <QueryState query={pending ? compared : files}>
        {() => (
          <FileBrowser
            key={other}
            site_id={site.id}
            version={version}
            other={other === NONE ? null : Number(other)}
            rows={rowsOf(files.data ?? [], other === NONE ? null : (compared.data ?? []))}
          />
        )}
      </QueryState>
    </>
  )
}

export interface FileRow {
  path: string
  state: 'same' | 'added' | 'changed' | 'removed'
  file: SiteFile
}

const order = { changed: 0, added: 1, removed: 2, same: 3 } as const

function rowsOf(files: readonly SiteFile[], before: readonly SiteFile[] | null): FileRow[] {
  if (before === null) return files.map((file) => ({ path: file.path, state: 'same', file }))
  const old = new Map(before.map((file) => [file.path, file.sha256]))
  const paths = new Set(files.map(({ path }) => path))
  const rows: FileRow[] = [
    ...files.map((file): FileRow => {
      const digest = old.get(file.path)
      const state = digest === undefined ? 'added' : digest === file.sha256 ? 'same' : 'changed'
      return { path: file.path, state, file }
    }),
    ...before
      .filter(({ path }) => !paths.has(path))
      .map((file): FileRow => ({ path: file.path, state: 'removed', file })),
  ]
  return rows.toSorted((a, b) => order[a.state] - order[b.state] || (a.path < b.path ? -1 : 1))
}

const tones = { same: 'text-faint', added: 'text-good', changed: 'text-warn', removed: 'text-bad' }
const signs = { same: '', added: '+', changed: '~', removed: '−' }

interface FileBrowserProps {
  site_id: string
  version: number
  other: number | null
  rows: readonly FileRow[]
}

function FileBrowser({ site_id, version, other, rows }: FileBrowserProps) {
  const t = useSiteTexts()
  const [path, setPath] = useState(rows[0]?.path)
  const row = rows.find((one) => one.path === path)
  return (
    <div className="grid gap-4 lg:grid-cols-[17rem_minmax(0,1fr)] lg:items-start">
      <Card>
        <ul
          aria-label={t('files')}
          className="-mx-3 -my-3 flex max-h-[65dvh] flex-col overflow-y-auto max-lg:max-h-56"
        >
          {rows.map((one) => (
            <li key={one.path}>
              <button
                type="button"
                aria-pressed={one.path === path}
                onClick={() => setPath(one.path)}
                className="flex w-full items-baseline gap-2 rounded-lg px-2 py-1.5 text-left font-mono text-xs -outline-offset-2! hover:bg-hover aria-pressed:bg-accent-soft aria-pressed:text-accent"
              >
                <span className={cx('w-2 shrink-0', tones[one.state])} aria-hidden="true">
                  {signs[one.state]}
                </span>
                <span className="min-w-0 flex-1 truncate">{one.path}</span>
                {one.state !== 'same' && <span className="sr-only">{t(one.state)}</span>}
              </button>
            </li>
          ))}
        </ul>
      </Card>
      {row !== undefined && (
        <FileDiff key={row.path} site_id={site_id} row={row} version={version} other={other} />
      )}
    </div>
  )
}
