/** The words of the panel, in the order of `languages`: English, Dutch, German, French. */
import { languages } from '../loader-words.js'

const words = {
  title: ['Chat with #', 'Chat met #', 'Chat mit #', 'Chat avec #'],
  assistant: [
    'Digital assistant',
    'Digitale assistent',
    'Digitaler Assistent',
    'Assistant numérique',
  ],
  person_follows: [
    'A colleague replies here',
    'Een collega antwoordt hier',
    'Eine Kollegin oder ein Kollege antwortet hier',
    'Un collègue répond ici',
  ],
  person: ['Colleague', 'Medewerker', 'Team', 'Collègue'],
  you: ['You', 'U', 'Sie', 'Vous'],
  messages: ['Messages', 'Berichten', 'Nachrichten', 'Messages'],
  typing: ['# is typing', '# is aan het typen', '# schreibt', '# écrit'],
  close: ['Close chat', 'Chat sluiten', 'Chat schließen', 'Fermer le chat'],
  end: ['End this chat', 'Deze chat beëindigen', 'Diesen Chat beenden', 'Terminer ce chat'],
  end_asked: [
    'End this chat?',
    'Deze chat beëindigen?',
    'Diesen Chat beenden?',
    'Terminer ce chat ?',
  ],
  helped: [
    'Yes, I was helped',
    'Ja, ik ben geholpen',
    'Ja, mir wurde geholfen',
    'Oui, j’ai été aidé',
  ],
  not_helped: [
    'Yes, but I was not helped',
    'Ja, maar ik ben niet geholpen',
    'Ja, aber mir wurde nicht geholfen',
    'Oui, mais sans réponse utile',
  ],
  go_on: ['Continue', 'Verder chatten', 'Weiter chatten', 'Continuer'],
  ended: [
    'This chat has ended.',
    'Deze chat is afgelopen.',
    'Dieser Chat ist beendet.',
    'Ce chat est terminé.',
  ],
  expired: [
    'This chat is no longer open.',
    'Deze chat is niet meer geopend.',
    'Dieser Chat ist nicht mehr geöffnet.',
    'Ce chat n’est plus ouvert.',
  ],
  start_new: ['Start a new chat', 'Nieuwe chat beginnen', 'Neuen Chat beginnen', 'Nouveau chat'],
  write: ['Write a message…', 'Typ een bericht…', 'Nachricht schreiben…', 'Écrire un message…'],
  message: ['Message', 'Bericht', 'Nachricht', 'Message'],
  send: ['Send', 'Versturen', 'Senden', 'Envoyer'],
  sources: ['Sources', 'Bronnen', 'Quellen', 'Sources'],
  suggestions: ['Suggestions', 'Suggesties', 'Vorschläge', 'Suggestions'],
  call: ['Call', 'Bellen', 'Anrufen', 'Appeler'],
  sms: ['SMS', 'Sms', 'SMS', 'SMS'],
  mail: ['Email', 'E-mail', 'E-Mail', 'E-mail'],
  ask_person: [
    'Ask a person',
    'Vraag een medewerker',
    'Einen Menschen fragen',
    'Parler à une personne',
  ],
  person_about: [
    'Leave your details and a colleague will reply, here or by email or phone.',
    'Laat uw gegevens achter. Een collega antwoordt hier, per e-mail of per telefoon.',
    'Hinterlassen Sie Ihre Kontaktdaten. Wir antworten hier, per E-Mail oder telefonisch.',
    'Laissez vos coordonnées. Un collègue répondra ici, par e-mail ou par téléphone.',
  ],
  name: ['Name', 'Naam', 'Name', 'Nom'],
  contact: [
    'Email or phone number',
    'E-mailadres of telefoonnummer',
    'E-Mail-Adresse oder Telefonnummer',
    'E-mail ou numéro de téléphone',
  ],
  contact_wrong: [
    'Enter an email address or a phone number.',
    'Vul een e-mailadres of telefoonnummer in.',
    'Geben Sie eine E-Mail-Adresse oder Telefonnummer ein.',
    'Indiquez une adresse e-mail ou un numéro de téléphone.',
  ],
  question: ['Your question', 'Uw vraag', 'Ihre Frage', 'Votre question'],
  cancel: ['Not now', 'Niet nu', 'Nicht jetzt', 'Pas maintenant'],
  left: [
    'Thank you. A colleague has your details and will reply.',
    'Dank u. Een collega heeft uw gegevens en antwoordt u.',
    'Vielen Dank. Wir haben Ihre Kontaktdaten und melden uns.',
    'Merci. Un collègue a vos coordonnées et vous répondra.',
  ],
  offline: [
    'No connection. Your message will be sent as soon as it is back.',
    'Geen verbinding. Uw bericht wordt verstuurd zodra die terug is.',
    'Keine Verbindung. Ihre Nachricht wird gesendet, sobald sie wieder da ist.',
    'Pas de connexion. Votre message partira dès son retour.',
  ],
  slow: [
    'One moment, many people are writing.',
    'Een moment, het is druk.',
    'Einen Moment, es schreiben gerade viele.',
    'Un instant, beaucoup de messages arrivent.',
  ],
  awaits: [
    'A colleague will reply to your messages. After that you can write more.',
    'Een collega antwoordt op uw berichten. Daarna kunt u verder schrijven.',
    'Auf Ihre Nachrichten wird geantwortet. Danach können Sie weiterschreiben.',
    'Un collègue répondra à vos messages. Ensuite, vous pourrez continuer.',
  ],
  again: ['Try again', 'Opnieuw proberen', 'Erneut versuchen', 'Réessayer'],
  not_sent: ['Not sent.', 'Niet verstuurd.', 'Nicht gesendet.', 'Non envoyé.'],
  sending: ['Sending…', 'Wordt verstuurd…', 'Wird gesendet…', 'Envoi…'],
  unavailable: [
    'The chat is not available right now.',
    'De chat is op dit moment niet beschikbaar.',
    'Der Chat ist im Moment nicht verfügbar.',
    'Le chat n’est pas disponible pour le moment.',
  ],
  other_ways: [
    'You can reach us in another way:',
    'U kunt ons op een andere manier bereiken:',
    'Sie erreichen uns auf anderem Weg:',
    'Vous pouvez nous joindre autrement :',
  ],
  new_tab: [
    'opens in a new tab',
    'opent in een nieuw tabblad',
    'öffnet in neuem Tab',
    'nouvel onglet',
  ],
}

/** Returns a function that looks up words and fills in a value. */
export const speakerFor = (language) => {
  const at = languages.indexOf(language)
  return (key, value) => words[key][at].replace('#', value)
}
