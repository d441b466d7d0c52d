/** A list of checkboxes. */
import { cx } from '../class-names.ts'

export interface CheckListProps<Value extends string> {
  legend: string
  values: readonly Value[]
  onChange(values: Value[]): void
  choices: readonly { value: Value; text: string; hint?: string }[]
  /** Shows all choices, without a scrollbar of its own. */
  whole?: boolean
}

export function CheckList<Value extends string>(props: CheckListProps<Value>) {
  const { legend, values, onChange, choices, whole = false } = props
  const toggle = (value: Value) =>
    onChange(values.includes(value) ? values.filter((one) => one !== value) : [...values, value])
  return (
    <fieldset>
      <legend className="mb-1.5 text-sm font-medium">{legend}</legend>
      <div
        className={cx(
          'rounded-lg border border-line-strong p-1.5',
          !whole && 'max-h-60 overflow-y-auto',
        )}
      >
        {choices.map(({ value, text, hint }) => (
          <label
            key={value}
            className="flex cursor-pointer items-start gap-2.5 rounded-md px-2 py-1.5 hover:bg-hover"
          >
            <input
              type="checkbox"
              checked={values.includes(value)}
              onChange={() => toggle(value)}
              className="mt-0.5 size-4 shrink-0 accent-(--accent)"
            />
            <span>
              <span className="block">{text}</span>
              {hint !== undefined && <span className="block text-sm text-muted">{hint}</span>}
            </span>
          </label>
        ))}
      </div>
    </fieldset>
  )
}
