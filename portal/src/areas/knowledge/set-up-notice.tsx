/** Says that nobody is answered from the knowledge before the assistant is set up. */
import { useQuery } from '@tanstack/react-query'
import { Info } from 'lucide-react'
import { useProjectScope } from '../../api/project-scope.tsx'
import { useTexts } from '../../language/texts.ts'
import { ButtonLink } from '../../ui/actions/button.tsx'
import { assistantQuery } from '../assistant/queries.ts'
import { knowledgeTexts } from './texts.ts'

export function SetUpNotice() {
  const t = useTexts(knowledgeTexts)
  const scope = useProjectScope()
  const { data } = useQuery(assistantQuery(scope))
  if (data === undefined || data.configured) return null
  return (
    <div
      role="status"
      className="mb-6 flex flex-wrap items-center gap-x-4 gap-y-3 rounded-xl border border-line bg-info-soft p-4"
    >
      <Info aria-hidden="true" className="size-5 shrink-0" />
      <p className="min-w-56 flex-1">{t('not_set_up')}</p>
      <ButtonLink to={scope.link('/assistant')}>{t('set_up')}</ButtonLink>
    </div>
  )
}
