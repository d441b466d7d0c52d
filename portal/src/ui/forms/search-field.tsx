/** A search input, which reports its text when the person stops typing. */
import { Search } from 'lucide-react'
import { useEffect, useState } from 'react'
import { Input } from './input.tsx'

const TYPING_MS = 400
const SEARCH_MAX = 200

export interface SearchFieldProps {
  label: string
  /** Gets the text without spaces around it. */
  onSearch(text: string): void
}

export function SearchField({ label, onSearch }: SearchFieldProps) {
  const [text, setText] = useState<string | null>(null)
  const wanted = text?.trim()
  useEffect(() => {
    if (wanted === undefined) return undefined
    const timer = setTimeout(() => onSearch(wanted), TYPING_MS)
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
        aria-label={label}
        placeholder={label}
        maxLength={SEARCH_MAX}
        value={text ?? ''}
        onChange={({ target }) => setText(target.value)}
        className="pl-9!"
      />
    </span>
  )
}
