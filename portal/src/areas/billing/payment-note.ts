/** Whether money is real, where a reader could think otherwise. */
import { useQuery } from '@tanstack/react-query'
import { useProjectScope } from '../../api/project-scope.tsx'
import { meQuery } from '../../api/session.ts'
import { useBillingTexts } from './texts.ts'

/** null in live mode on a server with a real payment provider. */
export function usePaymentNote(): string | null {
  const t = useBillingTexts()
  const { mode } = useProjectScope()
  const { data: me } = useQuery(meQuery)
  if (me === undefined) return null
  if (me.simulated.payments) return t('money_simulated')
  return mode === 'test' ? t('money_real') : null
}
