/** The effects and costs of operations that need approval, in Dutch. */

/** Keyed by operation. A test requires a text for each operation that needs approval. */
export const dutchEffects: Readonly<Record<string, string>> = {
  'agents.delete': 'Verwijdert een agent, met de geschiedenis van zijn werk.',
  'apps.delete': 'Verwijdert een app met zijn database, de mensen die inlogden, geheimen en log.',
  'assistant_tools.put': 'Laat bezoekers en bellers de assistent naar deze velden vragen.',
  'calls.delete': 'Verwijdert een gesprek met transcript, samenvatting en berichten.',
  'calls.delete_summary':
    'Verwijdert de samenvatting van een gesprek. Het transcript en de berichten blijven.',
  'calls.hang_up': 'Beëindigt een gesprek dat gaande is.',
  'calls.place': 'De assistent belt iemand op. Elke minuut wordt in rekening gebracht.',
  'calls.record_consent': 'Legt vast dat iemand voor reclame gebeld mag worden.',
  'calls.transfer': 'Verbindt een gesprek dat gaande is door met een andere telefoon.',
  'calls.withdraw_consent':
    'Verwijdert de toestemming van iemand om voor reclame gebeld te worden.',
  'chat_tokens.delete':
    'Zet de chat en de formulieren uit op de pagina’s met deze publieke token, voorgoed. De formulieren van een site van het project werken weer na de volgende publicatie.',
  'collections.delete': 'Verwijdert een collectie met alle documenten.',
  'conversations.delete': 'Verwijdert een chatgesprek met berichten en samenvatting.',
  'conversations.delete_summary':
    'Verwijdert de samenvatting van een chatgesprek. De berichten blijven.',
  'conversations.reply':
    'Stuurt deze tekst naar een bezoeker van de chat, als iemand van het bedrijf.',
  'deliveries.redeliver': 'Stuurt één gebeurtenis van dit project opnieuw naar de ontvanger.',
  'documents.batch': 'Wijzigt veel documenten in één keer.',
  'documents.delete': 'Verwijdert een document.',
  'documents.import': 'Importeert documenten uit een tabel.',
  'documents.import_media': 'Importeert documenten uit een bestand van de mediabibliotheek.',
  'email_suppressions.delete':
    'Laat een adres weer e-mail krijgen dat onbestelbaar was of geen e-mail meer wilde.',
  'emails.create': 'Verstuurt een e-mail namens het bedrijf.',
  'emails.create_batch': 'Verstuurt veel e-mails namens het bedrijf.',
  'knowledge_sources.delete': 'Verwijdert wat de assistent van deze bron heeft geleerd.',
  'media.batch': 'Wijzigt meerdere bestanden van de mediabibliotheek.',
  'media.delete': 'Verwijdert een bestand van de mediabibliotheek.',
  'media.import': 'Kopieert een bestand van een internetadres naar de mediabibliotheek.',
  'media.replace':
    'Vervangt een bestand van de mediabibliotheek en publiceert de sites die het tonen.',
  'messages.send': 'Stuurt een sms naar een mobiele telefoon, betaald per segment.',
  'numbers.order': 'Bestelt een telefoonnummer voor het project, met kosten per maand.',
  'numbers.release':
    'Geeft een testnummer terug. Het belplan wordt verwijderd; de gesprekken en berichten blijven.',
  'orders.create': 'Maakt een bestelling met een pagina waarop een klant het bedrijf betaalt.',
  'payment_links.create': 'Maakt een pagina waarop klanten het bedrijf betalen.',
  'payment_subscriptions.create': 'Maakt een abonnement dat een klant elke periode laat betalen.',
  'payment_subscriptions.cancel': 'Beëindigt het abonnement van een klant.',
  'orders.refund': 'Geeft geld van een bestelling terug aan de klant.',
  'personal_data.erase':
    'Wist de gegevens van één persoon voorgoed: telefoongesprekken, sms, chats en documenten.',
  'retention.put':
    'Stelt in hoe lang gegevens bewaard blijven. Oudere gegevens worden voorgoed verwijderd.',
  'sending_domains.delete_bimi': 'Verwijdert het logo van een domein voor inboxen.',
  'sending_domains.delete':
    'Verwijdert een domein om e-mail te versturen. Vanaf dit domein kan geen e-mail meer weg.',
  'sites.delete':
    'Verwijdert een site met alle versies. Het adres komt vrij voor anderen; documenten uit de formulieren blijven.',
  'sites.publish': 'Publiceert een nieuwe versie van een site, meteen zichtbaar voor bezoekers.',
  'unanswered_questions.delete': 'Haalt een vraag van de lijst met onbeantwoorde vragen.',
  'webhooks.create':
    'Stuurt de gekozen gebeurtenissen van dit project vanaf nu naar een internetadres.',
  'webhooks.delete':
    'Verwijdert een ontvanger van gebeurtenissen. Wat nog wacht, wordt niet meer gestuurd.',
  'webhooks.replay': 'Stuurt de gebeurtenissen van een periode opnieuw naar de ontvanger.',
  'webhooks.test': 'Stuurt een testgebeurtenis naar een ontvanger op internet.',
  'webhooks.update':
    'Verandert waarheen de gebeurtenissen van dit project gaan, of welke. Wat nog wacht, gaat naar het nieuwe adres.',
}

/** Falls back to English for an operation of an earlier version. */
export function describeInDutch({ operation, about }: Described): string {
  return dutchEffects[operation] ?? dutchWrites[operation] ?? about
}

/** Operations that only agents have to ask for. */
const dutchWrites: Readonly<Record<string, string>> = {
  'assistant_facts.create': 'Leert de assistent een vraag met het antwoord.',
}

interface Described {
  operation: string
  /** The description in English. */
  about: string
}

const units: Readonly<Record<string, string>> = {
  month: 'maand',
  minute: 'minuut',
  segment: 'segment',
  message: 'bericht',
}

/** Translates the stored cost of an approval; returns it unchanged if its form is unknown. */
export function costInDutch(cost: string): string {
  if (cost === 'It is paid from the payment account of the project.') {
    return 'Het wordt betaald uit de betaalrekening van het project.'
  }
  if (cost.startsWith('Nothing real happens and nothing is paid')) {
    return 'Er gebeurt niets echts en er wordt niets betaald: dit onderdeel van het project staat in test.'
  }
  const [, price, unit = ''] = /^It costs ([\d.]+) euro a (\w+) without VAT/.exec(cost) ?? []
  if (price === undefined) return cost
  const costs = `Het kost ${price.replace('.', ',')} euro per ${units[unit] ?? unit} zonder btw`
  return unit === 'month'
    ? `${costs}. De eerste maand wordt meteen uit het tegoed betaald, elke volgende als die begint.`
    : `${costs}, betaald uit het tegoed.`
}
