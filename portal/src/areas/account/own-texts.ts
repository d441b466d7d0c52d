/** The words about the address of an account, and about deleting it. */
import { defineTexts } from '../../language/texts.ts'

export const useOwnTexts = defineTexts('account_own', {
  en: {
    name: 'Name',
    name_about: 'The members of your projects see it, beside your email address.',
    name_label: 'Your name',
    name_save: 'Save name',
    name_saved: 'Your name is saved.',
    email: 'Email address',
    email_about: 'You sign in with {{email}}, and get mails there.',
    email_new: 'New email address',
    email_hint: 'We mail a code to it. Your address changes when you enter the code.',
    email_ask: 'Send the code',
    email_code: 'Code',
    email_sent: 'It was mailed to {{email}}, and works for 10 minutes.',
    email_change: 'Change address',
    email_changed: 'Your address is changed. You are signed out everywhere else.',
    cancel: 'Cancel',
    delete: 'Delete account',
    delete_about:
      'You leave every project and cannot sign in any more. What you made stays with the projects.',
    delete_owned:
      'You are an owner of {{projects}}. Each needs another owner first, or must be deleted.',
    delete_action: 'Delete my account',
    delete_title: 'Delete your account?',
    delete_typed: 'Type {{email}} to confirm',
  },
  nl: {
    name: 'Naam',
    name_about: 'De leden van uw projecten zien deze naam, naast uw e-mailadres.',
    name_label: 'Uw naam',
    name_save: 'Naam opslaan',
    name_saved: 'Uw naam is opgeslagen.',
    email: 'E-mailadres',
    email_about: 'U logt in met {{email}}, en krijgt daar uw mail.',
    email_new: 'Nieuw e-mailadres',
    email_hint: 'Wij mailen er een code naartoe. Uw adres wijzigt als u de code invoert.',
    email_ask: 'Code versturen',
    email_code: 'Code',
    email_sent: 'De code is gemaild naar {{email}}, en werkt 10 minuten.',
    email_change: 'Adres wijzigen',
    email_changed: 'Uw adres is gewijzigd. U bent overal elders uitgelogd.',
    cancel: 'Annuleren',
    delete: 'Account verwijderen',
    delete_about:
      'U verlaat elk project en kunt niet meer inloggen. Wat u hebt gemaakt, blijft bij de projecten.',
    delete_owned:
      'U bent eigenaar van {{projects}}. Elk heeft eerst een andere eigenaar nodig, of moet worden verwijderd.',
    delete_action: 'Mijn account verwijderen',
    delete_title: 'Uw account verwijderen?',
    delete_typed: 'Typ {{email}} om te bevestigen',
  },
})
