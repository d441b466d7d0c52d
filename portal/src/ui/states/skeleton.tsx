/** The shape of something that is being loaded. */
import { cx } from '../class-names.ts'
import { useUiTexts } from '../texts.ts'

export function Skeleton({ className }: { className?: string }) {
  return (
    <span aria-hidden="true" className={cx('block animate-pulse rounded-md bg-hover', className)} />
  )
}

/** Rows of a list that is being loaded. */
export function SkeletonRows({ rows = 5 }: { rows?: number }) {
  const t = useUiTexts()
  return (
    <div role="status" aria-label={t('loading')} className="flex flex-col gap-4 p-5">
      {Array.from({ length: rows }, (_, index) => (
        <div key={index} className="flex items-center gap-4">
          <Skeleton className="h-4 w-1/4" />
          <Skeleton className="h-4 w-1/3" />
          <Skeleton className="ml-auto h-4 w-16" />
        </div>
      ))}
    </div>
  )
}
