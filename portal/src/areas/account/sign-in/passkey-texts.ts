/** The words about passkeys. */
import { defineTexts } from '../../../language/texts.ts'

export const usePasskeyTexts = defineTexts('passkeys', {
  en: {
    title: 'Passkeys',
    about:
      'A passkey signs you in with your fingerprint, your face or the PIN of your device, and does not work on an imitation of this page.',
    empty: 'No passkey yet',
    empty_about: 'It replaces the password and the authenticator app when you sign in.',
    unavailable:
      'Passkeys need an https address with a host name. The operator of this server can set it up.',
    no_browser: 'This browser cannot create passkeys for this address.',
    add: 'Add a passkey',
    add_about:
      'Your browser asks where to save it: on this device, on your phone or on a security key.',
    added_done: 'The passkey is added. You can sign in with it from now on.',
    name: 'Name',
    name_hint: 'A name by which you recognize it.',
    save: 'Save',
    synced: 'On your devices',
    one_device: 'On one device',
    added: 'added {{when}}',
    used: 'used {{when}}',
    never: 'not used yet',
    actions: 'Actions of {{name}}',
    rename: 'Rename',
    renamed: 'The passkey is renamed.',
    remove: 'Remove',
    remove_title: 'Remove the passkey “{{name}}”?',
    remove_about: 'It no longer signs you in, and your other sessions end. This cannot be undone.',
    removed: 'The passkey is removed, and you are signed out everywhere else.',
    known: 'This device already has a passkey for your account.',
    cancelled: 'The request was cancelled or timed out. Try again.',
    failed: 'The browser could not create a passkey. Try another browser or device.',
  },
  nl: {
    title: 'Passkeys',
    about:
      'Met een passkey logt u in met uw vingerafdruk, uw gezicht of de pincode van uw apparaat. Op een nagemaakte pagina werkt hij niet.',
    empty: 'Nog geen passkey',
    empty_about: 'Bij het inloggen vervangt hij het wachtwoord en de authenticator-app.',
    unavailable:
      'Passkeys vragen een https-adres met een hostnaam. De beheerder van deze server kan dat instellen.',
    no_browser: 'Deze browser kan voor dit adres geen passkeys maken.',
    add: 'Passkey toevoegen',
    add_about:
      'Uw browser vraagt waar hij wordt bewaard: op dit apparaat, op uw telefoon of op een beveiligingssleutel.',
    added_done: 'De passkey is toegevoegd. U kunt er vanaf nu mee inloggen.',
    name: 'Naam',
    name_hint: 'Een naam waaraan u hem herkent.',
    save: 'Opslaan',
    synced: 'Op uw apparaten',
    one_device: 'Op één apparaat',
    added: '{{when}} toegevoegd',
    used: '{{when}} gebruikt',
    never: 'nog niet gebruikt',
    actions: 'Acties van {{name}}',
    rename: 'Naam wijzigen',
    renamed: 'De naam is gewijzigd.',
    remove: 'Verwijderen',
    remove_title: 'De passkey “{{name}}” verwijderen?',
    remove_about:
      'U kunt er niet meer mee inloggen, en uw andere sessies eindigen. Dit kan niet ongedaan worden gemaakt.',
    removed: 'De passkey is verwijderd, en u bent overal elders uitgelogd.',
    known: 'Dit apparaat heeft al een passkey voor uw account.',
    cancelled: 'Het verzoek is geannuleerd of duurde te lang. Probeer het opnieuw.',
    failed: 'De browser kon geen passkey maken. Probeer een andere browser of een ander apparaat.',
  },
})
