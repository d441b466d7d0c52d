/** The queue of verifications, and the review of one. */
import { useQuery } from '@tanstack/react-query'
import { ShieldCheck } from 'lucide-react'
import { useState } from 'react'
import { ListTable } from '../../../api/list-table.tsx'
import { Badge, type Tone } from '../../../ui/display/badge.tsx'
import { Card } from '../../../ui/display/card.tsx'
import { Moment } from '../../../ui/display/moment.tsx'
import { PageHeader } from '../../../ui/display/page-header.tsx'
import type { Column } from '../../../ui/display/table.tsx'
import { Select } from '../../../ui/forms/select.tsx'
import { RecordDrawer } from '../../../ui/overlays/drawer.tsx'
import { useLevelTexts } from '../../company/level-texts.ts'
import { verificationsQuery, type Verification } from './queries.ts'
import { ReviewDetail } from './review-detail.tsx'
import { useVerificationsTexts } from './texts.ts'

const tones: Readonly<Record<Verification['status'], Tone>> = {
  pending: 'warn',
  approved: 'good',
  rejected: 'bad',
  withdrawn: 'neutral',
}

export function Page() {
  const t = useVerificationsTexts()
  const [shown, setShown] = useState<'waiting' | 'all'>('waiting')
  const [chosen, setChosen] = useState<Verification | null>(null)
  const query = useQuery(verificationsQuery(shown === 'waiting'))
  return (
    <>
      <PageHeader title={t('title')} about={t('about')} />
      <Card flush>
        <div className="w-52 px-5 pt-2 pb-4">
          <Select
            label={t('filter')}
            value={shown}
            onChange={setShown}
            choices={[
              { value: 'waiting', text: t('waiting') },
              { value: 'all', text: t('all') },
            ]}
          />
        </div>
        <ListTable
          query={query}
          label={t('title')}
          columns={useColumns(setChosen)}
          icon={<ShieldCheck aria-hidden="true" />}
          empty={{ title: t('none'), about: t('none_about') }}
          onOpen={(row) => setChosen(row)}
        />
      </Card>
      <RecordDrawer
        record={chosen}
        onClose={() => setChosen(null)}
        title={({ project_name }) => project_name}
      >
        {({ id }) => <ReviewDetail id={id} onDone={() => setChosen(null)} />}
      </RecordDrawer>
    </>
  )
}

function useColumns(onOpen: (row: Verification) => void): Column<Verification>[] {
  const t = useVerificationsTexts()
  const levels = useLevelTexts()
  return [
    {
      id: 'project',
      title: t('project'),
      cell: (row) => (
        <button type="button" onClick={() => onOpen(row)} className="group text-left">
          <span className="block font-medium group-hover:text-accent">{row.project_name}</span>
          <span className="block text-sm text-muted">{levels(`level_${row.level}`)}</span>
        </button>
      ),
    },
    {
      id: 'state',
      title: t('state'),
      cell: ({ status }) => <Badge tone={tones[status]}>{t(status)}</Badge>,
    },
    {
      id: 'sent',
      title: t('sent'),
      align: 'right',
      from: 'sm',
      cell: ({ submitted_at }) => <Moment at={submitted_at} />,
    },
  ]
}
