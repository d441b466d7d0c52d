/** The page of the company or person that owns the project. */
import { useQuery } from '@tanstack/react-query'
import { useProjectScope } from '../../api/project-scope.tsx'
import { QueryState } from '../../api/query-state.tsx'
import { useFormat } from '../../language/format.ts'
import { ButtonLink } from '../../ui/actions/button.tsx'
import { Badge } from '../../ui/display/badge.tsx'
import { Card } from '../../ui/display/card.tsx'
import { PageHeader } from '../../ui/display/page-header.tsx'
import { Skeleton } from '../../ui/states/skeleton.tsx'
import { CompanyForm } from './company-form.tsx'
import { companyQuery, type Company } from './queries.ts'
import { useCompanyTexts } from './texts.ts'

const tones = {
  not_required: 'neutral',
  unverified: 'warn',
  valid: 'good',
  invalid: 'bad',
} as const

export function Page() {
  const t = useCompanyTexts()
  const scope = useProjectScope()
  const company = useQuery(companyQuery(scope))
  return (
    <>
      <PageHeader title={t('title')} about={t('about')} />
      <div className="grid items-start gap-6 xl:grid-cols-[1fr_24rem]">
        <QueryState query={company} loading={<Skeleton className="h-130 rounded-xl!" />}>
          {(saved) => <CompanyForm saved={saved} />}
        </QueryState>
        <div className="flex min-w-0 flex-col gap-6">
          {company.data && <VatCard company={company.data} />}
          <Card title={t('verification')} about={t('verification_about')}>
            <ButtonLink to={scope.link('/verification')}>{t('verification_open')}</ButtonLink>
          </Card>
        </div>
      </div>
    </>
  )
}

/** The result of the check of the VAT number by the service of the European Union. */
function VatCard({ company: { vat_number, vat_status, vat_checked_at } }: { company: Company }) {
  const t = useCompanyTexts()
  const format = useFormat()
  return (
    <Card
      title={t('vat')}
      aside={
        <Badge tone={tones[vat_status]} dot>
          {t(`vat_${vat_status}`)}
        </Badge>
      }
    >
      {vat_number !== null && <p className="font-mono">{vat_number}</p>}
      <p className="text-sm text-muted">
        {t(vat_number === null ? 'vat_none_about' : `vat_${vat_status}_about`)}
        {vat_checked_at !== null && ` ${t('vat_checked', { when: format.moment(vat_checked_at) })}`}
      </p>
    </Card>
  )
}
