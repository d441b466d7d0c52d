/** The texts of the button of the portal assistant, which every page loads. */
import { defineTexts } from '../../language/texts.ts'

export const launcherTexts = defineTexts('portal_assistant_launcher', {
  en: { open: 'Ask the assistant', shortcut: 'Ask the assistant ({{keys}})' },
  nl: { open: 'Vraag de assistent', shortcut: 'Vraag de assistent ({{keys}})' },
})
