/** The names of the members of the team. */
import { useQuery } from '@tanstack/react-query'
import { useProjectScope } from '../../api/project-scope.tsx'
import { meQuery } from '../../api/session.ts'
import { membersQuery } from '../team/queries.ts'
import { useInboxTexts } from './texts.ts'

/** Returns a function from a person id to the name; null if the person has left the team. */
export function usePersonName(): (person_id: string) => string | null {
  const t = useInboxTexts()
  const { data: me } = useQuery(meQuery)
  const { data: members } = useQuery(membersQuery(useProjectScope()))
  return (person_id) => {
    const member = members?.find((one) => one.person_id === person_id)
    return person_id === me?.person.id ? t('you') : (member?.name ?? member?.email ?? null)
  }
}
