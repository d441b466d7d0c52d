/**
 * Error texts for fields of public forms in the languages of visitors. Kept short, because
 * widget/forms bundles this file into the form script.
 */

/** The order of translations in `words`. */
export const languages = ['en', 'nl', 'de', 'fr', 'es'] as const
export const words = {
  required: [
    'Please fill this in.',
    'Vul dit in.',
    'Bitte ausfüllen.',
    'À remplir.',
    'Rellena esto.',
  ],
  invalid: [
    'This is not right yet.',
    'Dit klopt nog niet.',
    'Das stimmt noch nicht.',
    'Pas encore correct.',
    'Aún no es correcto.',
  ],
  number: [
    'Enter a number.',
    'Vul een getal in.',
    'Bitte eine Zahl.',
    'Entrez un nombre.',
    'Escribe un número.',
  ],
  integer: [
    'Enter a whole number.',
    'Vul een heel getal in.',
    'Bitte eine ganze Zahl.',
    'Entrez un nombre entier.',
    'Escribe un número entero.',
  ],
  email: [
    'Enter an email address.',
    'Vul een e-mailadres in.',
    'Bitte eine E-Mail-Adresse.',
    'Entrez une adresse e-mail.',
    'Escribe un correo electrónico.',
  ],
  url: [
    'Enter a web address.',
    'Vul een webadres in.',
    'Bitte eine Webadresse.',
    'Entrez une adresse web.',
    'Escribe una dirección web.',
  ],
  date: [
    'Enter a date.',
    'Vul een datum in.',
    'Bitte ein Datum.',
    'Entrez une date.',
    'Escribe una fecha.',
  ],
  enum: [
    'Choose an option.',
    'Kies een optie.',
    'Bitte wählen.',
    'Choisissez une option.',
    'Elige una opción.',
  ],
  minLength: [
    'At least # characters.',
    'Minstens # tekens.',
    'Mindestens # Zeichen.',
    'Au moins # caractères.',
    'Al menos # caracteres.',
  ],
  maxLength: [
    'At most # characters.',
    'Hoogstens # tekens.',
    'Höchstens # Zeichen.',
    'Au plus # caractères.',
    'Como máximo # caracteres.',
  ],
  minimum: ['At least #.', 'Minstens #.', 'Mindestens #.', 'Au moins #.', 'Al menos #.'],
  maximum: ['At most #.', 'Hoogstens #.', 'Höchstens #.', 'Au plus #.', 'Como máximo #.'],
  check: [
    'Not sent yet: look at what is marked.',
    'Nog niet verzonden: kijk naar wat gemarkeerd is.',
    'Noch nicht gesendet: bitte das Markierte prüfen.',
    'Pas encore envoyé : vérifiez ce qui est signalé.',
    'Aún no enviado: revisa lo señalado.',
  ],
  sending: ['Sending…', 'Bezig met verzenden…', 'Wird gesendet…', 'Envoi en cours…', 'Enviando…'],
  sent: [
    'Thank you, it has been sent.',
    'Bedankt, het is verzonden.',
    'Danke, es wurde gesendet.',
    'Merci, c’est envoyé.',
    'Gracias, se ha enviado.',
  ],
  failed: [
    'Not sent yet: please try again later.',
    'Nog niet verzonden: probeer het later opnieuw.',
    'Noch nicht gesendet: bitte später erneut versuchen.',
    'Pas encore envoyé : réessayez plus tard.',
    'Aún no enviado: inténtalo más tarde.',
  ],
} satisfies Record<string, readonly string[]>

export type FieldWord = keyof typeof words
