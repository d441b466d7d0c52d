/** The authenticator app of the signed-in person: its state, recovery codes and removal. */
import { useState } from 'react'
import { useAct } from '../../../api/mutations.tsx'
import { useTexts } from '../../../language/texts.ts'
import { Button } from '../../../ui/actions/button.tsx'
import { Badge } from '../../../ui/display/badge.tsx'
import { Card } from '../../../ui/display/card.tsx'
import { AlertDialog } from '../../../ui/overlays/alert-dialog.tsx'
import { RecoveryCodesDialog } from './recovery-codes.tsx'
import { beginTotp, removeTotp, renewRecoveryCodes, type TotpSetup } from '../queries.ts'
import { TotpDialog } from './totp-dialog.tsx'
import { totpTexts } from './totp-texts.ts'

export function Authenticator({ isOn }: { isOn: boolean }) {
  const t = useTexts(totpTexts)
  const [codes, setCodes] = useState<readonly string[] | null>(null)
  return (
    <Card
      title={
        <span className="flex items-center gap-2">
          {t('title')}
          <Badge tone={isOn ? 'good' : 'neutral'}>{t(isOn ? 'on' : 'off')}</Badge>
        </span>
      }
      about={t(isOn ? 'about_on' : 'about_off')}
    >
      {isOn ? <TurnedOn onCodes={setCodes} /> : <SetUp onCodes={setCodes} />}
      {codes !== null && <RecoveryCodesDialog codes={codes} onClose={() => setCodes(null)} />}
    </Card>
  )
}

interface CodesProps {
  onCodes(codes: readonly string[]): void
}

function SetUp({ onCodes }: CodesProps) {
  const t = useTexts(totpTexts)
  const [setup, setSetup] = useState<TotpSetup | null>(null)
  const act = useAct({ run: beginTotp, onDone: setSetup })
  return (
    <>
      <Button kind="primary" busy={act.isPending} onClick={() => act.mutate(undefined)}>
        {t('set_up')}
      </Button>
      {setup !== null && (
        <TotpDialog setup={setup} onClose={() => setSetup(null)} onCodes={onCodes} />
      )}
    </>
  )
}

function TurnedOn({ onCodes }: CodesProps) {
  const t = useTexts(totpTexts)
  const [asks, setAsks] = useState(false)
  const renew = useAct({
    run: renewRecoveryCodes,
    onDone: ({ recovery_codes }) => onCodes(recovery_codes),
  })
  const remove = useAct({
    run: removeTotp,
    done: t('removed'),
    refresh: [['me']],
    onDone: () => setAsks(false),
  })
  return (
    <div className="flex flex-wrap gap-2">
      <Button busy={renew.isPending} onClick={() => renew.mutate(undefined)}>
        {t('renew')}
      </Button>
      <Button kind="danger" onClick={() => setAsks(true)}>
        {t('remove')}
      </Button>
      <AlertDialog
        open={asks}
        onOpenChange={setAsks}
        title={t('remove_title')}
        about={t('remove_about')}
        action={t('remove')}
        busy={remove.isPending}
        onConfirm={() => remove.mutate(undefined)}
      />
    </div>
  )
}
