/** The dialog that shows new recovery codes, once. */
import { Download } from 'lucide-react'
import { useTexts } from '../../../language/texts.ts'
import { Button } from '../../../ui/actions/button.tsx'
import { CopyButton } from '../../../ui/actions/copy-button.tsx'
import { Dialog, DialogButtons } from '../../../ui/overlays/dialog.tsx'
import { saveFile } from '../../../work/save-file.ts'
import { totpTexts } from './totp-texts.ts'

export interface RecoveryCodesProps {
  codes: readonly string[]
  onClose(): void
}

export function RecoveryCodesDialog({ codes, onClose }: RecoveryCodesProps) {
  const t = useTexts(totpTexts)
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
