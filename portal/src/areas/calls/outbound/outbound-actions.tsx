/** The buttons above the calls: calling a person, and the consents to advertising calls. */
import { PhoneOutgoing } from 'lucide-react'
import { useState } from 'react'
import { useProjectScope } from '../../../api/project-scope.tsx'
import { useTexts } from '../../../language/texts.ts'
import { Button } from '../../../ui/actions/button.tsx'
import { CallDialog } from './call-dialog.tsx'
import { Consents } from './consents.tsx'
import { outboundTexts } from './texts.ts'

/** `onPlaced` gets the id of the new call. */
export function OutboundActions({ onPlaced }: { onPlaced(id: string): void }) {
  const t = useTexts(outboundTexts)
  const [open, setOpen] = useState<'call' | 'consents' | null>(null)
  const close = () => setOpen(null)
  return (
    <>
      <Button onClick={() => setOpen('consents')}>{t('consents')}</Button>
      {useProjectScope().may('member') && (
        <Button kind="primary" onClick={() => setOpen('call')}>
          <PhoneOutgoing aria-hidden="true" />
          {t('place')}
        </Button>
      )}
      {open === 'consents' && <Consents onClose={close} />}
      {open === 'call' && (
        <CallDialog
          onClose={close}
          onPlaced={(id) => {
            close()
            onPlaced(id)
          }}
        />
      )}
    </>
  )
}
