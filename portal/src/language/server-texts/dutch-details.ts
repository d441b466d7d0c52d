/**
 * Messages of single operations in Dutch, by the English message. `…` stands for a part that
 * differs, such as a name or number, and is kept.
 */
export const dutchDetails: Readonly<Record<string, string>> = {
  'The server cannot be reached. Check your connection, then try again.':
    'De server is niet bereikbaar. Controleer uw verbinding en probeer het opnieuw.',
  'This agent is switched off or paused. Switch it on first.':
    'Deze agent staat uit of is gepauzeerd. Zet hem eerst aan.',
  'This action cannot be approved in advance.': 'Deze actie kan niet vooraf worden goedgekeurd.',
  'This agent has no such action.': 'Deze agent heeft deze actie niet.',
  'This agent needs a language model, and none is configured.':
    'Deze agent heeft een taalmodel nodig, en er is er geen ingesteld.',
  'The time zone is unknown.': 'De tijdzone is onbekend.',
  'This sentence fits no fixed steps, and no language model is configured. Say when the agent starts and what it mails you, use a ready-made agent, or choose the steps yourself.':
    'Deze zin past niet bij vaste stappen, en er is geen taalmodel ingesteld. Zeg wanneer de agent begint en wat hij u mailt, gebruik een kant-en-klare agent, of kies zelf de stappen.',
  'The agent is switched off or paused.': 'De agent staat uit of is gepauzeerd.',
  'No past event starts this agent. Cause one, such as a test call or a test order.':
    'Er is geen eerdere gebeurtenis die deze agent start. Veroorzaak er een, zoals een testgesprek of een testbestelling.',
  'Too many runs of this agent wait to start. Try again when some have started.':
    'Deze agent moet nog te vaak starten. Probeer het opnieuw als hij verder is.',
  'This agent had too many dry runs in the last 24 hours. Try again later.':
    'Deze agent is in de laatste 24 uur te vaak uitgeprobeerd. Probeer het later opnieuw.',
  'The values that the templates insert are too large together.':
    'De waarden die worden ingevuld zijn samen te groot.',
  'The chart needs labels and a value of at least 0 for each, at most ….':
    'De grafiek heeft namen nodig, met voor elke naam een waarde van 0 of meer, en ten hoogste ….',
  'This run has already ended.': 'Dit is al afgelopen.',
  'The run of the agent has ended.': 'Het werk van de agent is afgelopen.',
  'The project already has … agents. Delete one that is no longer needed.':
    'Het project heeft al … agents. Verwijder er een die niet meer nodig is.',
  'Something went wrong on our side, so the run was stopped.':
    'Er ging bij ons iets mis, daarom is de agent gestopt.',
  'A person rejected this step, or did not decide in time.':
    'Iemand heeft deze stap afgewezen, of niet op tijd beslist.',
  'Agents cannot use the operation ….': 'Agents mogen de bewerking … niet gebruiken.',
  'The message to the owner needs a subject and a text.':
    'De mail aan de eigenaar heeft een onderwerp en een tekst nodig.',
  'is missing': 'ontbreekt',
  'must be a text': 'moet een tekst zijn',
  'must have at most … characters': 'mag ten hoogste … tekens hebben',
  'must be a number such as …, without quotes':
    'moet een getal zijn zoals …, zonder aanhalingstekens',
  'must be a number such as …': 'moet een getal zijn zoals …',
  'must be in whole cents': 'moet in hele centen zijn',
  'is not accepted by the provider':
    'De aanbieder accepteert deze sleutel niet. Kopieer de live-sleutel opnieuw, zonder spaties.',
  'is needed to connect this provider': 'is nodig om deze aanbieder te koppelen',
  'must be a live key, because real orders are paid with it':
    'moet een live-sleutel zijn, want er worden echte bestellingen mee betaald',
  'must have at most two decimals': 'mag ten hoogste twee decimalen hebben',
  'must not be below 0': 'mag niet onder 0 zijn',
  'must be at most …': 'mag ten hoogste … zijn',
  'must be a whole number of pieces': 'moet een heel aantal stuks zijn',
  'must be the id of a picture in the media library':
    'moet de id van een afbeelding in de mediatheek zijn',
  'is not a picture in the media library, so it is not shown':
    'is geen afbeelding in de mediatheek en wordt dus niet getoond',
  'does not go with public_write, because visitors could then write prices':
    'gaat niet samen met public_write: bezoekers kunnen dan prijzen schrijven',
  'This is not a phone number. Write it with its country, such as +31 6 12345678.':
    'Dit is geen telefoonnummer. Schrijf het met het land, zoals +31 6 12345678.',
  'This number is fictional and reaches nobody.': 'Dit nummer is verzonnen en bereikt niemand.',
  'This phone number does not exist.': 'Dit telefoonnummer bestaat niet.',
  'Codes are sent to numbers in the European Union, Great Britain, Iceland, Liechtenstein, Norway and Switzerland only.':
    'Codes gaan alleen naar nummers in de Europese Unie, Groot-Brittannië, IJsland, Liechtenstein, Noorwegen en Zwitserland.',
  'A landline gets no text messages. Choose a call.':
    'Een vast nummer krijgt geen sms. Kies een telefoontje.',
  'Use an ordinary mobile number or landline: no codes are sent to this kind of number.':
    'Gebruik een gewoon mobiel of vast nummer: naar dit soort nummer gaan geen codes.',
  'The carrier cannot reach this number. Check it, or use another one.':
    'Dit nummer is niet bereikbaar. Controleer het, of gebruik een ander.',
  'The code could not be sent at the moment. Try again in a few minutes.':
    'De code kan nu niet worden verstuurd. Probeer het over een paar minuten opnieuw.',
  'This code is wrong. Check it, or ask for a new one.':
    'Deze code klopt niet. Controleer hem, of vraag een nieuwe.',
  'This code has expired, or was tried too often. Ask for a new one.':
    'Deze code is verlopen, of te vaak geprobeerd. Vraag een nieuwe.',
  'Too many codes were sent in this hour. Try again later.':
    'Er zijn dit uur te veel codes verstuurd. Probeer het later opnieuw.',
  'Too many codes were sent to this number. Try again later.':
    'Er zijn te veel codes naar dit nummer gestuurd. Probeer het later opnieuw.',
  'Too many codes were sent today. Try again later.':
    'Er zijn vandaag te veel codes verstuurd. Probeer het later opnieuw.',
  'This number has verified … projects already. Use another number.':
    'Met dit nummer zijn al … projecten geverifieerd. Gebruik een ander nummer.',
  'This server sends no codes, so its operator confirms phone numbers.':
    'Deze server verstuurt geen codes. De beheerder bevestigt telefoonnummers.',
  'The business register lists … as ended. Enter the number of an active company.':
    'Volgens het handelsregister is … beëindigd. Vul het nummer van een actief bedrijf in.',
  'The business register has another name for … than "…". Enter the statutory name or a trade name as registered.':
    'Het handelsregister heeft bij … een andere naam dan "…". Vul de statutaire naam of een handelsnaam in zoals geregistreerd.',
  'The business register has another address for …. Enter the postal code and house number as registered.':
    'Het handelsregister heeft bij … een ander adres. Vul de postcode en het huisnummer in zoals geregistreerd.',
  'The business register has no company with this number. Check the number on your extract.':
    'Het handelsregister kent geen bedrijf met dit nummer. Controleer het nummer op uw uittreksel.',
  'This file is empty.': 'Dit bestand is leeg.',
  'The file cannot be read.': 'Het bestand kan niet worden gelezen.',
  'Upload a PDF, or a picture as JPEG, PNG or WebP.':
    'Upload een PDF, of een afbeelding als JPEG, PNG of WebP.',
  'The picture is too small to be read: use at least … pixels each way.':
    'De afbeelding is te klein om te lezen: gebruik minstens … pixels in elke richting.',
  'This PDF is damaged, or not a PDF. Save it again and upload the new file.':
    'Deze PDF is beschadigd, of geen PDF. Sla hem opnieuw op en upload het nieuwe bestand.',
  'This PDF has no pages.': 'Deze PDF heeft geen pagina’s.',
  'This PDF contains a script or another file. Print it to a new PDF and upload that.':
    'Deze PDF bevat een script of een ander bestand. Druk hem af naar een nieuwe PDF en upload die.',
  'This PDF has a password. Save it without one.':
    'Deze PDF heeft een wachtwoord. Sla hem op zonder wachtwoord.',
  'This PDF is too complex to be checked. Print it to a new PDF and upload that.':
    'Deze PDF is te ingewikkeld om te controleren. Druk hem af naar een nieuwe PDF en upload die.',
  'The shares are more than 100 percent together.': 'De aandelen zijn samen meer dan 100 procent.',
  'The signature must be the name of the director.':
    'De handtekening moet de naam van de bestuurder zijn.',
  'This date does not exist.': 'Deze datum bestaat niet.',
  'Something is still missing before this can be reviewed.':
    'Er ontbreekt nog iets voordat dit kan worden beoordeeld.',
  'Approve the level company of this project first.':
    'Keur eerst het niveau Bedrijf van dit project goed.',
  'This level is in review already.': 'Dit niveau wordt al beoordeeld.',
  'This level is approved already.': 'Dit niveau is al goedgekeurd.',
  'This level is not in review.': 'Dit niveau wordt niet beoordeeld.',
  'This was sent for review too often today. Try again tomorrow.':
    'Dit is vandaag te vaak ingestuurd. Probeer het morgen opnieuw.',
  'A password has at least … characters. Several words make a good password.':
    'Een wachtwoord heeft ten minste … tekens. Meerdere woorden vormen een goed wachtwoord.',
  'A password has at most … characters.': 'Een wachtwoord heeft ten hoogste … tekens.',
  'This password is too easy to guess.': 'Dit wachtwoord is te makkelijk te raden.',
  'The code is wrong. Try the next one.': 'De code klopt niet. Probeer de volgende.',
  'The code is wrong or has expired.': 'De code klopt niet of is verlopen.',
  'The passkey could not be added, or the page was open too long. Try again.':
    'De passkey kon niet worden toegevoegd, of de pagina stond te lang open. Probeer het opnieuw.',
  'Recovery codes belong to an authenticator app, and you have none.':
    'Herstelcodes horen bij een authenticator-app, en die hebt u niet.',
  'This is not an email address.': 'Dit is geen e-mailadres.',
  'This is your email address already.': 'Dit is al uw e-mailadres.',
  'A project needs an owner. Make another member an owner first.':
    'Een project heeft een eigenaar nodig. Maak eerst een ander lid eigenaar.',
  'Type the name of the project, …, to delete it.':
    'Typ de naam van het project, …, om het te verwijderen.',
  'This project can no longer be restored.': 'Dit project kan niet meer worden hersteld.',
  'Only an owner or an admin can change what a connection is limited to.':
    'Alleen een eigenaar of beheerder kan wijzigen waartoe een verbinding beperkt is.',
  'There is no such connection, or it has ended already.':
    'Deze verbinding bestaat niet, of is al beëindigd.',
  'This key is already revoked.': 'Deze sleutel is al ingetrokken.',
  'Live keys can be made once the company is verified.':
    'Live sleutels kunnen worden gemaakt zodra het bedrijf is geverifieerd.',
  'This is the test project of a pair. The plan belongs to its live project.':
    'Dit is het testproject van een paar. Het abonnement hoort bij het liveproject.',
  'The price is … euro now, so nothing was changed or charged.':
    'De prijs is nu … euro, dus er is niets gewijzigd of afgeschreven.',
  'Another card payment of the plan is under way, so nothing was changed.':
    'Er loopt al een kaartbetaling voor het abonnement, dus er is niets gewijzigd.',
  'The plan of this month is not paid yet: … euro. Pay it first.':
    'Het abonnement van deze maand is nog niet betaald: … euro. Betaal dat eerst.',
  'There is no saved card yet. Top up once and let the card be kept.':
    'Er is nog geen kaart bewaard. Waardeer één keer op en laat de kaart bewaren.',
  'A cap above … euro needs the level full.': 'Een limiet boven … euro vraagt het niveau Volledig.',
  'This project already has … sites, and … are the most on the plan …, as on every plan.':
    'Dit project heeft al … sites, en meer dan … kan niet met het abonnement …, net als met elk abonnement.',
  'Another site of this project already has this address.':
    'Een andere site van dit project heeft dit adres al.',
  'This project already has as many public tokens as it may have.':
    'Dit project heeft al zoveel publieke tokens als het mag hebben.',
  'The assistant already has as many facts as it may have.':
    'De assistent heeft al zoveel feiten als hij mag hebben.',
}
