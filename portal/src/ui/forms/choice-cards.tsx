/** A choice of one option, each with an explanation. */
import { useId } from 'react'
import { cx } from '../class-names.ts'

export interface ChoiceCardsProps<Value extends string> {
  legend: string
  value: Value
  onChange(value: NoInfer<Value>): void
  choices: readonly { value: NoInfer<Value>; title: string; about: string; disabled?: boolean }[]
}

export function ChoiceCards<Value extends string>(props: ChoiceCardsProps<Value>) {
  const { legend, value, onChange, choices } = props
  const name = useId()
  return (
    <fieldset className="flex flex-col gap-1.5">
      <legend className="mb-1.5 text-sm font-medium">{legend}</legend>
      <div className={cx('grid gap-2', choices.length === 3 ? 'sm:grid-cols-3' : 'sm:grid-cols-2')}>
        {choices.map((choice) => (
          <label
            key={choice.value}
            className={cx(
              'flex gap-3 rounded-lg border border-line-strong bg-surface p-3 transition-colors',
              'has-checked:border-accent has-checked:bg-accent-soft',
              'has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-accent',
              choice.disabled === true ? 'opacity-60' : 'cursor-pointer hover:border-faint',
            )}
          >
            <input
              type="radio"
              name={name}
              value={choice.value}
              checked={value === choice.value}
              disabled={choice.disabled}
              onChange={() => onChange(choice.value)}
              className="mt-0.5 size-4 shrink-0 accent-(--accent) outline-none"
            />
            <span>
              <span className="block font-medium">{choice.title}</span>
              <span className="block text-sm text-muted">{choice.about}</span>
            </span>
          </label>
        ))}
      </div>
    </fieldset>
  )
}
