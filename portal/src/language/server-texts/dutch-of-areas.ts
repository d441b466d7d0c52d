/** Messages of the team, the own account, data and other areas in Dutch, by the English message. */
export const dutchOfAreas: Readonly<Record<string, string>> = {
  'This project already has … keys. Revoke one that nobody uses.':
    'Dit project heeft al … sleutels. Trek er een in die niemand gebruikt.',
  'is not valid': 'klopt niet',
  '"…": false has no effect: ….': '"…": false heeft in deze stap geen effect.',
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
  'We cannot tell whether this was done, because an attempt was begun and cannot be repeated. Please look before you ask for it again.':
    'Wij weten niet of dit is gedaan, omdat een poging is begonnen en niet kan worden herhaald. Kijk eerst voordat u het opnieuw vraagt.',
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
  'The answer of the language model was too long. Give the agent a smaller task.':
    'Het antwoord van het taalmodel was te lang. Geef de agent een kleinere taak.',
  'The agent was changed meanwhile. Look at it and approve again.':
    'De agent is intussen gewijzigd. Bekijk hem en keur opnieuw goed.',
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
  'There must be one DMARC record at ….': 'Er moet één DMARC-record zijn bij ….',
  'The policy at … must be p=quarantine or p=reject.':
    'Het beleid bij … moet p=quarantine of p=reject zijn.',
  'The record at … must have no pct below 100.':
    'Het record bij … mag geen pct onder de 100 hebben.',
  'The policy for subdomains at … must be sp=quarantine or sp=reject.':
    'Het beleid voor subdomeinen bij … moet sp=quarantine of sp=reject zijn.',
  'The name servers did not answer for ….': 'De nameservers gaven geen antwoord voor ….',
  'The logo could not be loaded: …': 'Het logo kon niet worden geladen: …',
  'The logo must be a public file.': 'Het logo moet een openbaar bestand zijn.',
  'The logo must be an SVG file.': 'Het logo moet een SVG-bestand zijn.',
  'The logo must have version="1.2" and baseProfile="tiny-ps".':
    'Het logo moet version="1.2" en baseProfile="tiny-ps" hebben.',
  'The logo must have a square viewBox.': 'Het logo moet een vierkante viewBox hebben.',
  'The logo must have a <title>.': 'Het logo moet een <title> hebben.',
  'The logo must not have <…>.': 'Het logo mag geen <…> hebben.',
  'The logo must have no scripts and no links.': 'Het logo mag geen scripts en links hebben.',
  'The domain takes no email.': 'Het domein ontvangt geen e-mail.',
  'The mailbox does not exist.': 'Het e-mailadres bestaat niet.',
  'The mailbox is full.': 'Het postvak is vol.',
  'The mailbox is switched off.': 'Het postvak is uitgeschakeld.',
  'The message is too large for this mailbox.': 'Het bericht is te groot voor dit postvak.',
  'The mail server asks to try again later.':
    'De mailserver vraagt om het later opnieuw te proberen.',
  'The mail server blocks this sender at the moment.':
    'De mailserver blokkeert deze afzender op dit moment.',
  'The mail server could not confirm the sender domain.':
    'De mailserver kon het domein van de afzender niet bevestigen.',
  'The mail server does not take mail for this domain.':
    'De mailserver neemt geen e-mail aan voor dit domein.',
  'The mail server found no way to the mailbox.': 'De mailserver vond geen weg naar het postvak.',
  'The mail server refuses an attachment.': 'De mailserver weigert een bijlage.',
  'The mail server refuses the message by its policy.':
    'De mailserver weigert het bericht volgens zijn regels.',
  'The mail server takes no more messages at the moment.':
    'De mailserver neemt op dit moment geen berichten meer aan.',
  'The mail server takes the content for spam.': 'De mailserver houdt de inhoud voor spam.',
  'The mail server could not be reached.': 'De mailserver was niet bereikbaar.',
  'Sending was interrupted after the message was handed over. It may have arrived, and is not sent again.':
    'Het versturen werd onderbroken nadat het bericht was overgedragen. Het kan zijn aangekomen en wordt niet opnieuw verstuurd.',
  'The recipient marked the email as spam.': 'De ontvanger heeft de e-mail als spam gemeld.',
  'Added by the business.': 'Toegevoegd door het bedrijf.',
  '… other approvals are already waiting for you. Decide about those first.':
    'Er wachten al … andere goedkeuringen op u. Beslis eerst daarover.',
  '… top-ups are waiting to be paid already.': 'Er wachten al … opwaarderingen op betaling.',
  '… may only use these …: ….': '… mag alleen … gebruiken: ….',
  'This list cannot be filtered or sorted by "…".…': 'Deze lijst kan niet op "…" worden gefilterd.',
  'There is no field "…" in this collection.…': 'Deze collectie heeft geen veld "…".…',
  'The … is not understood …: it needs … there.…':
    'De zoekopdracht is niet te begrijpen: hier hoort … te staan.',
  'The time zone is not known. It is a name such as Europe/Amsterdam.':
    'De tijdzone is niet bekend. Het is een naam zoals Europe/Amsterdam.',
  'This cannot go live yet. …': 'Dit kan nog niet live: er ontbreekt nog iets.',
  'This installation creates no accounts by invitation.':
    'Op deze server worden geen accounts op uitnodiging gemaakt.',
  '… has an account already.': '… heeft al een account.',
  'There are … open invitations, which is the maximum.':
    'Er staan … uitnodigingen open, het maximum.',
  'These were too many invitations in an hour. …':
    'Dat waren te veel uitnodigingen in een uur. Probeer het later opnieuw.',
  'The payment failed, so nothing was changed: …':
    'De betaling is mislukt, dus er is niets gewijzigd: …',
  '… Check it again before you decide.': '… Bekijk het opnieuw voordat u beslist.',
  'This proposal was decided or withdrawn meanwhile.':
    'Over dit voorstel is intussen beslist, of het is ingetrokken.',
  'Everything works as far as the service can tell.': 'Alles werkt, voor zover bekend.',
  'Not everything works at the moment: ….': 'Niet alles werkt op dit moment: ….',
  'The service has a problem at the moment and is being brought back.':
    'De dienst heeft nu een storing en wordt hersteld.',
  'Too many codes were sent …. Try again later.':
    'Er zijn te veel codes verstuurd. Probeer het later opnieuw.',
  'This conversation has become too long. …': 'Dit gesprek is te lang geworden. Begin een nieuw.',
  'This form was sent from another site, so nothing was done.':
    'Dit formulier kwam van een andere site, dus er is niets gedaan.',
  'A public site needs a saved card or a verified phone number. Unlisted, it can be published now.':
    'Een openbare site vraagt een bewaarde kaart of een geverifieerd telefoonnummer. Verborgen kan hij nu al worden gepubliceerd.',
  'This search takes too long.': 'Dit zoeken duurt te lang.',
  'Your role in this project does not reach that far.': 'Met uw rol in dit project kan dat niet.',
  'This request was withdrawn, so nothing was done.':
    'Dit verzoek is ingetrokken, dus er is niets gedaan.',
  'The connection that asked for this has ended, so nothing was done.':
    'De verbinding die hierom vroeg is beëindigd, dus er is niets gedaan.',
  'This link has expired. Export the data again.':
    'Deze link is verlopen. Exporteer de gegevens opnieuw.',
  'This link has expired. Export the project again.':
    'Deze link is verlopen. Exporteer het project opnieuw.',
  'The service is still working on your other requests of this kind.':
    'Er wordt nog gewerkt aan uw andere verzoeken van deze soort.',
  'This document was deleted.': 'Dit document is verwijderd.',
  'What this changes is different now. Review it again before you decide.':
    'Wat dit verandert is nu anders. Bekijk het opnieuw voordat u beslist.',
  'What this changes is different now, so nothing was done.':
    'Wat dit verandert is nu anders, dus er is niets gedaan.',
  'Please confirm that it is you, then try again.':
    'Bevestig dat u het bent en probeer het opnieuw.',
  'This is for people who are signed in.': 'Dit is voor wie is ingelogd.',
  'Please sign in.': 'Log in.',
  'There is no such project, or you are not in its team.':
    'Dit project bestaat niet, of u zit niet in het team.',
  'Only an owner can do this.': 'Alleen een eigenaar kan dit doen.',
  'Only a member with the role … or above can do this.':
    'Alleen een lid met de rol … of hoger kan dit doen.',
  'There is nowhere to send it. Set HOMEPORT_ALERT_MAIL to an address, or HOMEPORT_ALERT_WEBHOOK to a URL.':
    'Er is niets waarheen het kan. Stel HOMEPORT_ALERT_MAIL in op een adres, of HOMEPORT_ALERT_WEBHOOK op een URL.',
  'Backups are off. Set HOMEPORT_BACKUPS to a folder or a bucket.':
    'Back-ups staan uit. Stel HOMEPORT_BACKUPS in op een map of bucket.',
  'This connection was ended. Connect again to go on.':
    'Deze verbinding is beëindigd. Maak opnieuw verbinding.',
  'This connection may only place pictures that its site shows already.':
    'Deze verbinding mag alleen beelden plaatsen die de site al toont.',
  'Search for fewer words, or in a shorter time with since and until.':
    'Zoek op minder woorden, of in een kortere periode.',
  'Search for fewer words, or with another filter, such as status or language.':
    'Zoek op minder woorden, of met een ander filter.',
  'The picture is damaged or cut off. Take it again, and upload the whole file.':
    'De afbeelding is beschadigd of afgekapt. Maak hem opnieuw en upload het hele bestand.',
  'Only these can be asked for again: ….': 'Alleen deze kunnen opnieuw worden gevraagd: ….',
  'This was decided or withdrawn meanwhile.':
    'Hierover is intussen beslist, of het is ingetrokken.',
  'Write why it is rejected, and how to fix it.':
    'Schrijf waarom het is afgewezen, en hoe het is te verhelpen.',
  'The plan … has …, and none is free.': 'Het abonnement … heeft …, en daarvan is niets vrij.',
  'More than the … announced bytes were sent.': 'Er zijn meer dan … bytes gestuurd.',
  'The bytes have the SHA-256 …, which differs from the announced one.':
    'Het bestand is onderweg veranderd. Kies het opnieuw.',
  'The request has … bytes, and … were announced.':
    'Het bestand is intussen veranderd. Kies het opnieuw.',
  '… bytes were sent, and … were announced.':
    'Het bestand is intussen veranderd. Kies het opnieuw.',
  'Please enter an email address.': 'Vul een e-mailadres in.',
  'This code does not work. Ask for a new one.': 'Deze code werkt niet. Vraag een nieuwe.',
  'The code of the app has an error and does not start, so nothing was published.':
    'De code van de app heeft een fout en start niet, dus er is niets geplaatst.',
  'This site has an app already.': 'Deze site heeft al een app.',
  'This app has no earlier version to go back to.':
    'Deze app heeft geen eerdere versie om naar terug te gaan.',
  'The migration "…" ran before with other SQL. Give a change a new name.':
    'De migratie "…" liep al met andere SQL. Geef een wijziging een nieuwe naam.',
  'The database would have …; this plan allows ….':
    'De database zou … groot zijn; dit abonnement staat … toe.',
  'It ran before with other SQL. Give a change a new name.':
    'Deze liep al met andere SQL. Geef een wijziging een nieuwe naam.',
  'Please sign in again to change this.': 'Log opnieuw in om dit te wijzigen.',
  'is wrong, or the address has no password': 'is onjuist, of het adres heeft geen wachtwoord',
  'The email address or the password is wrong. You can also ask for a code by email.':
    'Het e-mailadres of het wachtwoord is onjuist. U kunt ook een code per e-mail vragen.',
  'You have … passkeys, which is the maximum. Remove one first.':
    'U hebt … passkeys, meer kan niet. Verwijder er eerst een.',
  'This app was imported and is not deployed yet.':
    'Deze app is geïmporteerd en staat nog niet online.',
  'is no text in UTF-8': 'is geen tekst in UTF-8',
  'must have either text or sha256': 'moet een tekst of een sha256 hebben, niet allebei',
}
