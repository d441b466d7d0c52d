/** The words about authenticator apps and recovery codes. */
import { defineTexts } from '../../../language/texts.ts'

export const useTotpTexts = defineTexts('totp', {
  en: {
    title: 'Authenticator app',
    on: 'On',
    off: 'Off',
    about_on: 'Each sign-in needs a code from your app, unless you use a passkey.',
    about_off: 'With a code from your phone, a stolen password alone opens nothing.',
    set_up: 'Set up an authenticator app',
    scan: 'Scan the picture with the app, or enter the secret in the app.',
    qr: 'A QR code with the secret shown below it',
    copy_secret: 'Copy the secret',
    code: 'The code that the app shows now',
    turn_on: 'Turn on',
    turned_on: 'The authenticator app is on, and you are signed out everywhere else.',
    codes: 'Recovery codes',
    codes_about:
      'Each code replaces the app once, for when you lose your phone. They are shown only now, so keep them in a safe place.',
    copy_codes: 'Copy the codes',
    download_codes: 'Save as a file',
    codes_saved: 'I have saved them',
    renew: 'New recovery codes',
    remove: 'Remove the app',
    remove_title: 'Remove the authenticator app?',
    remove_about:
      'A password or a code by mail is then enough to sign in. Your recovery codes stop working.',
    removed: 'The authenticator app is removed.',
  },
  nl: {
    title: 'Authenticator-app',
    on: 'Aan',
    off: 'Uit',
    about_on: 'Elke keer inloggen vraagt een code van uw app, behalve met een passkey.',
    about_off: 'Met een code van uw telefoon opent een gestolen wachtwoord alleen niets.',
    set_up: 'Authenticator-app instellen',
    scan: 'Scan de afbeelding met de app, of voer het geheim in de app in.',
    qr: 'Een QR-code met het geheim dat eronder staat',
    copy_secret: 'Geheim kopiëren',
    code: 'De code die de app nu toont',
    turn_on: 'Aanzetten',
    turned_on: 'De authenticator-app is aan, en u bent overal elders uitgelogd.',
    codes: 'Herstelcodes',
    codes_about:
      'Elke code vervangt de app één keer, voor als u uw telefoon verliest. U ziet ze alleen nu, dus bewaar ze op een veilige plek.',
    copy_codes: 'Codes kopiëren',
    download_codes: 'Als bestand opslaan',
    codes_saved: 'Ik heb ze bewaard',
    renew: 'Nieuwe herstelcodes',
    remove: 'App verwijderen',
    remove_title: 'De authenticator-app verwijderen?',
    remove_about:
      'Een wachtwoord of een code per e-mail is dan genoeg om in te loggen. Uw herstelcodes werken niet meer.',
    removed: 'De authenticator-app is verwijderd.',
  },
})
