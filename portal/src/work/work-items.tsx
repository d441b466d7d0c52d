/**
 * The parts of some work, such as the files of an upload. Of many parts only those are listed that
 * failed or are in progress; the others are counted.
 */
import { useWorkTexts } from './texts.ts'
import type { WorkItem } from './work.ts'

/** Up to this number of parts, each is listed. */
const LISTED_MAX = 8

export interface WorkItemsProps {
  items: readonly WorkItem[]
  hasEnded: boolean
}

export function WorkItems({ items, hasEnded }: WorkItemsProps) {
  const t = useWorkTexts()
  const failed = items.filter(({ stage }) => stage === 'failed')
  const waiting = items.filter(({ stage }) => stage === 'waiting').length
  const done = items.filter(({ stage }) => stage === 'done').length
  if (items.length <= LISTED_MAX) return <Rows items={items} />
  const moving = items.filter(
    ({ stage }) => stage !== 'failed' && stage !== 'waiting' && stage !== 'done',
  )
  return (
    <>
      <p className="mt-2 flex gap-2 text-sm text-muted tabular-nums">
        {t('items', { done, count: items.length })}
        {failed.length > 0 && (
          <span className="text-bad">{t('items_failed', { count: failed.length })}</span>
        )}
      </p>
      <Rows items={[...failed, ...moving]} />
      {waiting > 0 && !hasEnded && (
        <p className="mt-1.5 text-sm text-faint">{t('more_waiting', { count: waiting })}</p>
      )}
    </>
  )
}

function Rows({ items }: { items: readonly WorkItem[] }) {
  const t = useWorkTexts()
  if (items.length === 0) return null
  return (
    <ul className="mt-3 flex flex-col gap-1.5 text-sm">
      {items.map(({ name, stage, progress, fault }, index) => (
        <li key={index}>
          <p className="flex gap-3">
            <span className="min-w-0 flex-1 truncate">{name}</span>
            <span className={stage === 'failed' ? 'text-bad' : 'text-muted tabular-nums'}>
              {stage === 'sending' ? `${Math.round(progress * 100)} %` : t(stage)}
            </span>
          </p>
          {fault !== null && <p className="text-bad">{fault}</p>}
        </li>
      ))}
    </ul>
  )
}
