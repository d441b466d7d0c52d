/** Texts of the pages after a form without a script, in all supported languages. */
import { languages, words as fieldWords } from '../../contract/problems/form-words.ts'
import type { ErrorSlug } from '../../contract/error-catalogue.ts'
import type { FaultReason } from '../../contract/problems/fault-reasons.ts'

export type PageLanguage = (typeof languages)[number]

interface Words {
  thanks: string
  received: string
  not_sent: string
  back: string
  to_site: string
  fields: string
  wait: string
  robot: string
  full: string
  sold_out: string
  later: string
  set_up: string
  failed: string
}

export const pageWords: Readonly<Record<PageLanguage, Words>> = {
  en: {
    thanks: 'Thank you',
    received: 'Your message has been received.',
    not_sent: 'Not sent yet',
    back: 'Use the Back button of your browser: your input is still there.',
    to_site: 'To the site',
    fields: 'Something is missing or not filled in correctly:',
    wait: 'Too many messages were sent in a short time. Please wait a minute and try again.',
    robot: 'This form needs JavaScript. Please enable it, reload the page and send the form again.',
    full: 'This is too long. Please shorten your input, or get in touch another way.',
    sold_out: 'This is sold out, or not available in this quantity. Go back and choose less.',
    later: 'This order cannot be placed now. Please try again later, or get in touch another way.',
    set_up: 'This form is not set up correctly. Please get in touch another way.',
    failed: 'Something went wrong on our side. Please try again later.',
  },
  nl: {
    thanks: 'Dank u wel',
    received: 'Wat u hebt ingevuld is ontvangen.',
    not_sent: 'Nog niet verzonden',
    back: 'Ga terug met de knop van uw browser: wat u hebt ingevuld staat er nog.',
    to_site: 'Naar de site',
    fields: 'Er ontbreekt iets of is niet goed ingevuld:',
    wait: 'Er is in korte tijd te veel verzonden. Wacht een minuut en probeer het opnieuw.',
    robot: 'Dit formulier heeft JavaScript nodig. Zet het aan, laad de pagina opnieuw en verzend.',
    full: 'Dit past niet. Maak korter wat u hebt ingevuld, of neem op een andere manier contact op.',
    sold_out: 'Dit is uitverkocht, of er is niet genoeg van. Ga terug en kies minder.',
    later: 'Deze bestelling kan nu niet worden geplaatst. Probeer het later, of neem contact op.',
    set_up: 'Dit formulier is niet goed ingesteld. Neem op een andere manier contact op.',
    failed: 'Er ging bij ons iets mis. Probeer het later opnieuw.',
  },
  de: {
    thanks: 'Vielen Dank',
    received: 'Ihre Angaben sind angekommen.',
    not_sent: 'Noch nicht gesendet',
    back: 'Gehen Sie mit Ihrem Browser zurück: Ihre Angaben sind noch da.',
    to_site: 'Zur Website',
    fields: 'Es fehlt etwas oder ist nicht richtig ausgefüllt:',
    wait: 'In kurzer Zeit wurde zu viel gesendet. Bitte warten Sie eine Minute.',
    robot: 'Dieses Formular braucht JavaScript. Schalten Sie es ein und laden Sie die Seite neu.',
    full: 'Das passt nicht. Bitte kürzen Sie Ihre Angaben oder melden Sie sich auf anderem Weg.',
    sold_out:
      'Das ist ausverkauft, oder es ist nicht genug da. Gehen Sie zurück und wählen Sie weniger.',
    later:
      'Diese Bestellung ist jetzt nicht möglich. Versuchen Sie es später, oder melden Sie sich.',
    set_up: 'Dieses Formular ist nicht richtig eingerichtet. Bitte melden Sie sich anders.',
    failed: 'Bei uns ist etwas schiefgegangen. Bitte versuchen Sie es später noch einmal.',
  },
  fr: {
    thanks: 'Merci',
    received: 'Vos informations ont bien été reçues.',
    not_sent: 'Pas encore envoyé',
    back: 'Revenez en arrière avec votre navigateur : ce que vous avez saisi est toujours là.',
    to_site: 'Vers le site',
    fields: 'Il manque quelque chose, ou un champ est mal rempli :',
    wait: 'Trop d’envois en peu de temps. Attendez une minute et réessayez.',
    robot: 'Ce formulaire a besoin de JavaScript. Activez-le, rechargez la page et renvoyez.',
    full: 'C’est trop long. Raccourcissez votre texte ou contactez-nous autrement.',
    sold_out:
      'Ce produit est épuisé ou n’est pas disponible en cette quantité. Revenez et choisissez moins.',
    later: 'Cette commande est impossible pour le moment. Réessayez plus tard ou contactez-nous.',
    set_up: 'Ce formulaire n’est pas bien configuré. Contactez-nous autrement.',
    failed: 'Un problème est survenu de notre côté. Réessayez plus tard.',
  },
  es: {
    thanks: 'Gracias',
    received: 'Hemos recibido sus datos.',
    not_sent: 'Aún no se ha enviado',
    back: 'Vuelva atrás con el navegador: lo que ha escrito sigue ahí.',
    to_site: 'Ir al sitio',
    fields: 'Falta algo o no está bien rellenado:',
    wait: 'Se ha enviado demasiado en poco tiempo. Espere un minuto e inténtelo de nuevo.',
    robot: 'Este formulario necesita JavaScript. Actívelo, recargue la página y envíelo de nuevo.',
    full: 'No cabe. Acorte lo que ha escrito o póngase en contacto de otra manera.',
    sold_out: 'Está agotado o no hay suficiente. Vuelva atrás y elija menos.',
    later: 'Este pedido no es posible ahora. Inténtelo más tarde o póngase en contacto.',
    set_up: 'Este formulario no está bien configurado. Póngase en contacto de otra manera.',
    failed: 'Algo ha fallado por nuestra parte. Inténtelo más tarde.',
  },
}

/** Maximum length of the header; browsers send less. */
const HEADER_CHARACTERS_MAX = 200

/**
 * Returns the preferred supported language of Accept-Language (RFC 9110, 12.5.4); English if none
 * matches.
 */
export function selectLanguage(header: string | undefined): PageLanguage {
  const read = (header ?? '').slice(0, HEADER_CHARACTERS_MAX).toLowerCase()
  const wanted = read.split(',').map((part, place) => {
    const [range = '', ...parameters] = part.split(';').map((one) => one.trim())
    const quality = parameters.find((one) => one.startsWith('q='))?.slice(2)
    return { primary: range.split('-')[0], quality: quality ? Number(quality) : 1, place }
  })
  const ranked = wanted
    .filter(({ quality }) => quality > 0)
    .toSorted((one, other) => other.quality - one.quality || one.place - other.place)
  for (const { primary } of ranked) {
    const known = languages.find((language) => language === primary)
    if (known) return known
  }
  return 'en'
}

type Reason = Extract<
  keyof Words,
  'fields' | 'wait' | 'robot' | 'full' | 'sold_out' | 'later' | 'set_up' | 'failed'
>

const reasons: Partial<Record<ErrorSlug, Reason>> = {
  schema_mismatch: 'fields',
  validation_failed: 'fields',
  rate_limited: 'wait',
  challenge_failed: 'robot',
  document_too_large: 'full',
  file_too_large: 'full',
  document_limit_reached: 'full',
  plan_limit_reached: 'full',
  product_unavailable: 'sold_out',
  order_refused: 'later',
  internal_error: 'failed',
  service_unavailable: 'failed',
}

/** Returns the visitor's text for an error. Visitors can fix only a few errors. */
export function writeProblemReason(slug: ErrorSlug, language: PageLanguage): string {
  return pageWords[language][reasons[slug] ?? 'set_up']
}

/** The reason in the wording of the form script; empty without a reason. */
export function writeReason(reason: FaultReason | null, language: PageLanguage): string {
  if (!reason) return ''
  const { word, limit } = reason
  const text = fieldWords[word][languages.indexOf(language)] ?? ''
  return text.replace('#', String(limit ?? ''))
}
