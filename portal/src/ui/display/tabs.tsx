/** Tabs: parts of a page, of which one is shown. */
import { Tabs as Base } from '@base-ui/react/tabs'
import type { ReactNode } from 'react'

export interface TabsProps<Value extends string> {
  value: Value
  onChange(value: NoInfer<Value>): void
  label: string
  tabs: readonly { value: NoInfer<Value>; title: string; count?: number; body: ReactNode }[]
}

export function Tabs<Value extends string>({ value, onChange, label, tabs }: TabsProps<Value>) {
  // An address can name a tab that this person does not have.
  const open = tabs.some((tab) => tab.value === value) ? value : tabs[0]?.value
  return (
    <Base.Root value={open} onValueChange={(next: Value) => onChange(next)}>
      <Base.List
        aria-label={label}
        className="no-scrollbar relative mb-5 flex gap-1 overflow-x-auto border-b border-line"
      >
        {tabs.map((tab) => (
          <Base.Tab
            key={tab.value}
            value={tab.value}
            className="-outline-offset-2! flex h-9 items-center gap-2 rounded-t-md px-3 font-medium whitespace-nowrap text-muted hover:text-fg data-active:text-fg"
          >
            {tab.title}
            {tab.count !== undefined && (
              <span className="rounded-full bg-hover px-1.5 text-xs text-muted tabular-nums">
                {tab.count}
              </span>
            )}
          </Base.Tab>
        ))}
        <Base.Indicator className="absolute bottom-0 left-0 h-0.5 w-(--active-tab-width) translate-x-(--active-tab-left) bg-accent transition-all duration-150" />
      </Base.List>
      {tabs.map((tab) => (
        <Base.Panel key={tab.value} value={tab.value} className="outline-none">
          {tab.body}
        </Base.Panel>
      ))}
    </Base.Root>
  )
}
