/** A bar chart. The library behind it is loaded with the first chart. */
import { lazy, Suspense } from 'react'
import { Skeleton } from '../states/skeleton.tsx'

export interface ChartSeries {
  key: string
  name: string
}

export interface ChartProps {
  /** What the chart shows, for screen readers. */
  label: string
  /** One entry for each bar: its label under `name`, and a number for each series. */
  bars: readonly Readonly<Record<string, string | number>>[]
  series: readonly ChartSeries[]
  /** Shows the series of a bar beside each other, for values that are not parts of a sum. */
  grouped?: boolean
  /** Names the colours below the chart. */
  legend?: boolean
  format(value: number): string
}

const Body = lazy(async () => ({ default: (await import('./chart-body.tsx')).ChartBody }))

export function Chart(props: ChartProps) {
  return (
    <div role="img" aria-label={props.label} className="h-60">
      <Suspense fallback={<Skeleton className="h-full" />}>
        <Body {...props} />
      </Suspense>
    </div>
  )
}
