/** What of a page is open, kept in its URL, so that reload, back and a link keep it. */
import { useLocation, useNavigate, useRouter, useSearch } from '@tanstack/react-router'

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

/**
 * The id of the record whose drawer is open; null while none is. Setting null closes only the record of
 * this render, because an answer may arrive after the person has opened another one or another page.
 */
export function useOpenId(): [string | null, (id: string | null) => void] {
  const { open } = useSearch({ strict: false })
  const navigate = useNavigate()
  const router = useRouter()
  const set = (id: string | null) => {
    const { open: shown, ...others } = router.state.location.search
    if (id === null && shown !== open) return
    void navigate({
      to: '.',
      search: id === null ? others : { ...others, open: id },
      hash: true,
      replace: id === null,
      resetScroll: false,
    })
  }
  return [open ?? null, set]
}
