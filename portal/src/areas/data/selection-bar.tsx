/** The inputs for search, filter and order. */
import { Search } from 'lucide-react'
import { useState } from 'react'
import { useTexts } from '../../language/texts.ts'
import { Input } from '../../ui/forms/input.tsx'
import { Select } from '../../ui/forms/select.tsx'
import type { DataField } from './fields.ts'
import type { Selection } from './queries.ts'
import { dataTexts } from './texts.ts'

export interface SelectionBarProps {
  fields: readonly DataField[]
  selection: Selection
  onChange(selection: Selection): void
}

export function SelectionBar({ fields, selection, onChange }: SelectionBarProps) {
  const t = useTexts(dataTexts)
  const [text, setText] = useState(selection.search)
  const orders = fields
    .filter(({ kind }) => kind !== 'json' && kind !== 'long')
    .flatMap(({ name, title }) => [
      { value: name, text: t('ascending', { title }) },
      { value: `-${name}`, text: t('descending', { title }) },
    ])
  const example = exampleOf(fields)
  return (
    <div className="mb-4 flex flex-wrap items-start gap-3">
      <form
        role="search"
        className="relative min-w-60 flex-1"
        onSubmit={(event) => {
          event.preventDefault()
          onChange({ ...selection, search: text })
        }}
      >
        <Search
          aria-hidden="true"
          className="pointer-events-none absolute top-2.5 left-3 size-4 text-faint"
        />
        <Input
          type="search"
          aria-label={t('search')}
          placeholder={t('search_example', { example })}
          value={text}
          className="pl-9"
          onChange={({ target }) => {
            setText(target.value)
            if (target.value === '') onChange({ ...selection, search: '' })
          }}
        />
      </form>
      <div className="w-full sm:w-56">
        <Select
          label={t('order')}
          value={selection.sort}
          onChange={(sort) => onChange({ ...selection, sort })}
          choices={[
            { value: '-created_at', text: t('newest') },
            { value: 'created_at', text: t('oldest') },
            ...orders,
          ]}
        />
      </div>
    </div>
  )
}

/** Returns an example of a filter that is valid for these fields. */
export function exampleOf(fields: readonly DataField[]): string {
  const number = fields.find(({ kind }) => kind === 'number')
  if (number !== undefined) return `${number.name} > 3`
  const text = fields.find(({ kind }) => kind === 'text' || kind === 'choice')
  return `${text?.name ?? 'name'} = "${text?.choices[0] ?? 'Anna'}"`
}
