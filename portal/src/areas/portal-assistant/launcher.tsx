/** The button and the shortcut of the portal assistant. The panel is loaded when it is first opened. */
import { Sparkles } from 'lucide-react'
import { lazy, Suspense, useEffect, useState } from 'react'
import { defineTexts } from '../../language/texts.ts'
import { Button } from '../../ui/actions/button.tsx'

/** The texts of the button of the portal assistant, which every page loads. */
const useLauncherTexts = defineTexts('portal_assistant_launcher', {
  en: { open: 'Ask the assistant', shortcut: 'Ask the assistant ({{keys}})' },
  nl: { open: 'Vraag de assistent', shortcut: 'Vraag de assistent ({{keys}})' },
})

const Panel = lazy(async () => ({ default: (await import('./panel.tsx')).AssistantPanel }))

const isMac = /Mac|iPhone|iPad/.test(navigator.userAgent)

export function AssistantLauncher() {
  const t = useLauncherTexts()
  const [open, setOpen] = useState(false)
  const [used, setUsed] = useState(false)
  const show = (next: (now: boolean) => boolean) => {
    setUsed(true)
    setOpen(next)
  }
  useEffect(() => {
    const listen = (event: KeyboardEvent) => {
      if (event.key.toLowerCase() !== 'j' || !(event.metaKey || event.ctrlKey) || event.shiftKey)
        return
      event.preventDefault()
      show((now) => !now)
    }
    addEventListener('keydown', listen)
    return () => removeEventListener('keydown', listen)
  }, [])
  return (
    <>
      <Button
        kind="ghost"
        size="icon"
        aria-label={t('open')}
        aria-keyshortcuts={isMac ? 'Meta+J' : 'Control+J'}
        aria-expanded={open}
        title={t('shortcut', { keys: isMac ? '⌘J' : 'Ctrl J' })}
        onClick={() => show(() => true)}
      >
        <Sparkles aria-hidden="true" />
      </Button>
      {used && (
        <Suspense fallback={null}>
          <Panel open={open} onOpenChange={setOpen} />
        </Suspense>
      )}
    </>
  )
}
