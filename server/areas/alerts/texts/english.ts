/** Alerts in English. */
import type { KindTexts } from './alert-texts.ts'

const providers: Readonly<Record<string, string>> = {
  phone: 'phone numbers',
  ai: 'the language model',
  mail: 'mail',
  payments: 'payments',
  vat: 'VAT numbers',
  register: 'the business register',
  files: 'file storage',
}

export const english: KindTexts = {
  provider: ({ subject, text }) => ({
    title: `The provider of ${providers[subject] ?? subject} is failing`,
    about: text('message') || 'It does not answer, or answers with errors.',
    advice:
      "Look at the provider's status page, then check its key and URL in the settings. If its account has a balance or a limit, check that too.",
  }),
  queue: ({ subject, number }) => ({
    title: subject === 'deliveries' ? 'Webhook deliveries are late' : 'Jobs are late',
    about: `The oldest has waited for ${number('minutes')} minutes.`,
    advice:
      'Check that every process with the role worker runs and that the database is fast enough. If the load stays this high, start another worker.',
  }),
  failed_jobs: ({ number, text }) => ({
    title: 'Jobs have failed for good',
    about: `${number('count') === 1 ? 'One job has' : `${number('count')} jobs have`} failed after all retries. The newest is ${text('job')}: ${text('error')}`,
    advice: 'Read the errors in the overview, fix their cause, and run the jobs again.',
  }),
  disk: ({ subject, number, size, text }) => ({
    title:
      subject === 'backups'
        ? 'The disk of the backups is nearly full'
        : 'The disk of the data folder is nearly full',
    about: `${text('folder')} on ${text('machine')} is on a disk that is ${number('percent')}% full; ${size('free_bytes')} are free.`,
    advice:
      subject === 'backups'
        ? 'Make the disk larger, or keep fewer backups (HOMEPORT_BACKUP_KEEP_DAILY, HOMEPORT_BACKUP_KEEP_WEEKLY).'
        : 'Make the disk larger, or delete other files on it. When it is full, nothing can be written any more.',
  }),
  certificate: ({ number, text, moment }) => ({
    title:
      number('days') < 0
        ? `The certificate of ${text('host')} has expired`
        : `The certificate of ${text('host')} expires soon`,
    about: `It is valid until ${moment('expires_at')}.`,
    advice:
      'Renew it, and check why the reverse proxy did not do so by itself. With an expired certificate nobody can open the portal, and clients refuse the API.',
  }),
  backup: ({ subject, number, text, moment }) =>
    subject === 'test'
      ? {
          title: 'The newest restore test of a backup failed',
          about: `${text('name')}: ${text('error')}`,
          advice:
            'Write a new backup and test it. Until a test passes, count on no backup being usable.',
        }
      : {
          title: 'There is no recent backup',
          about:
            text('newest_at') === ''
              ? `No backup was completed in ${number('hours')} hours.`
              : `The newest is from ${moment('newest_at')}, ${number('hours')} hours ago.`,
          advice: 'Read why the last backup failed, fix the cause, and write one now.',
        },
}
