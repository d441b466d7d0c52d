/** The columns of changes: what, by whom, through which entry point, and when. */
import { Badge } from '../../ui/display/badge.tsx'
import { Moment } from '../../ui/display/moment.tsx'
import type { Column } from '../../ui/display/table.tsx'
import { ActorIcon, ActorName, useActorName } from './actor.tsx'
import { useChangeName, useChangeNote } from './change-name.tsx'
import type { ActivityEntry } from './queries.ts'
import { useActivityTexts } from './texts.ts'

export function useActivityColumns(onOpen: (row: ActivityEntry) => void): Column<ActivityEntry>[] {
  const t = useActivityTexts()
  return [
    {
      id: 'what',
      title: t('what'),
      cell: (entry) => <Change entry={entry} onOpen={onOpen} />,
    },
    {
      id: 'who',
      title: t('who'),
      from: 'md',
      cell: ({ actor }) => (
        <span className="flex max-w-64 items-center text-muted">
          <ActorName actor={actor} />
        </span>
      ),
    },
    {
      id: 'via',
      title: t('via'),
      from: 'lg',
      cell: ({ entry_point }) => <Badge>{t(entry_point)}</Badge>,
    },
    {
      id: 'when',
      title: t('when'),
      align: 'right',
      from: 'sm',
      cell: ({ created_at }) => (
        <span className="text-muted">
          <Moment at={created_at} />
        </span>
      ),
    },
  ]
}

function Change({ entry, onOpen }: { entry: ActivityEntry; onOpen(entry: ActivityEntry): void }) {
  const t = useActivityTexts()
  const changeName = useChangeName()
  const changeNote = useChangeNote()
  const actorName = useActorName()
  const note = changeNote(entry)
  return (
    <button
      type="button"
      onClick={() => onOpen(entry)}
      className="group flex w-full items-center gap-3.5 text-left"
    >
      <ActorIcon actor={entry.actor} />
      <span className="min-w-0">
        <span className="flex flex-wrap items-center gap-x-2 gap-y-1">
          <span className="font-medium group-hover:text-accent">{changeName(entry.operation)}</span>
          {entry.error !== null && <Badge tone="bad">{t('failed')}</Badge>}
        </span>
        {note !== null && <span className="block text-sm break-all text-muted">{note}</span>}
        <span className="block text-sm break-all text-faint md:hidden">
          {actorName(entry.actor)} · {t(entry.entry_point)}
        </span>
      </span>
    </button>
  )
}
