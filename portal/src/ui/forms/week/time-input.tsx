/** An input for a time of day. Arrow keys change it by a quarter of an hour. */
import { useState } from 'react'
import { Input } from '../input.tsx'
import { DAY_MINUTES, readTime, STEP_MINUTES, timeOf } from './spans.ts'

export interface TimeInputProps {
  label: string
  /** The time in minutes after midnight. */
  value: number
  disabled?: boolean
  onChange(value: number): void
}

/** An invalid text is replaced by the last valid time when the input loses the focus. */
export function TimeInput({ label, value, disabled, onChange }: TimeInputProps) {
  const [text, setText] = useState<string | null>(null)
  const keep = () => {
    const read = text === null ? null : readTime(text)
    setText(null)
    if (read !== null && read !== value) onChange(read)
  }
  const step = (by: number) => {
    setText(null)
    onChange(Math.min(Math.max(value + by, 0), DAY_MINUTES))
  }
  return (
    <Input
      aria-label={label}
      inputMode="numeric"
      autoComplete="off"
      disabled={disabled}
      className="w-17! px-2! text-center tabular-nums"
      value={text ?? timeOf(value)}
      onFocus={({ target }) => target.select()}
      onChange={({ target }) => setText(target.value)}
      onBlur={keep}
      onKeyDown={(event) => {
        if (event.key === 'Enter') keep()
        if (event.key !== 'ArrowUp' && event.key !== 'ArrowDown') return
        event.preventDefault()
        step(event.key === 'ArrowUp' ? STEP_MINUTES : -STEP_MINUTES)
      }}
    />
  )
}
