/** The sites that were taken offline, each with its reason and the page of the appeal. */
import { useQuery } from '@tanstack/react-query'
import { useProjectScope } from '../../api/project-scope.tsx'
import { useTexts } from '../../language/texts.ts'
import { ButtonAnchor } from '../../ui/actions/button.tsx'
import { offlineSitesQuery } from './queries.ts'
import { homeTexts } from './texts.ts'

export function OfflineSites() {
  const t = useTexts(homeTexts)
  const { data = [] } = useQuery(offlineSitesQuery(useProjectScope()))
  return data.map(({ id, slug, reason, appeal_url }) => (
    <div
      key={id}
      role="status"
      className="flex flex-wrap items-center gap-x-4 gap-y-3 rounded-xl bg-bad-soft px-5 py-4 text-bad"
    >
      <p className="min-w-48 flex-1">
        <b className="font-semibold">{t('site_offline', { slug })}</b> {reason}
      </p>
      <ButtonAnchor size="sm" href={appeal_url}>
        {t('appeal')}
      </ButtonAnchor>
    </div>
  ))
}
