/** Asks the person to confirm their identity, on the server's own page, and to come back. */
import { ShieldCheck } from 'lucide-react'
import { defineTexts, useTexts } from '../language/texts.ts'
import { ButtonAnchor } from '../ui/actions/button.tsx'
import { Dialog, DialogButtons } from '../ui/overlays/dialog.tsx'
import { confirmPath } from './client.ts'
import { rememberPageUrl } from './page-url.ts'

const texts = defineTexts('confirm', {
  en: {
    title: 'Confirm your identity',
    about:
      'Keys, money and going live need a recent confirmation. It holds for 15 minutes, and you come back to this page.',
    action: 'Continue',
  },
  nl: {
    title: 'Bevestig uw identiteit',
    about:
      'Sleutels, geld en live gaan vragen een recente bevestiging. Die geldt 15 minuten, en u komt terug op deze pagina.',
    action: 'Doorgaan',
  },
})

export interface ConfirmDialogProps {
  open: boolean
  onOpenChange(open: boolean): void
}

export function ConfirmDialog({ open, onOpenChange }: ConfirmDialogProps) {
  const t = useTexts(texts)
  return (
    <Dialog open={open} onOpenChange={onOpenChange} title={t('title')} about={t('about')}>
      <DialogButtons>
        <ButtonAnchor href={confirmPath()} kind="primary" onClick={rememberPageUrl}>
          <ShieldCheck aria-hidden="true" />
          {t('action')}
        </ButtonAnchor>
      </DialogButtons>
    </Dialog>
  )
}
