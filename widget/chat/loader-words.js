/** The few words that the button needs, and the choice of the language. */
export const languages = ['en', 'nl', 'de', 'fr']

const words = {
  en: ['Open chat', 'Close chat', 'New messages: #.', 'The chat could not be loaded. Try again.'],
  nl: [
    'Chat openen',
    'Chat sluiten',
    'Nieuwe berichten: #.',
    'De chat kon niet laden. Probeer het opnieuw.',
  ],
  de: [
    'Chat öffnen',
    'Chat schließen',
    'Neue Nachrichten: #.',
    'Der Chat konnte nicht geladen werden. Bitte noch einmal versuchen.',
  ],
  fr: [
    'Ouvrir le chat',
    'Fermer le chat',
    'Nouveaux messages : #.',
    'Le chat n’a pas pu être chargé. Veuillez réessayer.',
  ],
}

export const wordsFor = (language) => {
  const [open, close, unread, failed] = words[language]
  return { open, close, unread, failed }
}

/** The first of the tags in which the widget has words; English else. */
export const chooseLanguage = (tags) =>
  tags.map((tag) => tag?.slice(0, 2).toLowerCase()).find((tag) => languages.includes(tag)) ?? 'en'
