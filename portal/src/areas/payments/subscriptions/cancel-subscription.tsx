/** The button that cancels a subscription. */
import { useAct } from '../../../api/mutations.tsx'
import { useProjectScope } from '../../../api/project-scope.tsx'
import { useTexts } from '../../../language/texts.ts'
import { ConfirmedButton } from '../../../ui/actions/confirmed-button.tsx'
import { paymentsKey } from '../queries.ts'
import { cancelSubscription } from './subscription-queries.ts'
import { subscriptionTexts } from './subscription-texts.ts'

export function CancelSubscription({ id }: { id: string }) {
  const t = useTexts(subscriptionTexts)
  const scope = useProjectScope()
  const act = useAct({
    run: () => cancelSubscription(scope, id),
    done: t('canceled_done'),
    refresh: [paymentsKey(scope)],
  })
  return (
    <ConfirmedButton
      text={t('cancel')}
      title={t('cancel_title')}
      about={t('cancel_about')}
      busy={act.isPending}
      onConfirm={() => act.mutate(undefined)}
    />
  )
}
