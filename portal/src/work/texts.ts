/** The words about work that continues on every page. */
import { defineTexts } from '../language/texts.ts'

export const workTexts = defineTexts('work', {
  en: {
    title: 'Uploads and downloads',
    receiving: 'Downloading',
    reading: 'Reading the files',
    sending: 'Uploading',
    finishing: 'Finishing',
    waiting: 'Waiting',
    done: 'Done',
    failed: 'Failed',
    stop: 'Stop {{title}}',
    close: 'Close {{title}}',
    show: 'Show',
    correct: 'Change and try again',
    appeal: 'The check is wrong? Appeal',
    line: '{{path}}, line {{line}}',
    keeps: 'You can leave this page. Keep the tab open.',
  },
  nl: {
    title: 'Uploads en downloads',
    receiving: 'Downloaden',
    reading: 'Bestanden lezen',
    sending: 'Uploaden',
    finishing: 'Afronden',
    waiting: 'Wacht',
    done: 'Klaar',
    failed: 'Mislukt',
    stop: '{{title}} stoppen',
    close: '{{title}} sluiten',
    show: 'Bekijken',
    correct: 'Aanpassen en opnieuw',
    appeal: 'Klopt de controle niet? Maak bezwaar',
    line: '{{path}}, regel {{line}}',
    keeps: 'U kunt deze pagina verlaten. Laat het tabblad open.',
  },
})
