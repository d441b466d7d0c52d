/** The texts of the approval page, in the languages of the portal. */
import type { ApprovalOfTeam } from '../../../../areas/approvals/service.ts'
import type { PageLanguage } from '../../../html/language.ts'
import { formatCount } from '../../pieces.ts'

type Effects = Readonly<Record<ApprovalOfTeam['effect'], string>>
type Outcomes = Readonly<Record<ApprovalOfTeam['status'] | 'expired', string>>

const effects: Effects = {
  deletes: 'deletes data',
  outside: 'contacts an outside person',
  money: 'costs money',
  writes: 'changes data',
}

const outcomes: Outcomes = {
  pending: 'pending',
  approved: 'executing',
  executed: 'done',
  failed: 'approved, but failed',
  rejected: 'rejected',
  expired: 'expired',
}

const en = {
  title: (project: string) => `Approval · ${project}`,
  all: 'All approvals',
  effects,
  outcomes,
  edited: 'edited by a person',
  about: 'About',
  cost: 'Cost',
  free: 'nothing',
  asked_by: 'Requested by',
  asked: 'Requested',
  decided: 'Decided',
  decided_by: (email: string) => `by ${email}, `,
  expires: 'Expires',
  in_hours: (hours: number) => `in ${formatCount(hours, 'hour')}`,
  in_minutes: (minutes: number) => `in ${formatCount(minutes, 'minute')}`,
  arguments: 'Arguments',
  no_arguments: 'No arguments.',
  with_contents: 'With contents, as JSON',
  saved: 'Your changes are saved. The request still waits for a decision.',
  executing: 'Approved. It is being executed; reload this page in a moment.',
  expired: 'Expired without a decision, so nothing was done.',
  rejected: 'Rejected. Nothing was done.',
  failed: 'Approved, but it failed: ',
  done: 'Done.',
  response: 'Response',
  subject: 'Subject: ',
  details: 'details',
  admins_decide: 'An owner or admin of the project can decide this.',
  members_decide: 'A member, admin or owner of the project can decide this.',
  decide: 'Decide',
  confirm: 'Confirm your identity to decide',
  approve: 'Approve',
  approve_about: 'It is executed at once, one time, with exactly the arguments above.',
  approve_note: 'Note to the requester (optional)',
  reject: 'Reject',
  reject_note: 'Reason for the requester (optional)',
  technical: 'Technical details',
  operation: 'Operation: ',
  may_edit: 'You can edit the arguments before you decide.',
  as_json: 'Arguments, as JSON',
  save: 'Save changes',
  invalid: 'The arguments are invalid:',
}

const nl: typeof en = {
  title: (project) => `Goedkeuring · ${project}`,
  all: 'Alle goedkeuringen',
  effects: {
    deletes: 'verwijdert gegevens',
    outside: 'bereikt iemand buiten het bedrijf',
    money: 'kost geld',
    writes: 'wijzigt gegevens',
  },
  outcomes: {
    pending: 'wacht',
    approved: 'wordt uitgevoerd',
    executed: 'gedaan',
    failed: 'goedgekeurd, maar mislukt',
    rejected: 'afgewezen',
    expired: 'verlopen',
  },
  edited: 'door een persoon aangepast',
  about: 'Betreft',
  cost: 'Kosten',
  free: 'geen',
  asked_by: 'Gevraagd door',
  asked: 'Gevraagd',
  decided: 'Besloten',
  decided_by: (email) => `door ${email}, `,
  expires: 'Verloopt',
  in_hours: (hours) => `over ${hours} uur`,
  in_minutes: (minutes) => `over ${formatCount(minutes, 'minuut', 'minuten')}`,
  arguments: 'Waarden',
  no_arguments: 'Er zijn geen waarden.',
  with_contents: 'Met inhoud, als JSON',
  saved: 'Uw wijzigingen zijn opgeslagen. Het verzoek wacht nog op een besluit.',
  executing: 'Goedgekeurd. Het wordt uitgevoerd; laad deze pagina zo meteen opnieuw.',
  expired: 'Verlopen zonder besluit, dus er is niets gedaan.',
  rejected: 'Afgewezen. Er is niets gedaan.',
  failed: 'Goedgekeurd, maar het is mislukt: ',
  done: 'Gedaan.',
  response: 'Antwoord',
  subject: 'Onderwerp: ',
  details: 'details',
  admins_decide: 'Een eigenaar of beheerder van het project kan dit beslissen.',
  members_decide: 'Een lid, beheerder of eigenaar van het project kan dit beslissen.',
  decide: 'Beslissen',
  confirm: 'Bevestig uw identiteit om te beslissen',
  approve: 'Goedkeuren',
  approve_about: 'Het wordt meteen en één keer uitgevoerd, met precies de waarden hierboven.',
  approve_note: 'Bericht aan de aanvrager (niet verplicht)',
  reject: 'Afwijzen',
  reject_note: 'Reden voor de aanvrager (niet verplicht)',
  technical: 'Technische details',
  operation: 'Bewerking: ',
  may_edit: 'U kunt de waarden wijzigen voordat u beslist.',
  as_json: 'Waarden, als JSON',
  save: 'Wijzigingen opslaan',
  invalid: 'De waarden kloppen niet:',
}

export const approvalTexts: Readonly<Record<PageLanguage, typeof en>> = { en, nl }

export type ApprovalTexts = typeof en
