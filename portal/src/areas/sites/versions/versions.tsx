/** The list of versions of a site, with buttons that preview, compare and publish each. */
import { useQuery } from '@tanstack/react-query'
import { Ellipsis, ExternalLink, GitCompare, Rocket } from 'lucide-react'
import { useState } from 'react'
import { useAct } from '../../../api/mutations.tsx'
import { useProjectScope } from '../../../api/project-scope.tsx'
import { QueryState } from '../../../api/query-state.tsx'
import { useFormat } from '../../../language/format.ts'
import { Button } from '../../../ui/actions/button.tsx'
import { Menu, MenuItem } from '../../../ui/actions/menu.tsx'
import { Badge } from '../../../ui/display/badge.tsx'
import { Card } from '../../../ui/display/card.tsx'
import { Moment } from '../../../ui/display/moment.tsx'
import { Table, type Column } from '../../../ui/display/table.tsx'
import { Dialog, DialogButtons } from '../../../ui/overlays/dialog.tsx'
import { rollBack, sitesKey, versionsQuery, type Site, type Version } from '../queries.ts'
import { useSiteTexts } from '../texts.ts'
import { VersionFiles } from './version-files.tsx'

export function Versions({ site }: { site: Site }) {
  const query = useQuery(versionsQuery(useProjectScope(), site.id))
  const [opened, setOpened] = useState<number | null>(null)
  const [promoted, setPromoted] = useState<number | null>(null)
  return (
    <QueryState query={query}>
      {(versions) =>
        opened === null ? (
          <>
            <Card flush>
              <VersionTable
                site={site}
                versions={versions}
                onOpen={setOpened}
                onPromote={setPromoted}
              />
            </Card>
            <MakeLive site={site} version={promoted} onClose={() => setPromoted(null)} />
          </>
        ) : (
          <VersionFiles
            key={opened}
            site={site}
            versions={versions}
            version={opened}
            onClose={() => setOpened(null)}
          />
        )
      }
    </QueryState>
  )
}

interface VersionTableProps {
  site: Site
  versions: readonly Version[]
  onOpen(version: number): void
  onPromote(version: number): void
}

function VersionTable({ site, versions, onOpen, onPromote }: VersionTableProps) {
  const t = useSiteTexts()
  const format = useFormat()
  const columns: Column<Version>[] = [
    {
      id: 'version',
      title: t('version'),
      cell: ({ version, live }) => (
        <span className="flex items-center gap-2.5">
          <button
            type="button"
            onClick={() => onOpen(version)}
            className="font-medium hover:text-accent"
          >
            {t('version_short', { version })}
          </button>
          {live && (
            <Badge tone="good" dot>
              {t('status_live')}
            </Badge>
          )}
        </span>
      ),
    },
    {
      id: 'files',
      title: t('files'),
      from: 'sm',
      cell: ({ files_count, bytes }) => (
        <span className="text-muted tabular-nums">
          {format.number(files_count)} · {format.bytes(bytes)}
        </span>
      ),
    },
    {
      id: 'warnings',
      title: t('warnings'),
      from: 'md',
      cell: ({ warnings }) =>
        warnings.length === 0 ? (
          <span className="text-faint">–</span>
        ) : (
          <Badge tone="warn">{format.number(warnings.length)}</Badge>
        ),
    },
    {
      id: 'created',
      title: t('deployed'),
      from: 'sm',
      cell: ({ created_at }) => <Moment at={created_at} />,
    },
    {
      id: 'actions',
      title: t('actions'),
      untitled: true,
      align: 'right',
      cell: (row) => <Actions site={site} row={row} onOpen={onOpen} onPromote={onPromote} />,
    },
  ]
  return (
    <Table
      label={t('versions')}
      columns={columns}
      rows={versions}
      keyOf={({ version }) => String(version)}
      onOpen={({ version }) => onOpen(version)}
    />
  )
}

interface ActionsProps extends Omit<VersionTableProps, 'versions'> {
  row: Version
}

function Actions({ site, row, onOpen, onPromote }: ActionsProps) {
  const t = useSiteTexts()
  const scope = useProjectScope()
  const { version, live, preview_url } = row
  return (
    // A click on the row itself opens the version, so clicks on its buttons do not propagate.
    <span onClick={(event) => event.stopPropagation()}>
      <Menu
        align="end"
        trigger={
          <Button kind="ghost" size="icon" aria-label={t('actions_of', { version })}>
            <Ellipsis aria-hidden="true" />
          </Button>
        }
      >
        <MenuItem icon={<GitCompare aria-hidden="true" />} onSelect={() => onOpen(version)}>
          {t('compare')}
        </MenuItem>
        <MenuItem
          icon={<ExternalLink aria-hidden="true" />}
          onSelect={() => void window.open(preview_url, '_blank', 'noreferrer')}
        >
          {t('open_preview')}
        </MenuItem>
        {!live && site.status === 'live' && scope.may('member') && (
          <MenuItem icon={<Rocket aria-hidden="true" />} onSelect={() => onPromote(version)}>
            {t('make_live')}
          </MenuItem>
        )}
      </Menu>
    </span>
  )
}

interface MakeLiveProps {
  site: Site
  version: number | null
  onClose(): void
}

function MakeLive({ site, version, onClose }: MakeLiveProps) {
  const t = useSiteTexts()
  const scope = useProjectScope()
  const act = useAct({
    run: (wanted: number) => rollBack(scope, site.id, wanted),
    done: t('made_live'),
    refresh: [sitesKey(scope)],
    onDone: onClose,
  })
  return (
    <Dialog
      open={version !== null}
      onClose={onClose}
      title={t('make_live_title', { version: version ?? 0 })}
      about={t('make_live_about', { version: site.version })}
    >
      <DialogButtons>
        <Button
          kind="primary"
          busy={act.isPending}
          onClick={() => version !== null && act.mutate(version)}
        >
          {t('make_live')}
        </Button>
      </DialogButtons>
    </Dialog>
  )
}
