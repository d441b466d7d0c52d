/**
 * Dutch words of wishes in English. The portal is also in Dutch, and without a language model nothing
 * else translates a sentence before the operations are searched, which are described in English.
 */

const lines = [
  'create: maak maken aanmaken nieuw nieuwe voeg toevoegen',
  'delete: verwijder verwijderen wis wissen',
  'change: wijzig wijzigen verander veranderen aanpassen bewerk bewerken',
  'rename: hernoem hernoemen',
  'send: stuur sturen verstuur versturen',
  'order: bestel bestellen bestelling bestellingen koop kopen',
  'invite: nodig uitnodigen uitnodiging uitnodigingen',
  'top up: waardeer opwaarderen tegoed',
  'publish: publiceer publiceren',
  'restore: herstel herstellen terugzetten',
  'enable: inschakelen aanzetten',
  'disable: uitschakelen uitzetten',
  'forward: doorschakelen doorverbinden',
  'revoke: intrekken blokkeer blokkeren',
  'export: exporteer exporteren downloaden',
  'import: importeer importeren inlezen',
  'cancel: annuleer annuleren',
  'collection: verzameling verzamelingen tabel lijst',
  'document: gegeven gegevens rij',
  'balance: saldo',
  'cost: kosten prijs',
  'invoice: factuur facturen',
  'number: nummer nummers telefoonnummer telefoonnummers',
  'call: gesprek gesprekken oproep oproepen bellen',
  'call flow menu: belplan keuzemenu',
  'opening hours: openingstijden',
  'greeting: begroeting',
  'message: bericht berichten',
  'key: sleutel sleutels',
  'form field: veld velden formulier',
  'photo: foto afbeelding afbeeldingen bestand bestanden',
  'customer: klant klanten',
  'appointment: afspraak afspraken reservering reserveringen',
  'member: lid leden medewerker collega',
  'role: rol',
  'password: wachtwoord',
  'domain: domein',
  'version: versie versies',
  'subscription: abonnement',
  'spending cap: bestedingslimiet uitgavenlimiet',
  'signature: handtekening',
  'connection: koppeling koppelingen',
  'approval: goedkeuring goedkeuringen',
  'outage: storing',
  'company details: bedrijf bedrijfsgegevens',
  'address: adres',
  'name: naam',
  'verify: controleer controleren',
  'knowledge: kennis kennisbron',
]

/** Dutch stop words, of which none is an English word with a meaning for a wish. */
const stopWords =
  'de het een ik mij mijn wij onze ons jij je u uw dat dit deze er aan als bij en met naar om op te toe ' +
  'uit van voor hoe wat welke waar wanneer wie kan kun kunnen wil willen moet moeten graag'

const english = new Map(
  [`: ${stopWords}`, ...lines].flatMap((line) => {
    const [words = '', dutch = ''] = line.split(': ')
    return dutch.split(' ').map((word) => [word, words] as const)
  }),
)

/** Replaces Dutch words of a sentence, and leaves out stop words. All other words stay. */
export function toEnglish(sentence: string): string {
  return sentence.replaceAll(/\p{L}+/gu, (word) => english.get(word.toLowerCase()) ?? word)
}
