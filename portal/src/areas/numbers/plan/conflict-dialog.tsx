/** Yours and theirs after a conflict: each difference is shown, and the person chooses what stays. */
import { useMemo, useState } from 'react'
import { Button } from '../../../ui/actions/button.tsx'
import { cx } from '../../../ui/class-names.ts'
import { Badge } from '../../../ui/display/badge.tsx'
import { Dialog, DialogButtons } from '../../../ui/overlays/dialog.tsx'
import { diffLines, type DiffLine } from '../../sites/versions/line-diff.ts'
import { usePlanEditor } from './editor-context.tsx'
import { isObject, type Json } from './model/json.ts'
import {
  defaultSide,
  differencesOf,
  joined,
  type Difference,
  type Side,
  type Versions,
} from './model/merge.ts'
import type { Plan } from './model/plan.ts'
import { useStepNames } from './names.ts'
import type { StoredPlan } from './queries.ts'
import { usePlanTexts } from './texts.ts'

export interface ConflictDialogProps {
  /** null: there is no conflict. */
  theirs: StoredPlan | null
  busy: boolean
  onClose(): void
  onJoin(plan: Plan, version: StoredPlan): void
  onTake(version: StoredPlan): void
}

export function ConflictDialog({ theirs, busy, onClose, onJoin, onTake }: ConflictDialogProps) {
  const t = usePlanTexts()
  const { draft, plan } = usePlanEditor()
  return (
    <Dialog
      wide
      open={theirs !== null}
      onClose={onClose}
      title={t('conflict_title')}
      about={t('conflict_about', { version: theirs?.version ?? 0 })}
    >
      {theirs !== null && (
        <Choices
          versions={{ base: draft.base.plan, yours: plan, theirs: theirs.plan }}
          busy={busy}
          onClose={onClose}
          onJoin={(next) => onJoin(next, theirs)}
          onTake={() => onTake(theirs)}
        />
      )}
    </Dialog>
  )
}

interface ChoicesProps {
  versions: Versions
  busy: boolean
  onClose(): void
  onJoin(plan: Plan): void
  onTake(): void
}

function Choices({ versions, busy, onClose, onJoin, onTake }: ChoicesProps) {
  const t = usePlanTexts()
  const differences = useMemo(() => differencesOf(versions), [versions])
  const [chosen, setChosen] = useState<ReadonlyMap<string, Side>>(new Map())
  const sideOf = (difference: Difference) =>
    chosen.get(keyOf(difference)) ?? defaultSide(difference)
  return (
    <>
      {differences.length === 0 && <p className="text-muted">{t('conflict_none')}</p>}
      <ul className="flex max-h-[55dvh] flex-col gap-4 overflow-y-auto">
        {differences.map((difference) => (
          <DifferenceCard
            key={keyOf(difference)}
            difference={difference}
            side={sideOf(difference)}
            onChoose={(side) => setChosen(new Map(chosen).set(keyOf(difference), side))}
          />
        ))}
      </ul>
      <DialogButtons>
        <Button kind="ghost" onClick={onClose}>
          {t('edit_on')}
        </Button>
        <Button onClick={onTake}>{t('take_theirs')}</Button>
        <Button
          kind="primary"
          busy={busy}
          onClick={() => onJoin(joined(versions, differences, sideOf))}
        >
          {t('keep_joined')}
        </Button>
      </DialogButtons>
    </>
  )
}

function keyOf({ isNode, key }: Difference): string {
  return `${isNode ? 'node' : 'key'} ${key}`
}

const tones = { yours: 'info', theirs: 'warn', both: 'bad' } as const

interface DifferenceCardProps {
  difference: Difference
  side: Side
  onChoose(side: Side): void
}

function DifferenceCard({ difference, side, onChoose }: DifferenceCardProps) {
  const t = usePlanTexts()
  const name = useDifferenceName(difference)
  const { changed_by } = difference
  return (
    <li className="rounded-xl border border-line">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-2 p-3">
        <h3 className="flex min-w-0 flex-1 flex-wrap items-center gap-2 font-medium">
          {name}
          <Badge tone={tones[changed_by]}>{t(`changed_by_${changed_by}`)}</Badge>
        </h3>
        <div
          role="radiogroup"
          aria-label={t('side_for', { step: name })}
          className="flex rounded-lg bg-hover p-0.5"
        >
          {(['yours', 'theirs'] as const).map((one) => (
            <label
              key={one}
              className={cx(
                'flex h-7 cursor-pointer items-center rounded-md px-2.5 text-sm font-medium',
                'has-focus-visible:outline-2 has-focus-visible:outline-accent',
                side === one ? 'bg-surface text-fg shadow-card' : 'text-muted',
              )}
            >
              <input
                type="radio"
                className="sr-only"
                name={keyOf(difference)}
                checked={side === one}
                onChange={() => onChoose(one)}
              />
              {t(one)}
            </label>
          ))}
        </div>
      </div>
      <Diff difference={difference} />
    </li>
  )
}

function useDifferenceName({ isNode, key, yours, theirs }: Difference): string {
  const t = usePlanTexts()
  const stepName = useStepNames()
  if (!isNode) return key === 'entry' ? t('first_step_key') : key
  const node = yours ?? theirs
  if (!isObject(node)) return key
  return stepName({ id: key, type: String(node['type'] ?? ''), node })
}

const rows = { same: '', added: 'bg-info-soft', removed: 'bg-warn-soft' } as const

/** Lines of theirs that yours lacks, and the other way round. */
function Diff({ difference: { yours, theirs } }: { difference: Difference }) {
  const t = usePlanTexts()
  const lines = near(diffLines(linesOf(theirs), linesOf(yours)))
  return (
    <div
      className="max-h-52 overflow-auto border-t border-line font-mono text-xs leading-5"
      tabIndex={0}
    >
      {lines.map(({ kind, text }, index) => (
        <div key={index} className={cx('flex gap-2 px-3 whitespace-pre-wrap', rows[kind])}>
          <span className="w-14 shrink-0 font-sans text-muted select-none">
            {kind === 'added' && t('yours')}
            {kind === 'removed' && t('theirs')}
          </span>
          <span className="min-w-0">{text}</span>
        </div>
      ))}
    </div>
  )
}

/** Unchanged lines that are shown around a change. */
const CONTEXT = 2

function near(lines: readonly DiffLine[]): DiffLine[] {
  return lines.filter((_line, index) =>
    lines
      .slice(Math.max(0, index - CONTEXT), index + CONTEXT + 1)
      .some(({ kind }) => kind !== 'same'),
  )
}

function linesOf(value: Json | undefined): string {
  return value === undefined ? '' : JSON.stringify(value, null, 2)
}
