/** The menu components. menu.tsx loads them lazily, because their positioning code is large. */
import { Menu as Base } from '@base-ui/react/menu'
import { Check } from 'lucide-react'
import { Suspense, type ReactElement, type ReactNode } from 'react'
import { cx } from '../class-names.ts'

export interface MenuProps {
  trigger: ReactElement<Record<string, unknown>>
  children: ReactNode
  align?: 'start' | 'end'
  side?: 'top' | 'bottom'
  startsOpen?: boolean
}

export function Menu(props: MenuProps) {
  const { trigger, children, align = 'start', side = 'bottom', startsOpen = false } = props
  return (
    <Base.Root defaultOpen={startsOpen}>
      <Base.Trigger render={trigger} />
      <Base.Portal>
        <Base.Positioner align={align} side={side} sideOffset={6} className="z-50 outline-none">
          <Base.Popup className="pop max-h-[70dvh] min-w-52 origin-(--transform-origin) overflow-y-auto rounded-xl bg-raised p-1.5 shadow-pop outline-none">
            <Suspense fallback={null}>{children}</Suspense>
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  )
}

const itemClass =
  'flex w-full cursor-default items-center gap-2.5 rounded-lg px-2.5 py-1.5 text-base no-underline ' +
  'outline-none select-none data-highlighted:bg-hover [&_svg]:size-4 [&_svg]:shrink-0'

export interface MenuItemProps {
  icon?: ReactNode
  danger?: boolean
  onSelect?: () => void
  /** The page of the server that the item opens. */
  href?: string
  children: ReactNode
}

export function MenuItem({ icon, danger = false, onSelect, href, children }: MenuItemProps) {
  const className = cx(itemClass, danger ? 'text-bad' : 'text-fg [&_svg]:text-faint')
  return (
    <Base.Item
      className={className}
      onClick={() => onSelect?.()}
      {...(href !== undefined && { render: <a href={href} />, nativeButton: false })}
    >
      {icon}
      <span className="min-w-0 flex-1 truncate">{children}</span>
    </Base.Item>
  )
}

export interface MenuChoiceProps {
  label: string
  value: string
  onChange(value: string): void
  choices: readonly { value: string; text: ReactNode; icon?: ReactNode }[]
}

/** A group of items of which one is selected. */
export function MenuChoice({ label, value, onChange, choices }: MenuChoiceProps) {
  return (
    <Base.RadioGroup value={value} onValueChange={(next) => onChange(String(next))}>
      <Base.GroupLabel className="px-2.5 pt-1.5 pb-1 text-xs font-medium text-faint">
        {label}
      </Base.GroupLabel>
      {choices.map(({ value: one, text, icon }) => (
        <Base.RadioItem key={one} value={one} className={cx(itemClass, 'text-fg')} closeOnClick>
          {icon}
          <span className="min-w-0 flex-1 truncate">{text}</span>
          <Base.RadioItemIndicator>
            <Check className="text-accent" aria-hidden="true" />
          </Base.RadioItemIndicator>
        </Base.RadioItem>
      ))}
    </Base.RadioGroup>
  )
}

export function MenuLine() {
  return <Base.Separator className="my-1.5 h-px bg-line" />
}
