/** What could not be read, what the check of a site finds, and the warnings of a version, in Dutch. */
export const dutchSites: Readonly<Record<string, string>> = {
  // What the assistant could not read.
  'It has a password.': 'Het heeft een wachtwoord.',
  'It is not a PDF or DOCX file.': 'Het is geen PDF- of DOCX-bestand.',
  'It needs too much memory to be read.': 'Het is te groot om te lezen.',
  'The site was deleted.': 'De site is verwijderd.',
  'The site is offline.': 'De site is offline.',
  'The file was deleted from the media library.':
    'Het bestand is uit de mediabibliotheek verwijderd.',
  'The file is not ready.': 'Het bestand is nog niet klaar.',
  'The file is too large.': 'Het bestand is te groot.',
  'It has no text. A scan has pictures of text only.':
    'Het heeft geen tekst. Een scan bevat alleen afbeeldingen van tekst.',
  'It is not a page of text.': 'Het is geen pagina met tekst.',
  'It redirects too many times.': 'Het verwijst te vaak door.',
  'It redirects to an invalid address.': 'Het verwijst door naar een ongeldig adres.',
  'It redirects to another host, ….': 'Het verwijst door naar een andere site, ….',
  'It answered with the status ….': 'De website antwoordde met status ….',
  'It sent no page.': 'De website stuurde geen pagina.',
  'Its robots.txt cannot be read. …': 'De robots.txt van de website kan niet worden gelezen.',
  'Its robots.txt does not allow reading this page.':
    'De robots.txt van de website staat niet toe dat deze pagina wordt gelezen.',
  '… does not lead to a public address.': '… heeft geen openbaar adres.',
  '… could not be reached in time.': '… was niet op tijd bereikbaar.',
  '… did not answer within … s.': '… antwoordde niet binnen … s.',
  '… refused the connection.': '… weigerde de verbinding.',
  '… closed the connection before it had answered.': '… verbrak de verbinding voor het antwoord.',
  '… has no valid certificate for its name.': '… heeft geen geldig certificaat voor zijn naam.',
  'The connection to … failed.': 'De verbinding met … is mislukt.',
  'The name … has no address.': 'De naam … heeft geen adres.',
  'The response is over … bytes.': 'Het antwoord is groter dan … bytes.',
  'The response headers are too large.': 'De headers van het antwoord zijn te groot.',
  'More than … interim responses precede the response.':
    'Voor het antwoord kwamen meer dan … tussentijdse antwoorden.',
  'Reading stopped at the size limit of a website.':
    'Het lezen stopte bij de grens voor één website.',

  // What the check of a site finds.
  'This field asks for the recovery phrase or private key of a wallet.':
    'Dit veld vraagt om de herstelzin of geheime sleutel van een wallet.',
  'This form sends … to ….': 'Dit formulier stuurt geheime gegevens naar ….',
  'This form writes … into the collection ….':
    'Dit formulier schrijft geheime gegevens in de collectie ….',
  'This link shows … and leads to ….': 'Deze link toont … en leidt naar ….',
  'This address begins with … and leads to ….': 'Dit adres begint met … en leidt naar ….',
  'This is an address on …: ….': 'Dit adres op … staat bekend als schadelijk.',
  'The address … looks like one of …, and is not.':
    'Het adres … lijkt op dat van …, en is het niet.',
  'Here is a page inside a page inside a page inside a page inside another.':
    'Hier zit een pagina meer dan drie keer in een andere pagina.',
  'This page calls itself … and asks for what belongs on its site alone.':
    'Deze pagina noemt zich … en vraagt wat alleen op die site hoort.',
  'The address … reads like …, and this page asks for what belongs on its site alone.':
    'Het adres … lijkt op …, en deze pagina vraagt wat alleen op die site hoort.',
  'This script posts to a chat bot or a chat channel, on a site with password fields.':
    'Dit script stuurt naar een chatbot of chatkanaal, op een site met wachtwoordvelden.',
  'This script puts a command into the clipboard, and the page has visitors run it.':
    'Dit script zet een opdracht op het klembord die bezoekers moeten uitvoeren.',
  'This file is an Android app.': 'Dit bestand is een Android-app.',
  'This file is ….': 'Dit bestand is een programma.',
  'This document contains macros.': 'Dit document bevat macro’s.',
  'This ZIP file contains …, ….': 'Dit ZIP-bestand bevat …, een programma.',
  '… links to …, and there is no such file.': '… linkt naar …, en dat bestand is er niet.',
  '… more links lead nowhere.': 'Nog … links leiden nergens heen.',
  '…: the form without an action posts to the site itself, which takes no forms, so visitors get 405. …':
    '…: het formulier zonder action stuurt naar de site zelf, en die neemt geen formulieren aan.',
  '…: the form to … posts to the site itself, which takes no forms, so visitors get 405. …':
    '…: het formulier naar … stuurt naar de site zelf, en die neemt geen formulieren aan.',
  '…: the form to … posts to the site itself, which takes no forms. Use the whole address … as its action.':
    '…: het formulier naar … stuurt naar de site zelf, en die neemt geen formulieren aan. Gebruik het hele adres … als action.',
  '…: the form to … had no public token, so the token of this site was added.':
    '…: het formulier naar … had geen openbare sleutel, dus die van deze site is erin gezet.',
  '…: the form to … has no public token, so visitors cannot send it. Publish the page again, and the token of this site is added.':
    '…: het formulier naar … heeft geen openbare sleutel, dus bezoekers kunnen het niet versturen. Publiceer de pagina opnieuw, dan komt die van deze site erin.',
  '…: visitors cannot send the form to …, because the collection is not open to websites. Change the collection to public_write: true.':
    '…: bezoekers kunnen het formulier naar … niet versturen, want de collectie staat niet open voor websites. Zet dat aan in de instellingen van de collectie.',
  '…: visitors cannot send the form to …, because the collection does not exist. Did you mean …?':
    '…: bezoekers kunnen het formulier naar … niet versturen, want die collectie bestaat niet. Is … bedoeld?',
  '…: visitors cannot send the form to …, because the collection does not exist. Create it with public_write: true.':
    '…: bezoekers kunnen het formulier naar … niet versturen, want die collectie bestaat niet. Maak haar, open voor websites.',
  '…: the public token … in the form to … is not a token of this project, so visitors are refused. …':
    '…: de openbare sleutel … in het formulier naar … is niet van dit project, dus bezoekers worden geweigerd. Laat hem weg, dan komt die van deze site erin.',
  '…: the public token … in the form to … is revoked, so visitors are refused. …':
    '…: de openbare sleutel … in het formulier naar … is ingetrokken, dus bezoekers worden geweigerd. Laat hem weg, dan komt die van deze site erin.',
  '…: the public token … in the form to … does not allow the address of this site, so visitors are refused. …':
    '…: de openbare sleutel … in het formulier naar … hoort niet bij het adres van deze site, dus bezoekers worden geweigerd. Laat hem weg, dan komt die van deze site erin.',
  '…: … got smaller sources (srcset).': '…: … kreeg kleinere versies voor kleine schermen.',
  'The library does not accept programs.': 'De bibliotheek neemt geen programma’s aan.',
  'It cannot be read: it is damaged, or made to be unreadable.':
    'Het kan niet worden gelezen: het is beschadigd, of onleesbaar gemaakt.',
  'It could not be read.': 'Het kon niet worden gelezen.',
}
