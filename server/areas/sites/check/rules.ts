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

export const checkRules = {
  password_sent_elsewhere: {
    stops: 'a form with a password field that is sent to another address than the site itself',
    why: 'A page that passes on what visitors type into a password field is how passwords are stolen.',
    instead:
      "Link to the other service's own sign-in page. To let only some people see a site, give it the visibility password.",
  },
  card_sent_elsewhere: {
    stops:
      'a form with fields of a payment card that posts to another address than the site itself',
    why: 'Card numbers belong only on the page of the payment service, never in a form that forwards them.',
    instead: 'Link to a payment page, such as a payment link of Mollie, Stripe or PayPal.',
  },
  secret_kept_in_collection: {
    stops: 'a form that writes a password or a card number into a collection',
    why: 'Documents of a collection are stored as plain text, so they must never contain a password or a card number.',
    instead:
      'Leave the field out. To let only some people see a site, give it the visibility password; for payments, link to a payment page.',
  },
  secret_sent_to_chat: {
    stops: 'pages with password fields whose scripts post to a chat bot or a chat channel',
    why: 'Stolen passwords are usually sent to a chat bot by a script.',
    instead:
      'Send the form to a collection (without passwords) and let an email or a webhook notify you.',
  },
  wallet_phrase_asked: {
    stops: 'a field that asks for the recovery phrase or the private key of a wallet',
    why: 'Only thieves ask for the recovery phrase of a wallet.',
    instead: 'Leave the field out. No honest service needs this phrase.',
  },
  imitates_brand: {
    stops:
      'a sign-in page with the name of a well-known service and fields for a password, a card or a code',
    why: "Visitors would mistake the page for the service's own page and enter their secrets.",
    instead:
      'Give the page the name of your own business, also in its title, and link to the other service instead.',
  },
  imitates_brand_address: {
    stops:
      'an address that resembles that of a well-known service, with fields for a password, a card or a code',
    why: 'Visitors would mistake the site for that of the service.',
    instead: 'Choose a slug with the name of your own business.',
  },
  link_shows_other_address: {
    stops:
      'a link that shows the address of a bank, a payment service, a government or a mailbox and leads elsewhere',
    why: 'Visitors who click such a link believe that they are on another site.',
    instead:
      'Let the link lead to the address that it shows, or show a text instead of an address.',
  },
  address_looks_like_brand: {
    stops:
      'links, forms and frames to an address that is made to be mistaken for that of a well-known service',
    why: 'Such addresses are chosen to imitate other services.',
    instead:
      "Use the real address of the service, as the browser shows it on the service's own site.",
  },
  address_hides_host: {
    stops: 'links whose address begins with the name of one site, an @, and leads to another',
    why: 'The name before the @ is not the target of the link; it only deceives visitors.',
    instead: 'Leave out everything between // and @.',
  },
  known_bad_link: {
    stops: 'links, frames, scripts and forms to addresses on the list of known bad ones',
    why: 'The address is known to harm people who open it.',
    instead: 'Remove it.',
  },
  command_to_paste: {
    stops: 'pages that copy a command to the clipboard and instruct visitors to run it',
    why: 'Pages that instruct visitors to run a copied command usually install malware.',
    instead: 'Show commands for developers as text, and never ask visitors to open the Run window.',
  },
  program_to_download: {
    stops: 'programs and installers, also inside a ZIP file',
    why: 'Free sites are often used to spread malware, and this check cannot distinguish it from other programs.',
    instead:
      'Put programs where they are signed and scanned: an app store, or the releases of a code host.',
  },
  document_with_macros: {
    stops: 'office documents with macros',
    why: 'A macro is a program that runs when the document is opened, and most macros from the web are harmful.',
    instead: 'Save the document without macros (.docx, .xlsx, .pptx) or as a PDF.',
  },
  page_hidden_too_deep: {
    stops: 'pages that are nested in other pages more than three times',
    why: 'Such nesting hides the content of a page from the check and from visitors.',
    instead: 'Publish the inner pages as separate files.',
  },
} as const satisfies Record<string, CheckRule>

export type RuleName = keyof typeof checkRules
