/** The page of the company or person that owns the project. */
import { useQuery } from '@tanstack/react-query'
import { useProjectScope } from '../../api/project-scope.tsx'
import { QueryState } from '../../api/query-state.tsx'
import { useTexts } from '../../language/texts.ts'
import { ButtonLink } from '../../ui/actions/button.tsx'
import { Card } from '../../ui/display/card.tsx'
import { PageHeader } from '../../ui/display/page-header.tsx'
import { Skeleton } from '../../ui/states/skeleton.tsx'
import { CompanyForm } from './company-form.tsx'
import { companyQuery } from './queries.ts'
import { companyTexts } from './texts.ts'
import { VatCard } from './vat-card.tsx'

export function Page() {
  const t = useTexts(companyTexts)
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
