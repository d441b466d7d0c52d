/** The open tab of a page, kept in the fragment of its URL, so that reload and back keep it. */
import { useLocation, useNavigate } from '@tanstack/react-router'

/** The first tab is open without a fragment. */
export function useTab<Name extends string>(
  names: readonly [Name, ...Name[]],
): [Name, (name: Name) => void] {
  const { hash } = useLocation()
  const navigate = useNavigate()
  const [first] = names
  const open = (name: Name) => void navigate({ to: '.', hash: name === first ? '' : name })
  return [names.find((name) => name === hash) ?? first, open]
}
