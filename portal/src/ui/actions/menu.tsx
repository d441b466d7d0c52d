/** A menu that opens from a button. The button is there before the code of the menu is. */
import { lazy, Suspense } from 'react'
import type { MenuProps } from './menu-parts.tsx'

const load = () => import('./menu-parts.tsx')
const Parts = lazy(async () => ({ default: (await load()).Menu }))
export const MenuItem = lazy(async () => ({ default: (await load()).MenuItem }))
export const MenuChoice = lazy(async () => ({ default: (await load()).MenuChoice }))
export const MenuLine = lazy(async () => ({ default: (await load()).MenuLine }))

export function Menu(props: MenuProps) {
  return (
    <Suspense fallback={props.trigger}>
      <Parts {...props} />
    </Suspense>
  )
}
