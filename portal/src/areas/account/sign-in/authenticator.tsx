/** The authenticator app of the signed-in person: its state, recovery codes and removal. */
import { Download } from 'lucide-react'
import { useState } from 'react'
import { useAct } from '../../../api/mutations.tsx'
import { Button } from '../../../ui/actions/button.tsx'
import { CopyButton } from '../../../ui/actions/copy-button.tsx'
import { Badge } from '../../../ui/display/badge.tsx'
import { Card } from '../../../ui/display/card.tsx'
import { AlertDialog } from '../../../ui/overlays/alert-dialog.tsx'
import { Dialog, DialogButtons } from '../../../ui/overlays/dialog.tsx'
import { saveFile } from '../../../work/save-file.ts'
import { beginTotp, removeTotp, renewRecoveryCodes, type TotpSetup } from '../queries.ts'
import { TotpDialog } from './totp-dialog.tsx'
import { useTotpTexts } from './totp-texts.ts'

export function Authenticator({ isOn }: { isOn: boolean }) {
  const t = useTotpTexts()
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
  const t = useTotpTexts()
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
  const t = useTotpTexts()
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

interface RecoveryCodesProps {
  codes: readonly string[]
  onClose(): void
}

/** The dialog that shows new recovery codes, once. */
function RecoveryCodesDialog({ codes, onClose }: RecoveryCodesProps) {
  const t = useTotpTexts()
  const text = `${codes.join('\n')}\n`
  return (
    <Dialog onClose={onClose} title={t('codes')} about={t('codes_about')}>
      <ul className="grid grid-cols-2 gap-x-6 gap-y-1.5 rounded-lg bg-bg px-4 py-3 font-mono">
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ul>
      <div className="mt-3 flex flex-wrap gap-2">
        <CopyButton text={text} label={t('copy_codes')} kind="secondary" />
        <Button
          size="sm"
          onClick={() => saveFile({ blob: new Blob([text]), filename: 'recovery-codes.txt' })}
        >
          <Download aria-hidden="true" />
          {t('download_codes')}
        </Button>
      </div>
      <DialogButtons>
        <Button kind="primary" onClick={onClose}>
          {t('codes_saved')}
        </Button>
      </DialogButtons>
    </Dialog>
  )
}
