/**
 * A menu that opens from a button. Its code is loaded when the pointer or the focus reaches the
 * button, because it would be a fifth of the first load of a page.
 */
import { cloneElement, lazy, Suspense, useState, type KeyboardEvent } from 'react'
import type { MenuProps } from './menu-parts.tsx'

const load = () => import('./menu-parts.tsx')
const Parts = lazy(async () => ({ default: (await load()).Menu }))
export const MenuItem = lazy(async () => ({ default: (await load()).MenuItem }))
export const MenuChoice = lazy(async () => ({ default: (await load()).MenuChoice }))
export const MenuLine = lazy(async () => ({ default: (await load()).MenuLine }))

/** The first click opens the menu once its code is loaded. */
export function Menu(props: MenuProps) {
  const [wanted, setWanted] = useState(false)
  const prepare = () => void load()
  const waiting = cloneElement(props.trigger, {
    'aria-haspopup': 'menu',
    'aria-expanded': false,
    onPointerEnter: prepare,
    onFocus: prepare,
    onClick: () => setWanted(true),
    onKeyDown: ({ key }: KeyboardEvent) => key.startsWith('Arrow') && setWanted(true),
  })
  if (!wanted) return waiting
  return (
    <Suspense fallback={waiting}>
      <Parts {...props} startsOpen />
    </Suspense>
  )
}
