/**
 * The next steps of the server that a person can take, with their Dutch text. Others are instructions
 * for programs and assistants, and are shown to nobody.
 */
import type { Table } from './patterns.ts'

/** The English of steps that name parts of the API. */
export const plainSteps: Table = {
  'Make room on the pages that does_not_fit links to, then choose the plan again under Billing. The other project of a pair counts too; if it is deleted, restore it first.':
    'Make room first, then choose the plan again under Billing. The other project of a pair counts too; if it is deleted, restore it first.',
  'Complete the items of the list missing on the page Verification of the portal. Then send it again.':
    'Complete what is missing on the page Verification. Then send it again.',
  'Order a top-up with save_card, pay it, and turn automatic top-up on after that.':
    'Top up once and let the card be kept. Then turn automatic top-ups on.',
  'Save its settings first with PUT /assistant, then its tools.':
    'Save the settings of the assistant first, then what it may look up.',
  'Ask the owner to reach the level full on the page Verification of the portal, or set a lower cap.':
    'Reach the level Full on the page Verification, or set a lower cap.',
  'Complete what is missing, then try again. …': 'Complete what is missing, then try again.',
}

export const dutchSteps: Table = {
  'Make room, or choose the plan ….': 'Maak ruimte, of kies het abonnement ….',
  'Choose the plan ….': 'Kies het abonnement ….',
  'Ask a member with this role to do it or to give you the role.':
    'Vraag iemand met die rol om het te doen, of om u die rol te geven.',
  'Make room, or choose a larger plan under Billing, at Plan.':
    'Maak ruimte, of kies een groter abonnement onder Betalingen, bij Abonnement.',
  'Delete a collection, or choose a larger plan under Billing, at Plan.':
    'Verwijder een collectie, of kies een groter abonnement onder Betalingen, bij Abonnement.',
  'Make room on the pages that does_not_fit links to, then choose the plan again under Billing. The other project of a pair counts too; if it is deleted, restore it first.':
    'Maak eerst ruimte, en kies het abonnement dan opnieuw onder Betalingen. Het andere project van een paar telt ook mee; herstel het eerst als het is verwijderd.',
  'Open Billing and top up the balance, or save another card with a top-up. Then try again on the page Plan.':
    'Open Betalingen en waardeer op, of bewaar een andere kaart bij een opwaardering. Probeer het dan opnieuw op de pagina Abonnement.',
  'Ask an owner or admin of the project to do it, or for another role.':
    'Vraag een eigenaar of beheerder van het project om het te doen, of om een andere rol.',
  'Your role does not include this. Ask an owner or admin of the project to do it, or for another role.':
    'Uw rol mag dit niet. Vraag een eigenaar of beheerder van het project om het te doen, of om een andere rol.',
  'Load the page again and try once more: it protects every order by itself.':
    'Laad de pagina opnieuw en probeer het nog eens: zij beschermt elke bestelling vanzelf.',
  'Verify this project with the phone number of another person of the company.':
    'Verifieer dit project met het nummer van iemand anders van het bedrijf.',
  'Make another member an owner of each, or delete the project. Then try again.':
    'Maak van elk een ander lid eigenaar, of verwijder het project. Probeer het dan opnieuw.',
  'Save a password or add another passkey first.':
    'Sla eerst een wachtwoord op, of voeg een andere passkey toe.',
  'Open Billing in the live project, and change the plan there.':
    'Open Betalingen in het liveproject en wijzig het abonnement daar.',
  'Start a new conversation.': 'Begin een nieuw gesprek.',
  'Use the page of the portal, or ask for something else.':
    'Gebruik de pagina van het portaal, of vraag iets anders.',
  'Complete the items of the list missing on the page Verification of the portal. Then send it again.':
    'Vul aan wat op de pagina Verificatie nog ontbreekt. Stuur het daarna opnieuw in.',
  'Ask the operator of this server to add to the balance.':
    'Vraag de beheerder van deze server om het tegoed op te waarderen.',
  'Pay one of those that are open, or wait until they have run out.':
    'Betaal een van de openstaande, of wacht tot ze zijn verlopen.',
  'Order a top-up with save_card, pay it, and turn automatic top-up on after that.':
    'Waardeer eerst op en laat de kaart bewaren. Zet daarna automatisch opwaarderen aan.',
  'Save the settings of the assistant first, then try it.':
    'Sla eerst de instellingen van de assistent op en probeer het dan.',
  'Save its settings first with PUT /assistant, then its tools.':
    'Sla eerst de instellingen van de assistent op, en dan wat hij mag opzoeken.',
  'Correct the file at that place, as the message says, and send it again.':
    'Verbeter het bestand op die plek en kies het opnieuw.',
  'Ask the owner to reach the level full on the page Verification of the portal, or set a lower cap.':
    'Bereik het niveau Volledig op de pagina Verificatie, of stel een lagere limiet in.',
  'Complete what is missing, then try again. …': 'Vul aan wat ontbreekt en probeer het opnieuw.',
  'Delete a project that is no longer needed, or ask the operator to make another.':
    'Verwijder een project dat niet meer nodig is, of vraag de beheerder om er een te maken.',
  'The person can sign in and create a project.': 'Deze persoon kan inloggen en een project maken.',
  'Withdraw invitations that are no longer needed.':
    'Trek uitnodigingen in die niet meer nodig zijn.',
  'Read the open proposals again.': 'Bekijk de openstaande voorstellen opnieuw.',
}
