/** The country in whose notation phone numbers are typed: that of the company. */
import { useQuery } from '@tanstack/react-query'
import { useProjectScope } from '../../api/project-scope.tsx'
import { useLanguage } from '../../language/texts.ts'
import { companyQuery } from './queries.ts'

/** Without a company, Dutch means the Netherlands; otherwise numbers need their country. */
export function usePhoneCountry(): string | null {
  const language = useLanguage()
  const { data } = useQuery({ ...companyQuery(useProjectScope()), retry: false })
  return data?.address?.country ?? (language === 'nl' ? 'NL' : null)
}
