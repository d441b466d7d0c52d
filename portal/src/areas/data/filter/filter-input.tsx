/** The field for a filter or for words to search, with completion of fields, operators and values. */
import { Search, X } from 'lucide-react'
import { useId, useRef, useState, type KeyboardEvent, type RefObject } from 'react'
import type { ApiProblem } from '../../../api/client.ts'
import { cx } from '../../../ui/class-names.ts'
import { submit } from '../../../ui/forms/submit.ts'
import type { DataField } from '../fields.ts'
import { FilterFault } from './filter-fault.tsx'
import { suggest, type Suggestion } from './suggest.ts'
import { useFilterTexts } from './texts.ts'

export interface FilterInputProps {
  fields: readonly DataField[]
  value: string
  example: string
  /** Why the server refused `value`. */
  problem: ApiProblem | null
  onChange(value: string): void
}

export function FilterInput({ fields, value, example, problem, onChange }: FilterInputProps) {
  const t = useFilterTexts()
  const id = useId()
  const input = useRef<HTMLInputElement>(null)
  const { text, list, active, chosen, change, apply, take, open, close, onKeyDown } = useFilter({
    fields,
    value,
    input,
    onChange,
  })
  return (
    <div className="min-w-60 flex-1">
      <form role="search" className="relative" onSubmit={submit(() => apply(text))}>
        <Search
          aria-hidden="true"
          className="pointer-events-none absolute top-2.5 left-3 size-4 text-faint"
        />
        <input
          ref={input}
          type="text"
          role="combobox"
          aria-label={t('search')}
          aria-expanded={list.length > 0}
          aria-controls={`${id}-list`}
          aria-activedescendant={chosen && `${id}-${active}`}
          aria-autocomplete="list"
          aria-invalid={problem === null ? undefined : true}
          aria-describedby={problem === null ? undefined : `${id}-fault`}
          autoComplete="off"
          spellCheck={false}
          placeholder={t('search_example', { example })}
          value={text}
          className="control pr-9 pl-9"
          onChange={({ target }) => change(target.value, target.selectionStart)}
          onClick={({ currentTarget }) => open(text, currentTarget.selectionStart ?? text.length)}
          onKeyDown={onKeyDown}
          onBlur={close}
        />
        {text !== '' && (
          <ClearButton
            onClear={() => {
              apply('')
              input.current?.focus()
            }}
          />
        )}
        <SuggestionList id={id} list={list} active={active} onTake={take} />
      </form>
      {problem !== null && (
        <FilterFault id={`${id}-fault`} text={value} problem={problem} onCorrect={apply} />
      )}
    </div>
  )
}

function ClearButton({ onClear }: { onClear(): void }) {
  const t = useFilterTexts()
  return (
    <button
      type="button"
      aria-label={t('clear')}
      className="absolute top-2 right-2 rounded p-0.5 text-faint hover:text-fg"
      onClick={onClear}
    >
      <X className="size-4" aria-hidden="true" />
    </button>
  )
}

interface Filtering extends Pick<FilterInputProps, 'fields' | 'value' | 'onChange'> {
  input: RefObject<HTMLInputElement | null>
}

/** The text of the filter, its completions, and what keys do. */
function useFilter({ fields, value, input, onChange }: Filtering) {
  const [text, setText] = useState(value)
  const { list, active, setActive, open, close } = useSuggestions(text, fields)
  const apply = (next: string) => {
    setText(next)
    close()
    onChange(next.trim())
  }
  const take = ({ insert, from, to }: Suggestion) => {
    const next = text.slice(0, from) + insert + text.slice(to)
    setText(next)
    const caret = from + insert.length
    open(next, caret)
    // After the new text has been rendered.
    requestAnimationFrame(() => input.current?.setSelectionRange(caret, caret))
  }
  const chosen = list[active]
  const onKeyDown = (event: KeyboardEvent) => {
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0
    if (step !== 0 && list.length > 0) {
      event.preventDefault()
      setActive(nextIn(active, step, list.length))
    } else if (event.key === 'Escape' && list.length > 0) {
      event.preventDefault()
      close()
    } else if (chosen !== undefined && (event.key === 'Enter' || event.key === 'Tab')) {
      event.preventDefault()
      take(chosen)
    }
  }
  const change = (next: string, caret: number | null) => {
    setText(next)
    open(next, caret ?? next.length)
    if (next === '') onChange('')
  }
  return { text, list, active, chosen, change, apply, take, open, close, onKeyDown }
}

/** From nothing chosen (-1) to the first or last, and round. */
function nextIn(active: number, step: number, count: number): number {
  if (active === -1) return step === 1 ? 0 : count - 1
  return (active + step + count) % count
}

function useSuggestions(text: string, fields: readonly DataField[]) {
  const [caret, setCaret] = useState<number | null>(null)
  const [active, setActive] = useState(-1)
  const list = caret === null || caret > text.length ? [] : suggest(text, caret, fields)
  return {
    list,
    active,
    setActive,
    open(next: string, at: number) {
      setCaret(at)
      // Enter takes the first completion of a begun word of a filter, and searches otherwise.
      const isFilter = /[\s=<>]/.test(next)
      setActive(isFilter && /[^\s(,]$/.test(next.slice(0, at)) ? 0 : -1)
    },
    close() {
      setCaret(null)
      setActive(-1)
    },
  }
}

interface SuggestionListProps {
  id: string
  list: readonly Suggestion[]
  active: number
  onTake(suggestion: Suggestion): void
}

function SuggestionList({ id, list, active, onTake }: SuggestionListProps) {
  const t = useFilterTexts()
  return (
    <ul
      id={`${id}-list`}
      role="listbox"
      aria-label={t('suggestions')}
      hidden={list.length === 0}
      className="absolute top-full left-0 z-30 mt-1.5 max-h-80 w-full max-w-md overflow-y-auto rounded-xl bg-raised p-1.5 shadow-pop"
    >
      {list.map((one, index) => (
        <li
          key={one.text}
          id={`${id}-${index}`}
          role="option"
          aria-selected={index === active}
          // Keeps the focus in the field.
          onMouseDown={(event) => event.preventDefault()}
          onClick={() => onTake(one)}
          className={cx(
            'flex cursor-default items-center gap-3 rounded-lg px-2.5 py-1.5',
            index === active ? 'bg-hover' : 'hover:bg-hover',
          )}
        >
          <code className="font-mono text-sm">{one.text}</code>
          {one.hint !== null && <span className="truncate text-sm text-muted">{one.hint}</span>}
          <span className="ml-auto text-xs text-faint">{t(one.kind)}</span>
        </li>
      ))}
    </ul>
  )
}
