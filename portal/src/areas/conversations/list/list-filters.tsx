/** The search, the views, and the filters by channel and language. */
import { SlidersHorizontal } from 'lucide-react'
import { useLanguage } from '../../../language/texts.ts'
import { Button } from '../../../ui/actions/button.tsx'
import { Menu, MenuChoice, MenuLine } from '../../../ui/actions/menu.tsx'
import { cx } from '../../../ui/class-names.ts'
import { SearchField } from '../../../ui/forms/search-field.tsx'
import type { ConversationFilter } from '../queries.ts'
import { useInboxTexts } from '../texts.ts'
import { views, type View } from './views.ts'

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
  const t = useInboxTexts()
  const set = (change: FilterChange) => {
    const entries = Object.entries({ ...filter, ...change })
    onFilter(Object.fromEntries(entries.filter(([, value]) => value !== undefined)))
  }
  return (
    <div className="flex flex-col gap-2.5 border-b border-line px-3 pb-2.5">
      <div className="flex gap-2">
        <SearchField
          label={t('search')}
          onSearch={(text) => set({ q: text === '' ? undefined : text })}
        />
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
  const t = useInboxTexts()
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
