/** A label, an input, a hint and an error, connected for screen readers. */
import { useId, type ReactElement, type ReactNode, cloneElement } from 'react'
import { useUiTexts } from '../texts.ts'

interface ControlProps {
  id?: string
  'aria-describedby'?: string | undefined
  'aria-invalid'?: boolean | undefined
}

export interface FieldProps {
  label: string
  hint?: ReactNode
  fault?: string | undefined
  optional?: boolean
  children: ReactElement<ControlProps>
}

export function Field({ label, hint, fault, optional = false, children }: FieldProps) {
  const t = useUiTexts()
  const id = useId()
  const note = fault ?? hint
  const control = cloneElement(children, {
    id,
    'aria-describedby': note === undefined ? undefined : `${id}-note`,
    'aria-invalid': fault === undefined ? undefined : true,
  })
  return (
    <div className="flex flex-col gap-1.5">
      <label htmlFor={id} className="text-sm font-medium">
        {label}
        {optional && <span className="font-normal text-faint"> · {t('optional')}</span>}
      </label>
      {control}
      {note !== undefined && (
        <p
          id={`${id}-note`}
          className={fault === undefined ? 'text-sm text-muted' : 'text-sm text-bad'}
        >
          {note}
        </p>
      )}
    </div>
  )
}
