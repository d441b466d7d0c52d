/** The search, the views, and the filters by channel and language. */
import { Search, SlidersHorizontal } from 'lucide-react'
import { useEffect, useState } from 'react'
import { useLanguage, useTexts } from '../../../language/texts.ts'
import { Button } from '../../../ui/actions/button.tsx'
import { Menu, MenuChoice, MenuLine } from '../../../ui/actions/menu.tsx'
import { cx } from '../../../ui/class-names.ts'
import { Input } from '../../../ui/forms/input.tsx'
import type { ConversationFilter } from '../queries.ts'
import { inboxTexts } from '../texts.ts'
import { views, type View } from './views.ts'

const TYPING_MS = 400
const SEARCH_MAX = 200
const channels = ['widget', 'api', 'portal'] as const
const languages = ['nl', 'en', 'de', 'fr'] as const

/** An undefined value removes the filter. */
type FilterChange = { [Name in keyof ConversationFilter]: ConversationFilter[Name] | undefined }

export interface ListFiltersProps {
  view: View
  onView(view: View): void
  filter: ConversationFilter
  onFilter(filter: ConversationFilter): void
  waiting: number
}

export function ListFilters({ view, onView, filter, onFilter, waiting }: ListFiltersProps) {
  const t = useTexts(inboxTexts)
  const set = (change: FilterChange) => {
    const entries = Object.entries({ ...filter, ...change })
    onFilter(Object.fromEntries(entries.filter(([, value]) => value !== undefined)))
  }
  return (
    <div className="flex flex-col gap-2.5 border-b border-line px-3 pb-2.5">
      <div className="flex gap-2">
        <SearchField onSearch={(q) => set({ q })} />
        <FilterMenu filter={filter} onChange={set} />
      </div>
      <div role="group" aria-label={t('view')} className="flex gap-1">
        {views.map((name) => (
          <button
            key={name}
            type="button"
            aria-pressed={view === name}
            onClick={() => onView(name)}
            className={cx(
              'flex h-7 items-center gap-1.5 rounded-md px-2 text-sm font-medium whitespace-nowrap',
              view === name ? 'bg-accent-soft text-accent' : 'text-muted hover:bg-hover',
            )}
          >
            {t(`view_${name}`)}
            {name === 'waiting' && waiting > 0 && (
              <span className="rounded-full bg-warn-soft px-1.5 text-xs text-warn tabular-nums">
                {waiting}
              </span>
            )}
          </button>
        ))}
      </div>
    </div>
  )
}

interface FilterMenuProps {
  filter: ConversationFilter
  onChange(change: FilterChange): void
}

function FilterMenu({ filter, onChange }: FilterMenuProps) {
  const t = useTexts(inboxTexts)
  const { channel, language } = filter
  const isSet = channel !== undefined || language !== undefined
  return (
    <Menu
      align="end"
      trigger={
        <Button
          size="icon"
          aria-label={t(isSet ? 'filter_set' : 'filter')}
          className={cx(isSet && 'border-accent text-accent')}
        >
          <SlidersHorizontal aria-hidden="true" />
        </Button>
      }
    >
      <MenuChoice
        label={t('channel')}
        value={channel ?? 'all'}
        onChange={(next) => onChange({ channel: channels.find((one) => one === next) })}
        choices={[
          { value: 'all', text: t('channel_all') },
          ...channels.map((value) => ({ value, text: t(`channel_${value}`) })),
        ]}
      />
      <MenuLine />
      <MenuChoice
        label={t('language')}
        value={language ?? 'all'}
        onChange={(next) => onChange({ language: next === 'all' ? undefined : next })}
        choices={[
          { value: 'all', text: t('language_all') },
          ...languages.map((value) => ({ value, text: <LanguageName tag={value} /> })),
        ]}
      />
    </Menu>
  )
}

/** A language in the language of the person. */
export function LanguageName({ tag }: { tag: string }) {
  return new Intl.DisplayNames([useLanguage()], { type: 'language' }).of(tag) ?? tag
}

function SearchField({ onSearch }: { onSearch(q: string | undefined): void }) {
  const t = useTexts(inboxTexts)
  const [text, setText] = useState<string | null>(null)
  const wanted = text?.trim()
  useEffect(() => {
    if (wanted === undefined) return undefined
    const timer = setTimeout(() => onSearch(wanted === '' ? undefined : wanted), TYPING_MS)
    return () => clearTimeout(timer)
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- only a new text is a new search
  }, [wanted])
  return (
    <span className="relative block min-w-0 flex-1">
      <Search
        aria-hidden="true"
        className="pointer-events-none absolute top-1/2 left-3 size-4 -translate-y-1/2 text-faint"
      />
      <Input
        type="search"
        aria-label={t('search')}
        placeholder={t('search')}
        maxLength={SEARCH_MAX}
        value={text ?? ''}
        onChange={({ target }) => setText(target.value)}
        className="pl-9!"
      />
    </span>
  )
}
