/** The texts about going live. */
import { defineTexts } from '../../language/texts.ts'

export const goLiveTexts = defineTexts('go_live', {
  en: {
    title: 'Go live',
    about:
      'Sites and data are real from the beginning. What reaches people by phone or mail, or takes money, is simulated until you let it go live, one by one.',
    live: 'Live',
    test: 'Test',
    missing_one: '{{count}} thing left to do',
    missing_other: '{{count}} things left to do',
    ready: 'Ready to go live',
    running: 'It reaches real people and costs money.',
    go: 'Go live',
    back: 'Back to test mode',
    go_title: 'Go live with: {{about}}?',
    go_about:
      'From now on it reaches real people and costs money. You can go back to test mode at any time.',
    back_title: 'Back to test mode with: {{about}}?',
    back_about: 'Nothing of it is real any more. Numbers and settings stay.',
    done_live: 'It is live.',
    done_test: 'It works in test mode again.',
    admins: 'Owners and admins decide what goes live.',
  },
  nl: {
    title: 'Live gaan',
    about:
      'Sites en gegevens zijn vanaf het begin echt. Wat mensen bereikt per telefoon of e-mail, of geld int, is gesimuleerd tot u het live laat gaan, één voor één.',
    live: 'Live',
    test: 'Test',
    missing_one: 'Nog {{count}} ding te doen',
    missing_other: 'Nog {{count}} dingen te doen',
    ready: 'Klaar om live te gaan',
    running: 'Het bereikt echte mensen en kost geld.',
    go: 'Live gaan',
    back: 'Terug naar testmodus',
    go_title: 'Live gaan met: {{about}}?',
    go_about:
      'Vanaf nu bereikt het echte mensen en kost het geld. U kunt altijd terug naar de testmodus.',
    back_title: 'Terug naar testmodus met: {{about}}?',
    back_about: 'Niets ervan is dan nog echt. Nummers en instellingen blijven.',
    done_live: 'Het is live.',
    done_test: 'Het werkt weer in testmodus.',
    admins: 'Eigenaren en beheerders beslissen wat live gaat.',
  },
})
