/** Messages of the team, the own account, data and other areas in Dutch, by the English message. */
export const dutchOfAreas: Readonly<Record<string, string>> = {
  'The team has no member with this id.': 'Het team heeft dit lid niet.',
  'Your role does not allow this change of the team.':
    'Met uw rol kunt u het team niet zo wijzigen.',
  'The plan … has one member, and none is free.':
    'Het abonnement … heeft plaats voor één lid, en die plaats is bezet.',
  'The plan … has … members, and none is free.':
    'Het abonnement … heeft … plaatsen, en die zijn bezet.',
  'An owner works with the whole project.': 'Een eigenaar werkt met het hele project.',
  'A project needs an owner. Make another member an owner first.':
    'Een project heeft een eigenaar nodig. Maak eerst een ander lid eigenaar.',
  'This person owns as many projects as a person can.':
    'Deze persoon is al eigenaar van zoveel projecten als kan.',
  'You own … projects, which is the maximum.': 'U bent eigenaar van … projecten, het maximum.',
  'You created … projects in a day. Try again tomorrow.':
    'U hebt vandaag … projecten gemaakt. Probeer het morgen opnieuw.',
  '… is already in the team.': '… zit al in het team.',
  'This invitation is no longer open.': 'Deze uitnodiging is niet meer open.',
  'This invitation is no longer open, or is for another person.':
    'Deze uitnodiging is niet meer open, of is voor iemand anders.',
  'There is no such project.': 'Dit project bestaat niet.',
  'Passkeys need an https address with a host name, which this server lacks.':
    'Passkeys hebben een https-adres met een naam nodig, en dat heeft deze server niet.',
  'This is your only way to sign in.': 'Dit is uw enige manier om in te loggen.',
  'You have no such passkey.': 'U hebt deze passkey niet.',
  'You have an authenticator app. Remove it first to set up another.':
    'U hebt al een authenticator-app. Verwijder die eerst om een andere in te stellen.',
  'You are the only owner of ….': 'U bent de enige eigenaar van ….',
  'Type your email address, …, to delete your account.':
    'Typ uw e-mailadres, …, om uw account te verwijderen.',
  'These were too many attempts. Try again in … min.':
    'Dat waren te veel pogingen. Probeer het over … min. opnieuw.',
  'This server sends no mail, so a new address cannot be confirmed.':
    'Deze server verstuurt geen mail, dus een nieuw adres kan niet worden bevestigd.',
  'This address has an account of its own.': 'Dit adres heeft al een eigen account.',
  'The terms changed in the meantime. Reload the page and read the new ones.':
    'De voorwaarden zijn intussen gewijzigd. Laad de pagina opnieuw en lees de nieuwe.',
  'This server has no payment provider, so only its operator can top up.':
    'Deze server heeft geen betaalprovider; alleen de beheerder kan opwaarderen.',
  'A document with this id already exists.': 'Er bestaat al een document met deze id.',
  'Another document already has this value.': 'Een ander document heeft deze waarde al.',
  'The values of "…" are of another kind: use ….':
    'De waarden van "…" zijn van een andere soort: gebruik ….',
  'This collection is too large to be searched by words. Use a filter instead.':
    'Deze collectie is te groot om op woorden te doorzoeken. Gebruik een filter.',
  'This question takes too long to answer for a collection of this size.':
    'Deze vraag duurt te lang voor een collectie van deze grootte.',
  'Some numbers or dates in this file can be read in two ways.':
    'Sommige getallen of datums in dit bestand zijn op twee manieren te lezen.',
  'The file cannot be read: … does not match its format.':
    'Het bestand kan niet worden gelezen: … past niet bij het formaat.',
  'The assistant is not set up yet.': 'De assistent is nog niet ingesteld.',
  'The assistant is not set up yet, so it would not answer a call.':
    'De assistent is nog niet ingesteld en zou dus geen gesprek aannemen.',
  'The assistant cannot do that for you.': 'Dat kan de assistent niet voor u doen.',
  'This conversation has become too long. Start a new one.':
    'Dit gesprek is te lang geworden. Begin een nieuw gesprek.',
  'We cannot tell whether this was done, because …. Please look before you ask for it again.':
    'Wij weten niet of dit is gedaan, omdat … Kijk eerst voordat u het opnieuw vraagt.',
  'You can only remove scopes here. To add scopes, connect again.':
    'Hier kunt u alleen rechten weghalen. Maak opnieuw verbinding om er toe te voegen.',
  'Only an owner or an admin of the project can make keys.':
    'Alleen een eigenaar of beheerder van het project kan sleutels maken.',
  'This project has no such key.': 'Dit project heeft deze sleutel niet.',
  'This project already has as many payment links as it may have.':
    'Dit project heeft al zoveel betaallinks als het mag hebben.',
  'This project has more than the plan … allows: ….':
    'Dit project heeft meer dan het abonnement … toestaat: ….',
  'The search took too long. Try again in a minute.':
    'Het zoeken duurde te lang. Probeer het over een minuut opnieuw.',
  'The person must be … or older. Check the date of birth.':
    'De persoon moet … of ouder zijn. Controleer de geboortedatum.',
  'This upload link was used or has expired. Choose the file again.':
    'Deze uploadlink is gebruikt of verlopen. Kies het bestand opnieuw.',
  'The upload was withdrawn meanwhile. Choose the file again.':
    'De upload is intussen ingetrokken. Kies het bestand opnieuw.',
  'The file is larger than …. Save it smaller, or scan it again in black and white.':
    'Het bestand is groter dan …. Sla het kleiner op, of scan het opnieuw in zwart-wit.',
  'Too many files were uploaded today. Try again tomorrow.':
    'Er zijn vandaag te veel bestanden geüpload. Probeer het morgen opnieuw.',
  'The time span has more than … events: choose a shorter one.':
    'Deze periode heeft meer dan … events: kies een kortere.',
  'It is more than … days ago.': 'Dit is meer dan … dagen geleden.',
  'It must be later than from.': 'Dit moet na het begin zijn.',
  'It is not a valid time.': 'Dit is geen geldige tijd.',
  'The name servers did not answer for …. It is checked again.':
    'De nameservers gaven geen antwoord voor …. Het wordt opnieuw gecontroleerd.',
  'There is no DMARC record at …. Large mailbox providers ask for one.':
    'Er is geen DMARC-record bij …. Grote mailboxproviders vragen daarom.',
  'There is no … record with the name … yet.': 'Er is nog geen …-record met de naam ….',
  'The record is right.': 'Het record klopt.',
  'The record leads to …, and must lead to ….':
    'Het record verwijst naar …, maar moet verwijzen naar ….',
  'The record … has another value. Copy the value again, with all its characters.':
    'Het record … heeft een andere waarde. Kopieer de waarde opnieuw, met alle tekens.',
  'There are several DMARC records, so none of them counts.':
    'Er zijn meerdere DMARC-records, dus geen ervan telt.',
  'The DMARC record has no policy p=none, quarantine or reject.':
    'Het DMARC-record heeft geen beleid p=none, quarantine of reject.',
  'The DMARC policy is ….': 'Het DMARC-beleid is ….',
}
