/** What of a page is open, kept in its URL, so that reload, back and a link keep it. */
import { useLocation, useNavigate, useSearch } from '@tanstack/react-router'

/** The open tab, in the fragment. The first tab is open without a fragment. */
export function useTab<Name extends string>(
  names: readonly [Name, ...Name[]],
): [Name, (name: Name) => void] {
  const { hash } = useLocation()
  const navigate = useNavigate()
  const [first] = names
  const open = (name: Name) => void navigate({ to: '.', hash: name === first ? '' : name })
  return [names.find((name) => name === hash) ?? first, open]
}

/** The id of the record whose drawer is open; null while none is. */
export function useOpenId(): [string | null, (id: string | null) => void] {
  const { open } = useSearch({ strict: false })
  const navigate = useNavigate()
  const set = (id: string | null) =>
    void navigate({
      to: '.',
      search: id === null ? {} : { open: id },
      hash: true,
      replace: id === null,
      resetScroll: false,
    })
  return [open ?? null, set]
}
