/**
 * Resolves a conflict after another person has saved the assistant: shows both versions of each
 * field that both persons changed.
 */
import { useState } from 'react'
import { Button } from '../../ui/actions/button.tsx'
import { Dialog, DialogButtons } from '../../ui/overlays/dialog.tsx'
import { clashesOf, fieldNames, isSame, type FieldName } from './draft.ts'
import { settingsOf, type Assistant, type Settings } from './queries.ts'
import { useAssistantTexts } from './texts.ts'
import type { DraftState } from './use-draft.ts'
import { cx } from '../../ui/class-names.ts'

type Side = 'mine' | 'theirs'

export function ConflictDialog({ state, theirs }: { state: DraftState; theirs: Assistant }) {
  const t = useAssistantTexts()
  const { draft, isSaving, resolve, postpone } = state
  const [sides, setSides] = useState<Partial<Record<FieldName, Side>>>({})
  const clashes = clashesOf(draft, theirs)
  const merged = fieldNames.filter(
    (name) => !isSame(draft.base[name], theirs[name]) && !clashes.includes(name),
  )
  const chosen = Object.fromEntries(
    clashes.filter((name) => sides[name] === 'theirs').map((name) => [name, theirs[name]]),
  )
  const result: Settings = { ...settingsOf(theirs), ...draft.changes, ...chosen }
  return (
    <Dialog
      wide
      onClose={postpone}
      title={t('conflict')}
      about={t(clashes.length === 0 ? 'conflict_none' : 'conflict_about')}
    >
      <div className="flex max-h-[60dvh] flex-col gap-5 overflow-y-auto" tabIndex={0}>
        {clashes.map((name) => (
          <fieldset key={name}>
            <legend className="mb-1.5 font-medium">{t(`field_${name}`)}</legend>
            <div className="grid gap-2 sm:grid-cols-2">
              {(['mine', 'theirs'] as const).map((side) => (
                <Version
                  key={side}
                  name={name}
                  title={t(side)}
                  text={previewOf(name, side === 'mine' ? draft.changes : theirs)}
                  isChosen={(sides[name] ?? 'mine') === side}
                  onChoose={() => setSides({ ...sides, [name]: side })}
                />
              ))}
            </div>
          </fieldset>
        ))}
        {merged.length > 0 && (
          <p className="text-sm text-muted">
            {t('conflict_merged', {
              fields: merged.map((name) => t(`field_${name}`).toLowerCase()).join(', '),
            })}
          </p>
        )}
      </div>
      <DialogButtons>
        <Button disabled={isSaving} onClick={postpone}>
          {t('conflict_later')}
        </Button>
        <Button kind="primary" busy={isSaving} onClick={() => resolve(theirs, result)}>
          {t('conflict_save')}
        </Button>
      </DialogButtons>
    </Dialog>
  )
}

interface VersionProps {
  name: FieldName
  title: string
  text: string
  isChosen: boolean
  onChoose(): void
}

function Version({ name, title, text, isChosen, onChoose }: VersionProps) {
  return (
    <label
      className={cx(
        'flex cursor-pointer gap-3 rounded-lg border bg-surface p-3',
        isChosen ? 'border-accent bg-accent-soft' : 'border-line-strong hover:border-faint',
      )}
    >
      <input
        type="radio"
        name={name}
        checked={isChosen}
        onChange={onChoose}
        className="mt-0.5 size-4 shrink-0 accent-(--accent)"
      />
      <span className="min-w-0">
        <span className="block font-medium">{title}</span>
        <span className="mt-1 block max-h-40 overflow-y-auto text-sm whitespace-pre-wrap text-muted">
          {text}
        </span>
      </span>
    </label>
  )
}

/** Returns the value of a field as lines of text. */
function previewOf(name: FieldName, settings: Partial<Settings>): string {
  switch (name) {
    case 'facts':
      return linesOf(settings.facts, ({ question, answer }) => `${question}\n  ${answer}`)
    case 'opening_hours':
      return linesOf(settings.opening_hours, ({ day, from, to }) => `${day} ${from}–${to}`)
    case 'closures':
      return linesOf(settings.closures, ({ date, reason }) => [date, reason ?? ''].join(' ').trim())
    case 'languages':
      return linesOf(settings.languages, (tag) => tag)
    case 'transfer':
      return [settings.transfer?.phone, settings.transfer?.email].filter(Boolean).join('\n') || '–'
    default:
      return settings[name] || '–'
  }
}

function linesOf<Entry>(
  entries: readonly Entry[] | undefined,
  text: (entry: Entry) => string,
): string {
  return entries?.map(text).join('\n') || '–'
}
