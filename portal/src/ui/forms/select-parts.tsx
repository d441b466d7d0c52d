/**
 * The select component. select.tsx loads it lazily, because the positioning code of its list is
 * large.
 */
import { Select as Base } from '@base-ui/react/select'
import { Check, ChevronsUpDown } from 'lucide-react'

export interface SelectProps<Value extends string> {
  value: Value
  onChange(value: NoInfer<Value>): void
  choices: readonly { value: NoInfer<Value>; text: string; hint?: string }[]
  id?: string
  label?: string
  'aria-describedby'?: string | undefined
  'aria-invalid'?: boolean | undefined
}

export function SelectParts<Value extends string>(props: SelectProps<Value>) {
  const { value, onChange, choices, label, ...rest } = props
  const items = choices.map(({ value, text }) => ({ value, label: text }))
  return (
    <Base.Root
      items={items}
      value={value}
      onValueChange={(next) => {
        if (next !== null) onChange(next)
      }}
    >
      <Base.Trigger
        {...rest}
        aria-label={label}
        className="control flex items-center justify-between gap-2 text-left"
      >
        <Base.Value />
        <Base.Icon>
          <ChevronsUpDown className="size-4 text-faint" aria-hidden="true" />
        </Base.Icon>
      </Base.Trigger>
      <Base.Portal>
        <Base.Positioner sideOffset={6} alignItemWithTrigger={false} className="z-60 outline-none">
          <Base.Popup className="pop max-h-80 max-w-(--available-width) min-w-(--anchor-width) origin-(--transform-origin) overflow-y-auto rounded-xl bg-raised p-1.5 shadow-pop outline-none">
            {choices.map(({ value, text, hint }) => (
              <Base.Item
                key={value}
                value={value}
                className="flex cursor-default items-start gap-2 rounded-lg px-2.5 py-1.5 outline-none select-none data-highlighted:bg-hover"
              >
                <span className="flex-1">
                  <Base.ItemText>{text}</Base.ItemText>
                  {hint !== undefined && <span className="block text-sm text-muted">{hint}</span>}
                </span>
                <Base.ItemIndicator className="pt-0.5">
                  <Check className="size-4 text-accent" aria-hidden="true" />
                </Base.ItemIndicator>
              </Base.Item>
            ))}
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  )
}
