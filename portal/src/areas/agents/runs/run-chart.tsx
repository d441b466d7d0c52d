/** The newest runs of an agent by day, as a chart; nothing before the second run. */
import { useInfiniteQuery } from '@tanstack/react-query'
import { useProjectScope } from '../../../api/project-scope.tsx'
import { useTexts } from '../../../language/texts.ts'
import { Card } from '../../../ui/display/card.tsx'
import { Chart } from '../../../ui/display/chart.tsx'
import { runsQuery, type ListedRun } from '../queries.ts'
import { agentTexts } from '../texts.ts'

export function RunChart({ agent_id }: { agent_id: string }) {
  const t = useTexts(agentTexts)
  const { data } = useInfiniteQuery(runsQuery(useProjectScope(), agent_id))
  const runs = (data?.pages ?? []).flatMap((page) => page.data).filter(({ dry_run }) => !dry_run)
  if (runs.length < 2) return null
  return (
    <Card title={t('chart')}>
      <Chart
        label={t('chart')}
        bars={barsOf(runs)}
        series={[
          { key: 'done', name: t('chart_done') },
          { key: 'other', name: t('chart_rest') },
        ]}
        format={String}
      />
    </Card>
  )
}

function barsOf(runs: readonly ListedRun[]) {
  const days = Map.groupBy(runs, ({ created_at }) => created_at.slice(0, 10))
  return [...days].toReversed().map(([name, of]) => {
    const done = of.filter(({ status }) => status === 'completed').length
    return { name, done, other: of.length - done }
  })
}
