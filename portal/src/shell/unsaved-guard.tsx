/**
 * Asks for confirmation before the person leaves a page with unsaved changes, by a link of the
 * portal or in the browser.
 */
import { useBlocker } from '@tanstack/react-router'
import { defineTexts } from '../language/texts.ts'
import { AlertDialog } from '../ui/overlays/alert-dialog.tsx'

const useUnsavedTexts = defineTexts('unsaved', {
  en: {
    title: 'Leave without saving?',
    about: 'Your changes on this page are not saved yet.',
    leave: 'Leave without saving',
  },
  nl: {
    title: 'Weggaan zonder op te slaan?',
    about: 'Uw wijzigingen op deze pagina zijn nog niet opgeslagen.',
    leave: 'Weggaan zonder opslaan',
  },
})

export function UnsavedGuard({ active }: { active: boolean }) {
  const t = useUnsavedTexts()
  const { status, proceed, reset } = useBlocker({
    shouldBlockFn: ({ current, next }) =>
      active &&
      (current.pathname !== next.pathname || modeOf(current.search) !== modeOf(next.search)),
    enableBeforeUnload: active,
    withResolver: true,
  })
  return (
    <AlertDialog
      open={status === 'blocked'}
      onOpenChange={(open) => !open && reset?.()}
      title={t('title')}
      about={t('about')}
      action={t('leave')}
      onConfirm={() => proceed?.()}
    />
  )
}

/** Returns the mode in the URL; a change of mode also leaves the page. */
function modeOf(search: Readonly<{ mode?: unknown }>): unknown {
  return search.mode
}
