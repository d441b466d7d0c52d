/** Text inputs. */
import type { ComponentProps } from 'react'
import { cx } from '../class-names.ts'

export function Input({ className, ...rest }: ComponentProps<'input'>) {
  return <input {...rest} className={cx('control', className)} />
}

/** An input for a one-time code that was mailed or that an authenticator app shows. */
export function CodeInput(props: ComponentProps<'input'>) {
  return (
    <Input
      className="font-mono tracking-widest"
      inputMode="numeric"
      autoComplete="one-time-code"
      maxLength={20}
      {...props}
    />
  )
}

export function Textarea({ className, ...rest }: ComponentProps<'textarea'>) {
  return <textarea rows={3} {...rest} className={cx('control py-2', className)} />
}

export interface MoneyInputProps extends ComponentProps<'input'> {
  currency?: string
}

/** An input for an amount, with the currency before it. */
export function MoneyInput({ currency = '€', className, ...rest }: MoneyInputProps) {
  return (
    <span className="relative block">
      <span
        aria-hidden="true"
        className="pointer-events-none absolute inset-y-0 left-3 flex items-center text-muted"
      >
        {currency}
      </span>
      <input inputMode="decimal" {...rest} className={cx('control pl-7 tabular-nums', className)} />
    </span>
  )
}
