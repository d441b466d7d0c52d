/** The account at a provider: its state, what real payments still need, and connecting it. */
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { ConfirmedAct } from '../../api/confirmed-act.tsx'
import { useAct } from '../../api/mutations.tsx'
import { useProjectScope } from '../../api/project-scope.tsx'
import { QueryState } from '../../api/query-state.tsx'
import { Button, ButtonLink } from '../../ui/actions/button.tsx'
import { Badge } from '../../ui/display/badge.tsx'
import { Card } from '../../ui/display/card.tsx'
import { Facts } from '../../ui/display/facts.tsx'
import { ConnectAccount } from './connect-account.tsx'
import { readable, useMethodNames } from './method-names.ts'
import { accountQuery, connectAccount, paymentsKey, type PaymentAccount } from './queries.ts'
import { usePaymentTexts } from './texts.ts'

export function AccountCard() {
  const t = usePaymentTexts()
  const query = useQuery(accountQuery(useProjectScope()))
  return (
    <Card title={t('account')} about={t('account_about')}>
      <QueryState query={query}>{(account) => <Account account={account} />}</QueryState>
    </Card>
  )
}

function Account({ account }: { account: PaymentAccount }) {
  const t = usePaymentTexts()
  const scope = useProjectScope()
  const methodNames = useMethodNames()
  const { status, mode, methods, missing, missing_at_provider } = account
  // Test orders need no account, so the API reports the built-in one. Here it would look connected.
  const isMissing = missing.includes('account')
  const provider = isMissing ? null : account.provider
  const shown = isMissing ? 'not_connected' : status
  const state = shown === 'pending' ? 'state_pending' : shown
  return (
    <div className="flex flex-col gap-5">
      <Facts
        facts={[
          [t('provider'), provider === null ? t('no_provider') : t(provider)],
          [
            t('account_status'),
            <Badge tone={shown === 'active' ? 'good' : 'warn'}>{t(state)}</Badge>,
          ],
          [t('mode_label'), t(`mode_${mode}`)],
          ...(methods.length > 0 && provider !== 'builtin'
            ? [[t('methods'), methodNames(methods)] as const]
            : []),
        ]}
      />
      {missing.length > 0 && (
        <ul className="flex flex-col gap-3">
          {missing.map((code) => (
            <li key={code} className="flex flex-wrap items-center gap-3 text-muted">
              {code === 'provider'
                ? t('missing_provider', { what: missing_at_provider.map(readable).join(', ') })
                : t(`missing_${code}`)}
              {code === 'go_live' && (
                <ButtonLink size="sm" to={scope.link('/go-live')}>
                  {t('go_live')}
                </ButtonLink>
              )}
            </li>
          ))}
        </ul>
      )}
      {scope.may('owner') &&
        (scope.mode === 'live' ? (
          <Connection account={account} />
        ) : (
          <p className="text-muted">{t('connect_in_live')}</p>
        ))}
    </div>
  )
}

function Connection({ account }: { account: PaymentAccount }) {
  const t = usePaymentTexts()
  const scope = useProjectScope()
  const refresh = [paymentsKey(scope)]
  const [connects, setConnects] = useState(false)
  const { provider } = account
  const check = useAct({
    run: () => connectAccount(scope, { provider }),
    done: t('checked_done'),
    refresh,
  })
  if (account.connected_at !== null) {
    return (
      <div className="flex flex-wrap gap-2">
        {account.checked_at !== null && (
          <Button busy={check.isPending} onClick={() => check.mutate(undefined)}>
            {t('check_again')}
          </Button>
        )}
        <ConfirmedAct
          text={t('disconnect')}
          title={t('disconnect_title')}
          about={t('disconnect_about')}
          run={() => connectAccount(scope, { provider: null })}
          done={t('disconnected_done')}
          refresh={refresh}
        />
      </div>
    )
  }
  return (
    <>
      <Button className="self-start" kind="primary" onClick={() => setConnects(true)}>
        {t('connect')}
      </Button>
      {connects && <ConnectAccount onClose={() => setConnects(false)} />}
    </>
  )
}
