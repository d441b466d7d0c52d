/** Irregular verb forms that a stemmer does not reduce to the stem of their infinitive. */
import type { SearchLanguage } from './words/word-lists.ts'

/** Each line has an infinitive and its irregular forms. */
const verbs: Readonly<Record<SearchLanguage, string>> = {
  en: `
    send sent
    pay paid
    say said
    tell told
    take took taken
    give gave given
    get got gotten
    keep kept
    hear heard
    find found
    lose lost
    leave left
    ring rang rung
    speak spoke spoken
    write wrote written
    choose chose chosen
    throw threw thrown
    break broke broken
    buy bought
    bring brought
    make made
    build built
    hold held
    spend spent
    see saw seen
    show shown`,
  nl: `
    nemen nam namen genomen
    geven gaf gaven gegeven
    schrijven schreef geschreven
    spreken sprak gesproken
    zien zag zagen gezien
    kijken keek gekeken
    vinden vond gevonden
    sluiten sloot gesloten
    kiezen koos gekozen
    krijgen kreeg gekregen
    brengen bracht gebracht
    kopen kocht gekocht
    zoeken zocht gezocht
    vragen vroeg gevraagd
    roepen riep geroepen
    laten liet gelaten
    trekken trok getrokken
    wijzen wees gewezen
    bellen gebeld
    doen doe deed gedaan`,
  de: `
    nehmen nimm nimmt nahm genommen
    geben gib gibt gab gegeben
    werfen wirf wirft warf geworfen
    schmeißen schmiss geschmissen
    lesen lies liest las gelesen
    sprechen sprich spricht sprach gesprochen
    sehen sieh sieht sah gesehen
    vergessen vergiss vergisst vergaß
    laden lädt lud geladen
    ziehen zog gezogen
    rufen rief gerufen
    schreiben schrieb geschrieben
    kommen kam gekommen
    gehen ging gegangen
    finden fand gefunden
    stehen stand gestanden
    schließen schloss geschlossen
    bringen brachte gebracht
    verlieren verlor verloren
    tragen trägt trug getragen
    halten hält hielt gehalten
    lassen lässt ließ gelassen
    binden band gebunden
    schieben schob geschoben
    schneiden schnitt geschnitten
    weisen wies gewiesen
    hängen hing gehangen
    legen leg`,
}

function formsOf(list: string): ReadonlyMap<string, string> {
  const lines = list.trim().split('\n')
  return new Map(
    lines.flatMap((line) => {
      const [infinitive = '', ...forms] = line.trim().split(' ')
      return forms.map((form) => [form, infinitive] as const)
    }),
  )
}

const infinitives: Readonly<Record<SearchLanguage, ReadonlyMap<string, string>>> = {
  en: formsOf(verbs.en),
  nl: formsOf(verbs.nl),
  de: formsOf(verbs.de),
}

/** Returns the infinitive of an irregular form; null for other words. */
export function findInfinitive(word: string, language: SearchLanguage): string | null {
  return infinitives[language].get(word) ?? null
}
