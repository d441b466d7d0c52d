/** A select: a choice of one from a list. */
import { lazy, Suspense, type ComponentType } from 'react'
import type { SelectProps } from './select-parts.tsx'

const load = async () => ({ default: (await import('./select-parts.tsx')).SelectParts })
const Parts: ComponentType<SelectProps<string>> = lazy(load)

export function Select<Value extends string>({ onChange, ...rest }: SelectProps<Value>) {
  const { value, choices } = rest
  const chosen = choices.find((choice) => choice.value === value)
  const choose = (next: string) => {
    const choice = choices.find((one) => one.value === next)
    if (choice !== undefined) onChange(choice.value)
  }
  return (
    <Suspense fallback={<div className="control flex items-center">{chosen?.text}</div>}>
      <Parts {...rest} onChange={choose} />
    </Suspense>
  )
}
