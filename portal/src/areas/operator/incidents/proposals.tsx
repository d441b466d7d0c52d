/** Incidents that failed checks propose, and the end of incidents whose components work again. */
import { useQuery } from '@tanstack/react-query'
import { Lightbulb } from 'lucide-react'
import { useAct } from '../../../api/mutations.tsx'
import { useLanguage } from '../../../language/texts.ts'
import { Button } from '../../../ui/actions/button.tsx'
import { Card } from '../../../ui/display/card.tsx'
import { Moment } from '../../../ui/display/moment.tsx'
import { operatorKey } from '../queries.ts'
import type { Prepared } from './incident-drawer.tsx'
import { dismissProposal, proposalsQuery, type NewIncident, type Proposal } from './queries.ts'
import { useIncidentTexts } from './texts.ts'

export interface ProposalsProps {
  onReport(first: NewIncident): void
  onResolve(incident_id: string, prepared: Prepared): void
}

export function Proposals(props: ProposalsProps) {
  const t = useIncidentTexts()
  const { data } = useQuery(proposalsQuery)
  if (data === undefined || data.length === 0) return null
  return (
    <Card flush title={t('proposals')} about={t('proposals_about')}>
      <ul className="divide-y divide-line border-t border-line">
        {data.map((proposal) => (
          <ProposalRow key={proposal.id} proposal={proposal} {...props} />
        ))}
      </ul>
    </Card>
  )
}

function ProposalRow({ proposal, onReport, onResolve }: ProposalsProps & { proposal: Proposal }) {
  const t = useIncidentTexts()
  const language = useLanguage()
  const { id, kind, components, impact, incident_id, since, texts } = proposal
  const { title, message } = texts[language]
  const act = useAct({
    run: () => dismissProposal(id),
    done: t('dismissed'),
    refresh: [operatorKey],
  })
  const use = () => {
    if (kind === 'resolve' && incident_id !== null)
      onResolve(incident_id, { proposal_id: id, message })
    else onReport({ title, message, components, impact, state: 'investigating', proposal_id: id })
  }
  return (
    <li className="flex flex-wrap items-start gap-x-4 gap-y-3 px-5 py-4">
      <Lightbulb className="mt-0.5 size-5 shrink-0 text-warn" aria-hidden="true" />
      <div className="min-w-0 flex-1 basis-60">
        <p className="font-medium">{kind === 'resolve' ? t('resolve') : title}</p>
        <p className="break-words text-muted">{message}</p>
        <p className="text-sm text-faint">
          {t('proposal_since')} <Moment at={since} />
        </p>
      </div>
      <div className="flex gap-2">
        <Button size="sm" busy={act.isPending} onClick={() => act.mutate(undefined)}>
          {t('dismiss')}
        </Button>
        <Button size="sm" kind="primary" onClick={use}>
          {t('use')}
        </Button>
      </div>
    </li>
  )
}
