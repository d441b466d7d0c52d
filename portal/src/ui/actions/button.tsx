/** Buttons, and links that look like buttons. */
import { LoaderCircle } from 'lucide-react'
import type { ComponentProps, ReactNode } from 'react'
import { Link } from '@tanstack/react-router'
import { cx } from '../class-names.ts'

export type ButtonKind = 'primary' | 'secondary' | 'ghost' | 'danger'
export type ButtonSize = 'sm' | 'md' | 'icon'

interface Look {
  kind?: ButtonKind
  size?: ButtonSize
}

const kinds: Readonly<Record<ButtonKind, string>> = {
  primary: 'bg-accent text-on-accent shadow-card hover:bg-accent-hover',
  secondary: 'border border-line-strong bg-surface text-fg shadow-card hover:bg-hover',
  ghost: 'text-muted hover:bg-hover hover:text-fg',
  danger: 'bg-bad-solid text-white shadow-card hover:brightness-90',
}

const sizes: Readonly<Record<ButtonSize, string>> = {
  sm: 'h-8 px-2.5 text-sm gap-1.5',
  md: 'h-9 px-3.5 text-base gap-2',
  icon: 'size-9 justify-center',
}

export function buttonClass({ kind = 'secondary', size = 'md' }: Look = {}): string {
  return cx(
    'inline-flex shrink-0 items-center justify-center rounded-lg font-medium whitespace-nowrap',
    'transition-colors duration-100 select-none no-underline disabled:opacity-55',
    '[&_svg]:size-4 [&_svg]:shrink-0',
    kinds[kind],
    sizes[size],
  )
}

export interface ButtonProps extends ComponentProps<'button'>, Look {
  /** Shows a spinner and ignores clicks. */
  busy?: boolean
}

export function Button({ kind, size, busy = false, className, children, ...rest }: ButtonProps) {
  return (
    <button
      type="button"
      {...rest}
      disabled={rest.disabled === true || busy}
      aria-busy={busy || undefined}
      className={cx(buttonClass({ ...(kind && { kind }), ...(size && { size }) }), className)}
    >
      {busy && <LoaderCircle className="animate-spin" aria-hidden="true" />}
      {children}
    </button>
  )
}

/** A link to a page of the portal. */
export function ButtonLink({
  to,
  hash,
  search,
  kind = 'secondary',
  size = 'md',
  children,
}: Look & {
  to: string
  hash?: string
  search?: Readonly<Record<string, string>>
  children: ReactNode
}) {
  return (
    <Link
      to={to}
      {...(hash !== undefined && { hash })}
      {...(search && { search })}
      className={buttonClass({ kind, size })}
    >
      {children}
    </Link>
  )
}

/** A link to a page rendered by the server. */
export function ButtonAnchor({ kind, size, className, ...rest }: ComponentProps<'a'> & Look) {
  const look = buttonClass({ ...(kind && { kind }), ...(size && { size }) })
  return <a {...rest} className={cx(look, className)} />
}
