/** The use of the limits of knowledge. */
import { useQuery } from '@tanstack/react-query'
import { useProjectScope } from '../../api/project-scope.tsx'
import { QueryState } from '../../api/query-state.tsx'
import { useFormat } from '../../language/format.ts'
import { Card } from '../../ui/display/card.tsx'
import { ProgressBar } from '../../ui/display/progress-bar.tsx'
import { usageQuery, type Usage } from './queries.ts'
import { useKnowledgeTexts } from './texts.ts'

export function UsageCard() {
  const t = useKnowledgeTexts()
  const query = useQuery(usageQuery(useProjectScope()))
  return (
    <Card title={t('limits')}>
      <QueryState query={query}>{(usage) => <Meters usage={usage} />}</QueryState>
    </Card>
  )
}

function Meters({ usage }: { usage: Usage }) {
  const t = useKnowledgeTexts()
  const format = useFormat()
  const { sources, chunks, documents } = usage
  const meters = [
    { label: t('limit_sources'), ...sources },
    { label: t('limit_chunks'), ...chunks },
    { label: t('limit_documents'), ...documents },
  ]
  return (
    <div className="flex flex-col gap-4 text-sm">
      {meters.map(({ label, used, max }) => (
        <div key={label}>
          <p className="mb-1.5 flex justify-between gap-2">
            <span className="text-muted">{label}</span>
            <span className="tabular-nums">
              {t('used_of', { used: format.number(used), max: format.number(max) })}
            </span>
          </p>
          <ProgressBar label={label} value={Math.min(1, used / max)} />
        </div>
      ))}
      <p className="text-muted">
        {t('limits_about', {
          pages: format.number(usage.pages_max),
          characters: format.number(usage.text_characters_max),
          size: format.limitBytes(usage.document_bytes_max),
        })}
      </p>
    </div>
  )
}
