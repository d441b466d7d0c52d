/** Search and filters of the library. */
import { Search } from 'lucide-react'
import { Input } from '../../../ui/forms/input.tsx'
import { Select } from '../../../ui/forms/select.tsx'
import type { Media, Selection } from '../queries.ts'
import { useMediaTexts } from '../texts.ts'

export interface FilterBarProps {
  selection: Selection
  /** The loaded files, whose folders can be selected. */
  files: readonly Media[]
  onChange(selection: Selection): void
}

const kinds = [
  ['all', 'all_kinds'],
  ['image', 'pictures'],
  ['video', 'videos'],
  ['audio', 'audio'],
  ['document', 'documents'],
  ['other', 'others'],
] as const
/** The value for all folders, because a select needs a non-empty value. */
const EVERYWHERE = '/'

export function FilterBar({ selection, files, onChange }: FilterBarProps) {
  const t = useMediaTexts()
  const { q, kind, folder } = selection
  const folders = new Set(files.map((file) => file.folder).concat(folder))
  folders.delete('')
  return (
    <div className="mb-5 flex flex-wrap gap-2">
      <div className="relative min-w-52 flex-1">
        <Search
          className="pointer-events-none absolute top-2.5 left-3 size-4 text-faint"
          aria-hidden="true"
        />
        <Input
          type="search"
          className="pl-9"
          aria-label={t('search')}
          placeholder={t('search')}
          value={q}
          onChange={({ target }) => onChange({ ...selection, q: target.value })}
        />
      </div>
      <div className="w-40">
        <Select
          label={t('kind')}
          value={kind}
          onChange={(next) => onChange({ ...selection, kind: next })}
          choices={kinds.map(([value, text]) => ({ value, text: t(text) }))}
        />
      </div>
      {folders.size > 0 && (
        <div className="w-44">
          <Select
            label={t('folder')}
            value={folder === '' ? EVERYWHERE : folder}
            onChange={(next) => onChange({ ...selection, folder: next === EVERYWHERE ? '' : next })}
            choices={[
              { value: EVERYWHERE, text: t('every_folder') },
              ...[...folders].toSorted().map((name) => ({ value: name, text: name })),
            ]}
          />
        </div>
      )}
    </div>
  )
}
