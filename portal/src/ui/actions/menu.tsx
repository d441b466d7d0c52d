/**
 * A menu that opens from a button. The button is rendered before the code of the menu is loaded.
 */
import { cloneElement, lazy, Suspense, useState } from 'react'
import type { MenuProps } from './menu-parts.tsx'

const load = () => import('./menu-parts.tsx')
const Parts = lazy(async () => ({ default: (await load()).Menu }))
export const MenuItem = lazy(async () => ({ default: (await load()).MenuItem }))
export const MenuChoice = lazy(async () => ({ default: (await load()).MenuChoice }))
export const MenuLine = lazy(async () => ({ default: (await load()).MenuLine }))

/** A click before the code is loaded opens the menu once it is loaded. */
export function Menu(props: MenuProps) {
  const [wanted, setWanted] = useState(false)
  const waiting = cloneElement(props.trigger, { onClick: () => setWanted(true) })
  return (
    <Suspense fallback={waiting}>
      <Parts {...props} startsOpen={wanted} />
    </Suspense>
  )
}
