/** A progress bar; without a value it shows only that work is in progress. */
import { cx } from '../class-names.ts'

export interface ProgressBarProps {
  label: string
  /** From 0 to 1; null if it is unknown. */
  value: number | null
}

export function ProgressBar({ label, value }: ProgressBarProps) {
  const percent = value === null ? null : Math.round(value * 100)
  return (
    <div
      role="progressbar"
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={percent ?? undefined}
      className="h-1.5 overflow-hidden rounded-full bg-hover"
    >
      <div
        className={cx(
          'h-full rounded-full bg-accent transition-[width]',
          percent === null && 'w-1/3 animate-pulse',
        )}
        {...(percent !== null && { style: { width: `${percent}%` } })}
      />
    </div>
  )
}
