/** The control in a cell that is being edited, and the reason why the server refused its value. */
import { useEffect, useRef, useState, type KeyboardEvent } from 'react'
import { cx } from '../../../ui/class-names.ts'
import type { DataField } from '../fields.ts'
import { useGridTexts } from './texts.ts'

/** Where the focus goes after the edit. */
export type Leave = 'stay' | 'down' | 'right' | 'left' | 'blur'

export interface CellEditorProps {
  field: DataField
  text: string
  fault: string | null
  onSave(text: string, leave: Leave): void
  onCancel(): void
}

export function CellEditor({ field, text, fault, onSave, onCancel }: CellEditorProps) {
  const [draft, setDraft] = useState(text)
  const control = useRef<HTMLElement | null>(null)
  const hasEnded = useRef(false)
  useEffect(() => control.current?.focus(), [])
  const save = (value: string, leave: Leave) => {
    if (hasEnded.current) return
    hasEnded.current = true
    onSave(value, leave)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    event.stopPropagation()
    if (event.key === 'Escape') {
      hasEnded.current = true
      onCancel()
    } else if (event.key === 'Enter' && !event.shiftKey) {
      event.preventDefault()
      save(draft, 'down')
    } else if (event.key === 'Tab') {
      event.preventDefault()
      save(draft, event.shiftKey ? 'left' : 'right')
    }
  }
  const shared = {
    'aria-label': field.title,
    'aria-invalid': fault === null ? undefined : true,
    'aria-describedby': fault === null ? undefined : 'cell-fault',
    value: draft,
    onKeyDown,
    onBlur: () => save(draft, 'blur'),
    className: cx(
      'absolute inset-0 z-10 h-full w-full bg-surface px-3 outline-2 -outline-offset-2',
      fault === null ? 'outline-accent' : 'outline-bad',
      field.kind === 'long' && 'h-28! py-2 shadow-pop',
    ),
  } as const
  const controlProps = {
    ...shared,
    ref: (node: HTMLElement | null) => void (control.current = node),
  }
  return (
    <>
      <Control
        field={field}
        shared={controlProps}
        onType={setDraft}
        onChoose={(value) => save(value, 'stay')}
      />
      {fault !== null && (
        <p
          id="cell-fault"
          role="alert"
          className="absolute top-full left-0 z-20 mt-1 w-max max-w-72 rounded-lg bg-bad-soft px-3 py-1.5 text-sm text-fg shadow-pop"
        >
          {fault}
        </p>
      )}
    </>
  )
}

interface ControlProps {
  field: DataField
  shared: {
    ref(node: HTMLElement | null): void
    value: string
    onKeyDown(event: KeyboardEvent): void
    onBlur(): void
    className: string
  }
  onType(text: string): void
  onChoose(value: string): void
}

function Control({ field, shared, onType, onChoose }: ControlProps) {
  const t = useGridTexts()
  if (field.kind === 'choice' || field.kind === 'boolean') {
    return (
      <select
        {...shared}
        onChange={({ target }) => {
          onType(target.value)
          onChoose(target.value)
        }}
      >
        <option value="">–</option>
        {optionsOf(field, { true: t('yes'), false: t('no') }).map(([value, title]) => (
          <option key={value} value={value}>
            {title}
          </option>
        ))}
      </select>
    )
  }
  const onChange = ({ target }: { target: { value: string } }) => onType(target.value)
  if (field.kind === 'long') return <textarea {...shared} onChange={onChange} />
  return (
    <input
      {...shared}
      type={field.kind === 'date' ? 'date' : 'text'}
      {...(field.kind === 'number' && { inputMode: 'decimal' as const })}
      onChange={onChange}
    />
  )
}

function optionsOf(
  { kind, choices }: DataField,
  booleans: Readonly<Record<string, string>>,
): (readonly [string, string])[] {
  return kind === 'boolean' ? Object.entries(booleans) : choices.map((one) => [one, one] as const)
}
