/**
 * The rules of the check before publication, as data: what each rule blocks, why, and what an
 * honest owner can do instead. Owners see these sentences. A rule must never match an ordinary site
 * by accident; everything else is accepted.
 */
export interface CheckRule {
  /** What the rule blocks, for the guide and the README. */
  readonly stops: string
  /** The reason, for the owner of a blocked site. */
  readonly why: string
  /** The alternative for an honest site. */
  readonly instead: string
}

export const rules = {
  password_sent_elsewhere: {
    stops: 'a form with a password field that is sent to another address than the site itself',
    why: 'A page that passes on what visitors type into a password field is how passwords are stolen.',
    instead:
      "Link to the other service's own sign-in page. To let only some people see a site, give it the visibility password.",
  },
  card_sent_elsewhere: {
    stops:
      'a form with fields of a payment card that is sent to another address than the site itself',
    why: 'Card numbers belong on the page of the payment service alone, never in a form that sends them on.',
    instead: 'Link to a payment page, such as a payment link of Mollie, Stripe or PayPal.',
  },
  secret_kept_in_collection: {
    stops: 'a form that writes a password or a card number into a collection',
    why: 'Documents of a collection are kept as they were typed, so a password or a card number must never get there.',
    instead:
      'Leave the field out. To let only some people see a site, give it the visibility password; for payments, link to a payment page.',
  },
  secret_sent_to_chat: {
    stops: 'pages with password fields whose scripts post to a chat bot or a chat channel',
    why: 'Scripts that send what was typed to a chat bot are the usual way of stolen passwords.',
    instead:
      'Send the form to a collection (without passwords) and let an email or a webhook tell you about it.',
  },
  wallet_phrase_asked: {
    stops: 'a field that asks for the recovery phrase or the private key of a wallet',
    why: 'Nobody but a thief asks for the words that open a wallet.',
    instead: 'Leave the field out. No honest service needs these words.',
  },
  imitates_brand: {
    stops:
      'a sign-in page that gives itself the name of a well-known service, with fields for a password, a card or a code',
    why: "Visitors would take the page for the other service's own and type in what belongs there alone.",
    instead:
      'Give the page the name of your own business, also in its title, and link to the other service instead.',
  },
  imitates_brand_address: {
    stops:
      'an address that reads like the one of a well-known service, with fields for a password, a card or a code',
    why: 'Visitors who read the address would take the site for that of the other service.',
    instead: 'Choose a slug with the name of your own business.',
  },
  link_shows_other_address: {
    stops:
      'a link that shows the address of a bank, a payment service, a government or a mailbox and leads elsewhere',
    why: 'Whoever clicks such a link believes to be somewhere else than where they are.',
    instead: 'Let the link lead to the address that it shows, or show words instead of an address.',
  },
  address_looks_like_brand: {
    stops:
      'links, forms and frames to an address that is made to be mistaken for that of a well-known service',
    why: 'Such addresses are chosen to be confused with those of others.',
    instead:
      "Use the real address of the service, as it stands in the browser on the service's own site.",
  },
  address_hides_host: {
    stops: 'links whose address begins with the name of one site, an @, and leads to another',
    why: 'What stands before the @ is not where the link leads; it is there to deceive.',
    instead: 'Leave out everything between // and @.',
  },
  known_bad_link: {
    stops: 'links, frames, scripts and forms to addresses on the list of known bad ones',
    why: 'The address is known for harm to whoever opens it.',
    instead: 'Remove it.',
  },
  command_to_paste: {
    stops: 'pages that put a command into the clipboard and have visitors run it on their computer',
    why: 'A page that asks visitors to run a command it copied for them installs malware with their own hands.',
    instead: 'Show commands for developers as text, and never ask visitors to open the Run window.',
  },
  program_to_download: {
    stops: 'programs and installers, also inside a ZIP file',
    why: 'Addresses of free sites are used to spread malware, and a program cannot be told from it here.',
    instead:
      'Put programs where they are signed and scanned: an app store, or the releases of a code host.',
  },
  document_with_macros: {
    stops: 'office documents with macros',
    why: 'A macro is a program that runs when the document is opened, and most that come from the web do harm.',
    instead: 'Save the document without macros (.docx, .xlsx, .pptx) or as a PDF.',
  },
  page_hidden_too_deep: {
    stops: 'pages that are packed into pages more than three times',
    why: 'Pages are packed like this to keep the check, and visitors, from seeing what they do.',
    instead: 'Publish the inner pages as files of their own.',
  },
} as const satisfies Record<string, CheckRule>

export type RuleName = keyof typeof rules
