/**
 * Subjects of callers' questions in every language of the built-in model. A question and a passage
 * with the same concept match in any words and languages: "parking" finds a fact about "parkeren".
 * The names are the topics of summaries.
 */
import type { Language } from './language.ts'

export interface Concept {
  id: string
  topic: Readonly<Record<Language, string>>
  /** Synonyms; a final `*` matches the rest of a word. */
  words: readonly string[]
}

type Row = readonly [topic: string, words: string]

const order: readonly Language[] = ['nl', 'en', 'de', 'fr', 'es', 'it']

// Each row: the topic in each language in the order above, then its words in any order. A dash
// joins the words of a phrase.
const rows: readonly Row[] = [
  [
    'adres, address, Adresse, adresse, dirección, indirizzo',
    'adres address adresse dirección indirizzo gevestigd gelegen located your-location ' +
      'the-location locatie waar-zitten waar-zit-je waar-zit-u waar-zijn-jullie ' +
      'waar-is-de-winkel waar-is-jullie waar-vind-ik waar-kan-ik-jullie-vinden where-are-you ' +
      'where-is-your where-is-the-shop where-can-i-find-you how-do-i-get-there directions route ' +
      'situé situés ubicado ubicados wo-sind-sie wo-befinden wo-ist-ihr* wo-ist-die-praxis ' +
      'wo-ist-der-laden wo-ist-das-geschäft wo-liegt wo-finde-ich standort où-êtes-vous ' +
      'où-se-trouve où-vous-trouvez donde-están donde-se-encuentran dove-siete dove-vi-trovate ' +
      'dove-si-trova',
  ],
  [
    'parkeren, parking, Parken, parking, aparcamiento, parcheggio',
    'parkeren parkeer* parkeerplaats auto-kwijt parking park parked parken parkplatz ' +
      'parkplätze parkhaus stationnement stationner garer aparcar aparcamiento parcheggio ' +
      'parcheggiare',
  ],
  [
    'telefoonnummer, phone number, Telefonnummer, téléphone, teléfono, telefono',
    'telefoon telefoonnummer telefonisch phone telephone telefon telefonnummer téléphone ' +
      'teléfono telefono whatsapp',
  ],
  [
    'e-mail, email, E-Mail, e-mail, correo, email',
    'email mail mailen mailadres emailadres courriel correo',
  ],
  [
    'prijs, price, Preis, prix, precio, prezzo',
    'prijs prijzen kost kosten duur tarief tarieven price prices cost costs charge fee fees ' +
      'rates expensive preis preise kostet teuer prix coûte coûter tarif tarifs cher precio ' +
      'precios cuesta cuestan tarifa prezzo prezzi costa costano tariffa euro',
  ],
  [
    'betalen, payment, Bezahlung, paiement, pago, pagamento',
    'betalen betaal betaling betaalwijze* pinnen pin pinpas* contant creditcard* ideal pay ' +
      'paying payment* cash card cards bezahlen zahlen zahlung* in-bar bar-zahlen bar-bezahlen ' +
      'barzahlung kreditkarte* ec-karte payer paiement* espèces mit-karte par-carte ' +
      'carte-bancaire carte-de-crédit carte-bleue pagar pago efectivo tarjeta* pagare pagamento ' +
      'contanti carta-di-credito bancomat',
  ],
  [
    'afspraak, appointment, Termin, rendez-vous, cita, appuntamento',
    'afspraak afspraken afspreken appointment appointments booking termin termine vereinbaren ' +
      'rendez cita citas appuntamento appuntamenti',
  ],
  [
    'reservering, reservation, Reservierung, réservation, reserva, prenotazione',
    'reserveren reservering reserveer tafel-boeken reservation reserve book-a reservieren ' +
      'reservierung buchen réserver réservation reservar reserva prenotare prenotazione',
  ],
  [
    'bezorging, delivery, Lieferung, livraison, envío, consegna',
    'bezorgen bezorging bezorgkosten levering leveren levertijd verzenden verzending ' +
      'verzendkosten opsturen thuisbezorgd deliver delivery ship shipping liefern lieferung ' +
      'lieferzeit versand versenden livrer livraison expédition envío enviar entrega consegna ' +
      'spedizione spedire',
  ],
  [
    'retourneren, returns, Rückgabe, retour, devolución, reso',
    'retour retourneren terugsturen terugbrengen ruilen omruilen return returns exchange ' +
      'refund rückgabe zurückgeben umtauschen umtausch rembourser remboursement échanger ' +
      'devolver devolución cambiar restituire reso rimborso',
  ],
  [
    'annuleren, cancellation, Stornierung, annulation, cancelación, cancellazione',
    'annuleren annulering afzeggen cancel cancellation stornieren absagen stornierung annuler ' +
      'annulation cancelar cancelación annullare disdire cancellazione',
  ],
  [
    'garantie, warranty, Garantie, garantie, garantía, garanzia',
    'garantie warranty guarantee garantía garanzia gewährleistung',
  ],
  [
    'reparatie, repair, Reparatur, réparation, reparación, riparazione',
    'reparatie reparaties repareren herstellen repair repairs fix reparatur reparieren ' +
      'réparation réparer reparación reparar riparazione riparare kapot broken',
  ],
  [
    'toegankelijkheid, accessibility, Barrierefreiheit, accessibilité, accesibilidad, ' +
      'accessibilità',
    'rolstoel rolstoeltoegankelijk toegankelijk wheelchair accessible accessibility disabled ' +
      'rollstuhl barrierefrei fauteuil-roulant silla-de-ruedas accesible sedia-a-rotelle lift ' +
      'aufzug ascenseur elevator',
  ],
  [
    'openbaar vervoer, public transport, Nahverkehr, transports, transporte, trasporti',
    'trein bus tram metro station halte openbaar train subway bahn bahnhof zug haltestelle ' +
      'gare tren estación treno stazione',
  ],
  ['wifi, wifi, WLAN, wifi, wifi, wifi', 'wifi wlan internet'],
  [
    'huisdieren, pets, Haustiere, animaux, mascotas, animali',
    'hond honden huisdier huisdieren dog dogs pet pets hund hunde haustier haustiere chien ' +
      'chiens animaux perro perros mascota mascotas cane cani animali',
  ],
  [
    'kinderen, children, Kinder, enfants, niños, bambini',
    'kinderen mijn-kind een-kind mein-kind ein-kind kids child children daughter my-son ' +
      'dochter zoontje tochter sohn kinder enfant enfants niño niños bambino bambini',
  ],
  [
    'menu, menu, Speisekarte, carte, menú, menù',
    'menu menukaart gerechten speisekarte gerichte menú menù plats',
  ],
  [
    'allergieën, allergies, Allergien, allergies, alergias, allergie',
    'allergie allergieën glutenvrij gluten lactose allergy allergies allergien glutenfrei ' +
      'alergia alergias celíaco celiaco noten nuts',
  ],
  [
    'vegetarisch, vegetarian, vegetarisch, végétarien, vegetariano, vegetariano',
    'vegetarisch vega vegan veganistisch vegetarian vegetarische végétarien végane ' +
      'vegetariano vegano',
  ],
  [
    'korting, discount, Rabatt, réduction, descuento, sconto',
    'korting kortingscode aanbieding discount rabatt angebot réduction remise descuento ' +
      'oferta sconto offerta',
  ],
  [
    'vacatures, jobs, Stellen, emploi, empleo, lavoro',
    'vacature vacatures baan solliciteren sollicitatie job jobs vacancy hiring career ' +
      'offene-stelle* stellenangebot* bewerben emploi postuler empleo vacante lavoro assumete',
  ],
  [
    'factuur, invoice, Rechnung, facture, factura, fattura',
    'factuur facturen rekening kassabon invoice bill receipt rechnung facture factura fattura',
  ],
  [
    'cadeaubon, gift card, Gutschein, bon cadeau, tarjeta regalo, buono regalo',
    'cadeaubon cadeaubonnen cadeaukaart giftcard gift voucher gutschein cadeau regalo buono',
  ],
  [
    'huren, rental, Vermietung, location, alquiler, noleggio',
    'huren verhuur huur verhuren verhuurt huurfiets huurfietsen rent rental rentals hire ' +
      'mieten vermietung verleih leihen louer alquilar alquiler noleggio noleggiare',
  ],
]

export const concepts: readonly Concept[] = rows.map(([topics, words]) => {
  const names = topics.split(', ')
  const topic = Object.fromEntries(order.map((language, index) => [language, names[index] ?? '']))
  return {
    id: names[order.indexOf('en')] ?? '',
    topic: { nl: '', en: '', de: '', fr: '', es: '', it: '', ...topic },
    words: words.split(' ').map((word) => word.replaceAll('-', ' ')),
  }
})
