/** Alerts in Dutch. */
import type { KindTexts } from './alert-texts.ts'

const providers: Readonly<Record<string, string>> = {
  phone: 'telefoonnummers',
  ai: 'het taalmodel',
  mail: 'e-mail',
  payments: 'betalingen',
  vat: 'btw-nummers',
  register: 'het handelsregister',
  files: 'bestandsopslag',
}

export const dutch: KindTexts = {
  provider: ({ subject, text }) => ({
    title: `De aanbieder van ${providers[subject] ?? subject} werkt niet goed`,
    about: text('message') || 'De aanbieder antwoordt niet, of met fouten.',
    advice:
      'Bekijk de statuspagina van de aanbieder en controleer daarna de sleutel en de URL in de instellingen. Heeft het account een tegoed of een limiet, controleer die dan ook.',
  }),
  queue: ({ subject, number }) => ({
    title: subject === 'deliveries' ? 'Webhooks worden te laat bezorgd' : 'Taken zijn te laat',
    about: `De oudste wacht al ${number('minutes')} minuten.`,
    advice:
      'Controleer of elk proces met de rol worker draait en of de database snel genoeg is. Blijft het zo druk, start dan nog een worker.',
  }),
  failed_jobs: ({ number, text }) => ({
    title: 'Taken zijn definitief mislukt',
    about: `${number('count') === 1 ? 'Eén taak is' : `${number('count')} taken zijn`} na alle pogingen mislukt. De nieuwste is ${text('job')}: ${text('error')}`,
    advice: 'Lees de fouten in het overzicht, los de oorzaak op en voer de taken opnieuw uit.',
  }),
  disk: ({ subject, number, size, text }) => ({
    title:
      subject === 'backups'
        ? 'De schijf met de back-ups is bijna vol'
        : 'De schijf met de datamap is bijna vol',
    about: `${text('folder')} op ${text('machine')} staat op een schijf die voor ${number('percent')}% vol is; ${size('free_bytes')} is vrij.`,
    advice:
      subject === 'backups'
        ? 'Vergroot de schijf of bewaar minder back-ups (HOMEPORT_BACKUP_KEEP_DAILY, HOMEPORT_BACKUP_KEEP_WEEKLY).'
        : 'Vergroot de schijf of verwijder andere bestanden. Is de schijf vol, dan kan er niets meer worden opgeslagen.',
  }),
  certificate: ({ number, text, moment }) => ({
    title:
      number('days') < 0
        ? `Het certificaat van ${text('host')} is verlopen`
        : `Het certificaat van ${text('host')} verloopt binnenkort`,
    about: `Het is geldig tot ${moment('expires_at')}.`,
    advice:
      'Vernieuw het, en ga na waarom de reverse proxy dat niet zelf deed. Met een verlopen certificaat kan niemand het portaal openen en weigeren clients de API.',
  }),
  backup: ({ subject, number, text, moment }) =>
    subject === 'test'
      ? {
          title: 'De laatste hersteltest van een back-up is mislukt',
          about: `${text('name')}: ${text('error')}`,
          advice:
            'Maak een nieuwe back-up en test die. Ga ervan uit dat geen back-up bruikbaar is tot een test slaagt.',
        }
      : {
          title: 'Er is geen recente back-up',
          about:
            text('newest_at') === ''
              ? `In ${number('hours')} uur is geen back-up voltooid.`
              : `De nieuwste is van ${moment('newest_at')}, ${number('hours')} uur geleden.`,
          advice: 'Lees waarom de laatste back-up mislukte, los de oorzaak op en maak er nu een.',
        },
}
