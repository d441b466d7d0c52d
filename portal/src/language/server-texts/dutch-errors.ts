/** The messages of the error catalogue in Dutch, by the English message. */
export const dutchErrors: Readonly<Record<string, string>> = {
  'One of the products is sold out, or not available in this quantity.':
    'Een van de producten is uitverkocht, of niet in dit aantal leverbaar.',
  'This order cannot be placed now.': 'Deze bestelling kan nu niet worden geplaatst.',
  'Something in this step was not clear enough to carry out, so nothing was done.':
    'Iets in deze stap was niet duidelijk genoeg, dus er is niets gedaan.',
  'The details were sent in a broken form, so nothing was saved.':
    'De gegevens kwamen beschadigd aan, dus er is niets opgeslagen.',
  'One of the choices made for this step does not work, so nothing was done.':
    'Een van de keuzes bij deze stap werkt niet, dus er is niets gedaan.',
  'Some of the details are missing or not filled in correctly.':
    'Sommige gegevens ontbreken of zijn niet goed ingevuld.',
  'The connection to this project has ended, so please connect it again.':
    'De verbinding met dit project is beëindigd. Maak opnieuw verbinding.',
  'This needs a connection to the project, and there is none yet.':
    'Hiervoor is een verbinding met het project nodig, en die is er nog niet.',
  'The key that connects to this project is not recognized.':
    'De sleutel van dit project wordt niet herkend.',
  'The key that connects to this project has been switched off.':
    'De sleutel van dit project is ingetrokken.',
  'This project has been deleted.': 'Dit project is verwijderd.',
  'This connection is not allowed to do that in this project.':
    'Deze verbinding mag dat niet doen in dit project.',
  'This account is not set up for connections like this one.':
    'Dit account is niet ingesteld voor zulke verbindingen.',
  'This connection was not given permission for that.':
    'Deze verbinding heeft daar geen toestemming voor.',
  'A key for trying things out was used on the real project, or the other way round.':
    'Een testsleutel is gebruikt voor het echte project, of andersom.',
  'That is only possible while testing, not in the real project.':
    'Dat kan alleen in testmodus, niet in het echte project.',
  'This project already has its maximum of test phone numbers.':
    'Dit project heeft al het hoogste aantal testnummers.',
  'That could not be found in this project.': 'Dat is niet gevonden in dit project.',
  'That is not something that can be done here.': 'Dat kan hier niet.',
  'That does not fit with how things stand right now, so nothing was changed.':
    'Dat past niet bij hoe het er nu voor staat, dus er is niets gewijzigd.',
  'This was changed in the meantime, so your change was not saved.':
    'Dit is intussen gewijzigd, dus uw wijziging is niet opgeslagen.',
  'This would change something that is in use right now, so please confirm it first.':
    'Dit wijzigt iets wat nu in gebruik is. Bevestig het eerst.',
  'Too much was asked for in a short time, so please wait a moment.':
    'Er is in korte tijd te veel gevraagd. Wacht even.',
  'This cannot go ahead until the billing of this project is in order.':
    'Dit kan pas als de betalingen van dit project in orde zijn.',
  'There is no payment method and no balance yet to pay for this.':
    'Er is nog geen betaalmiddel en geen tegoed om dit te betalen.',
  'The spending limit for this month has been reached.':
    'De bestedingslimiet van deze maand is bereikt.',
  'The balance is too low for this, so nothing was done and nothing was charged.':
    'Het tegoed is hiervoor te laag. Er is niets gedaan en niets afgeschreven.',
  'The assistant cannot answer phone calls for this project yet.':
    'De assistent kan voor dit project nog geen telefoon beantwoorden.',
  'Some details of the company are still missing.': 'Er ontbreken nog gegevens van het bedrijf.',
  'A national phone number is only for businesses, and this is a personal account.':
    'Een landelijk nummer is alleen voor bedrijven, en dit is een persoonlijk account.',
  'This account cannot become a personal one while it has a national phone number.':
    'Dit account kan niet persoonlijk worden zolang het een landelijk nummer heeft.',
  'This VAT number is not valid according to the EU, so please check it.':
    'Dit btw-nummer is volgens de EU niet geldig. Controleer het.',
  'This service is not available in that country.': 'Deze dienst is in dat land niet beschikbaar.',
  'Please set a monthly spending limit for this project first.':
    'Stel eerst een maandlimiet in voor dit project.',
  'A local phone number needs proof of address and identity, and that is still missing.':
    'Voor een lokaal nummer zijn een bewijs van adres en een identiteitsbewijs nodig, en die ontbreken nog.',
  'This account has to be verified before that is possible.':
    'Dit account moet eerst worden geverifieerd.',
  'Someone else has just taken that phone number.': 'Iemand anders heeft dat nummer net genomen.',
  'That phone number already belongs to this project.': 'Dat nummer is al van dit project.',
  'This project already has as many phone numbers as it may have for now.':
    'Dit project heeft al zoveel nummers als het nu mag hebben.',
  'There are no free phone numbers in that area right now.':
    'Er zijn nu geen vrije nummers in dat gebied.',
  'It is not certain yet whether the phone number was ordered, so please do not order another.':
    'Het is nog niet zeker of het nummer is besteld. Bestel geen ander.',
  'A real phone number cannot be given up this way.': 'Een echt nummer kunt u zo niet opgeven.',
  'The phone network cannot be reached at the moment, so please try again later.':
    'Het telefoonnetwerk is nu niet bereikbaar. Probeer het later opnieuw.',
  'Nothing was done, because this was sent without protection against happening twice.':
    'Er is niets gedaan, omdat dit zonder bescherming tegen dubbel uitvoeren is verstuurd.',
  'Nothing was done, because the protection against doing this twice was not set up properly.':
    'Er is niets gedaan, omdat de bescherming tegen dubbel uitvoeren niet klopte.',
  'This was asked for before with other details, so nothing was done now.':
    'Dit is eerder met andere gegevens gevraagd, dus er is nu niets gedaan.',
  'This is already being done, so please wait a moment.': 'Dit wordt al gedaan. Wacht even.',
  'The assistant of this project has not been set up yet.':
    'De assistent van dit project is nog niet ingesteld.',
  'Calls can be forwarded to a phone number, but not to a member of the team.':
    'Gesprekken kunnen worden doorverbonden naar een nummer, niet naar een teamlid.',
  'Calls cannot be forwarded to that phone number.':
    'Gesprekken kunnen niet naar dat nummer worden doorverbonden.',
  'Notifications cannot be sent to that address, or not of that kind.':
    'Meldingen kunnen niet naar dat adres, of niet van die soort.',
  'This project already sends notifications to as many addresses as it may.':
    'Dit project stuurt al meldingen naar zoveel adressen als het mag.',
  'Notifications to this address were switched off because they kept failing.':
    'Meldingen naar dit adres zijn uitgezet omdat ze bleven mislukken.',
  'Text messages cannot be sent to that phone number.': 'Naar dat nummer kan geen sms.',
  'The text message is too long, so please make it shorter.': 'De sms is te lang. Maak hem korter.',
  'The text message cannot be sent under that name or number.':
    'De sms kan niet onder die naam of dat nummer worden verstuurd.',
  'This project has sent as many text messages as it may send in one day.':
    'Dit project heeft zoveel sms-berichten verstuurd als het op één dag mag.',
  'The assistant needs a phone number before it can call anyone.':
    'De assistent heeft een nummer nodig voordat hij kan bellen.',
  'It is too early or too late to call this person, so nobody was called.':
    'Het is te vroeg of te laat om deze persoon te bellen, dus er is niet gebeld.',
  'This person has not agreed to such a call, so nobody was called.':
    'Deze persoon heeft niet met zo’n gesprek ingestemd, dus er is niet gebeld.',
  'Too many calls are going on at the same time, so please wait until one has ended.':
    'Er zijn te veel gesprekken tegelijk. Wacht tot er een is afgelopen.',
  'This project has made as many calls as it may make in one day.':
    'Dit project heeft zoveel gebeld als het op één dag mag.',
  'This chat has ended, so please start a new one.': 'Deze chat is afgelopen. Begin een nieuwe.',
  'The assistant is still answering, so please wait a moment.':
    'De assistent is nog aan het antwoorden. Wacht even.',
  'This chat has become very long, so please start a new one.':
    'Deze chat is erg lang geworden. Begin een nieuwe.',
  'No more new chats can be started today.': 'Vandaag kunnen er geen nieuwe chats meer beginnen.',
  'The free replies for testing are used up for today.':
    'De gratis antwoorden om te testen zijn voor vandaag op.',
  'The agent skipped this run because its free budget for testing is used up for today.':
    'De agent sloeg deze keer over omdat het gratis testbudget van vandaag op is.',
  'The chat or form on this page is not set up correctly.':
    'De chat of het formulier op deze pagina is niet goed ingesteld.',
  'The chat or form on this page has been switched off.':
    'De chat of het formulier op deze pagina is uitgezet.',
  'This chat or form may not be used on this page.':
    'Deze chat of dit formulier mag niet op deze pagina worden gebruikt.',
  'Please confirm once more that you are a person.': 'Bevestig nog eens dat u een mens bent.',
  'This chat is no longer open, so please start a new one.':
    'Deze chat is niet meer open. Begin een nieuwe.',
  'This chat cannot take new messages at the moment, so please try again later.':
    'Deze chat kan nu geen berichten aannemen. Probeer het later opnieuw.',
  'The chat is not available right now, so please try again later.':
    'De chat is nu niet beschikbaar. Probeer het later opnieuw.',
  'This project already has as many sites as it may have.':
    'Dit project heeft al zoveel sites als het mag hebben.',
  'The current plan of this project does not allow this.':
    'Het abonnement van dit project staat dit niet toe.',
  'The app is too large for the current plan.': 'De app is te groot voor het abonnement.',
  'The app did not pass the safety check, so it was not published.':
    'De app kwam niet door de veiligheidscontrole en is niet gepubliceerd.',
  'The database of the app did not accept this change.':
    'De database van de app nam deze wijziging niet aan.',
  'This file is too large, so please choose a smaller one.':
    'Dit bestand is te groot. Kies een kleiner bestand.',
  'The database of the app could not answer this question.':
    'De database van de app kon deze vraag niet beantwoorden.',
  'Another site already has this address, so please choose a different one.':
    'Een andere site heeft dit adres al. Kies een ander.',
  'This address is reserved, so please choose a different one.':
    'Dit adres is gereserveerd. Kies een ander.',
  'The site is too large to be published.': 'De site is te groot om te publiceren.',
  'The site did not pass the safety check, so it was not published.':
    'De site kwam niet door de veiligheidscontrole en is niet gepubliceerd.',
  'This site was taken offline because it was misused.':
    'Deze site is offline gehaald omdat er misbruik van werd gemaakt.',
  'There were many publications in a short time, so please wait a while.':
    'Er is in korte tijd vaak gepubliceerd. Wacht een tijdje.',
  'One of the files did not arrive in time.': 'Een van de bestanden kwam niet op tijd aan.',
  'Please verify your phone number first.': 'Verifieer eerst uw telefoonnummer.',
  'Email is not turned on for this project yet.': 'E-mail staat voor dit project nog niet aan.',
  'The address bounced.': 'Mail aan dit adres kwam terug.',
  'Sending email is paused because too many emails bounced or were marked as spam.':
    'E-mail versturen is gepauzeerd omdat te veel mails onbestelbaar waren of als spam zijn gemeld.',
  'Emails can only go to people this project already knows, and this address is new to it.':
    'E-mail kan alleen naar mensen die dit project al kent, en dit adres is nieuw.',
  'This project has sent as many emails as it may send today.':
    'Dit project heeft zoveel e-mails verstuurd als het vandaag mag.',
  'This email did not pass the safety check, so it was not sent.':
    'Deze e-mail kwam niet door de veiligheidscontrole en is niet verstuurd.',
  'The domain of the sender address is not ready for sending email yet.':
    'Het domein van de afzender is nog niet klaar om e-mail te versturen.',
  'The attachments are too many or too large for one email.':
    'De bijlagen zijn te veel of te groot voor één e-mail.',
  'One of the attachments cannot be sent by email.':
    'Een van de bijlagen kan niet per e-mail worden verstuurd.',
  'Email cannot be delivered to this address, so nothing was sent.':
    'E-mail kan niet op dit adres worden bezorgd, dus er is niets verstuurd.',
  'The logo cannot be shown in inboxes until the domain is better protected.':
    'Het logo kan pas in postvakken worden getoond als het domein beter is beschermd.',
  'Email cannot be sent from an internet address of your own, so nothing was changed.':
    'E-mail kan niet vanaf een eigen internetadres worden verstuurd, dus er is niets gewijzigd.',
  'This project already has as many collections of data as its plan allows.':
    'Dit project heeft al zoveel collecties als zijn abonnement toestaat.',
  'There is already a collection of data with this name.': 'Er is al een collectie met deze naam.',
  'This collection of data is full.': 'Deze collectie is vol.',
  'There is too much in this entry to be saved.': 'Er staat te veel in om op te slaan.',
  'Some of what was filled in does not fit here.': 'Iets van wat is ingevuld past hier niet.',
  'This page may not save or show this information.':
    'Deze pagina mag deze gegevens niet opslaan of tonen.',
  'Something went wrong on our side, and we are sorry about that.':
    'Er ging aan onze kant iets mis. Onze excuses.',
  'The phone company could not do this, so please try again in a few minutes.':
    'Het telefoonbedrijf kon dit niet doen. Probeer het over een paar minuten opnieuw.',
  'This is not available for a moment, so please try again shortly.':
    'Dit is even niet beschikbaar. Probeer het zo opnieuw.',
  'The assistant has the most sources of knowledge that are possible.':
    'De assistent heeft al het hoogste aantal kennisbronnen.',
  'This source is being read at the moment.': 'Deze bron wordt op dit moment gelezen.',
  'Your messages have arrived, and a person will reply to them.':
    'Uw berichten zijn aangekomen, en een mens zal erop antwoorden.',
  'Payments are not connected yet, so customers cannot pay.':
    'Betalingen zijn nog niet verbonden, dus klanten kunnen niet betalen.',
}
