/**
 * The rendering of a chart. It is a separate module, because its library is large and loaded later.
 */
import {
  Bar,
  BarChart,
  CartesianGrid,
  Legend,
  ResponsiveContainer,
  Tooltip,
  XAxis,
  YAxis,
} from 'recharts'
import type { ChartProps } from './chart.tsx'

const colours = [1, 2, 3, 4, 5].map((index) => `var(--series-${index})`)
const tick = { fill: 'var(--faint)', fontSize: 12 }

export function ChartBody({ bars, series, grouped = false, legend = false, format }: ChartProps) {
  return (
    <ResponsiveContainer width="100%" height="100%">
      <BarChart
        data={[...bars]}
        margin={{ top: 8, right: 0, bottom: 0, left: 0 }}
        {...(grouped && { barGap: 1, barCategoryGap: '15%' })}
        accessibilityLayer={false}
      >
        <CartesianGrid vertical={false} stroke="var(--line)" />
        <XAxis dataKey="name" tickLine={false} axisLine={false} tick={tick} dy={6} />
        <YAxis
          width={64}
          tickLine={false}
          axisLine={false}
          tick={tick}
          tickCount={4}
          tickFormatter={(value: number) => format(value)}
        />
        <Tooltip
          cursor={{ fill: 'var(--hover)' }}
          contentStyle={{
            background: 'var(--raised)',
            border: '1px solid var(--line)',
            borderRadius: 10,
            fontSize: 13,
          }}
          labelStyle={{ color: 'var(--fg)', fontWeight: 600 }}
          itemStyle={{ color: 'var(--muted)' }}
          formatter={(value) => format(Number(value))}
        />
        {legend && (
          <Legend
            iconType="circle"
            iconSize={8}
            formatter={(name: string) => <span className="text-sm text-muted">{name}</span>}
          />
        )}
        {series.map(({ key, name }, index) => (
          <Bar
            key={key}
            dataKey={key}
            name={name}
            {...(!grouped && { stackId: 'all' })}
            fill={colours[index % colours.length] ?? 'var(--accent)'}
            maxBarSize={36}
            radius={grouped || index === series.length - 1 ? [4, 4, 0, 0] : 0}
            isAnimationActive={false}
          />
        ))}
      </BarChart>
    </ResponsiveContainer>
  )
}
