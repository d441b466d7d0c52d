/**
 * Whose sign-in pages are imitated, and where the real ones are. `names` are names that nobody else
 * gives a page by accident. `common` are names that are also ordinary words or other people's names:
 * they count only together with a second sign. `shown` marks those whose address in the text of a
 * link must be where it leads: money, mailboxes and government, where a wrong turn costs the most;
 * shops are left out because partners link to them by way of counters.
 */
export interface Brand {
  readonly name: string
  readonly names: readonly string[]
  readonly common?: readonly string[]
  readonly domains: readonly string[]
  readonly shown?: true
}

export const brandsOfMoney: readonly Brand[] = [
  // Banks: what is typed there moves money.
  {
    name: 'ING',
    names: ['mijn ing', 'ing bank', 'ing bankieren', 'ing zakelijk'],
    common: ['ing'],
    domains: ['ing.nl', 'ing.com', 'ing.be', 'ing.de'],
    shown: true,
  },
  {
    name: 'Rabobank',
    names: ['rabobank', 'rabo bankieren', 'rabo online bankieren'],
    common: ['rabo'],
    domains: ['rabobank.nl', 'rabobank.com'],
    shown: true,
  },
  {
    name: 'ABN AMRO',
    names: ['abn amro', 'abnamro'],
    common: ['abn'],
    domains: ['abnamro.nl', 'abnamro.com'],
    shown: true,
  },
  {
    name: 'SNS',
    names: ['sns bank', 'mijn sns'],
    common: ['sns'],
    domains: ['snsbank.nl', 'sns.nl'],
    shown: true,
  },
  { name: 'ASN Bank', names: ['asn bank', 'asnbank'], domains: ['asnbank.nl'], shown: true },
  { name: 'RegioBank', names: ['regiobank'], domains: ['regiobank.nl'], shown: true },
  {
    name: 'Triodos',
    names: ['triodos', 'triodos bank'],
    domains: [
      'triodos.nl',
      'triodos.com',
      'triodos.be',
      'triodos.de',
      'triodos.es',
      'triodos.co.uk',
    ],
    shown: true,
  },
  { name: 'Knab', names: ['knab'], domains: ['knab.nl'], shown: true },
  { name: 'bunq', names: ['bunq'], domains: ['bunq.com', 'bunq.me'], shown: true },
  { name: 'N26', names: ['n26'], domains: ['n26.com'], shown: true },
  { name: 'Revolut', names: ['revolut'], domains: ['revolut.com', 'revolut.me'], shown: true },
  {
    name: 'Wise',
    names: ['transferwise'],
    common: ['wise'],
    domains: ['wise.com', 'transferwise.com'],
    shown: true,
  },
  {
    name: 'KBC',
    names: ['kbc touch', 'kbc bank'],
    common: ['kbc'],
    domains: ['kbc.be', 'kbc.com'],
    shown: true,
  },
  {
    name: 'BNP Paribas',
    names: ['bnp paribas', 'bnp paribas fortis', 'bnpparibas'],
    domains: ['bnpparibas', 'bnpparibasfortis.be', 'bnpparibas.com', 'bnpparibas.net'],
    shown: true,
  },
  { name: 'Belfius', names: ['belfius'], domains: ['belfius.be'], shown: true },
  { name: 'Sparkasse', names: ['sparkasse', 'sparkassen'], domains: ['sparkasse.de'], shown: true },
  {
    name: 'Commerzbank',
    names: ['commerzbank'],
    domains: ['commerzbank.de', 'commerzbank.com'],
    shown: true,
  },
  {
    name: 'Deutsche Bank',
    names: ['deutsche bank'],
    domains: ['deutsche-bank.de', 'db.com'],
    shown: true,
  },
  {
    name: 'Crédit Agricole',
    names: ['credit agricole'],
    domains: ['credit-agricole.fr', 'credit-agricole.com'],
    shown: true,
  },
  {
    name: 'Société Générale',
    names: ['societe generale'],
    domains: ['societegenerale.fr', 'societegenerale.com'],
    shown: true,
  },
  {
    name: 'Santander',
    names: ['banco santander', 'santander bank'],
    common: ['santander'],
    domains: ['santander.com', 'bancosantander.es', 'santander.co.uk'],
    shown: true,
  },
  { name: 'BBVA', names: ['bbva'], domains: ['bbva.com', 'bbva.es'], shown: true },
  {
    name: 'CaixaBank',
    names: ['caixabank'],
    domains: ['caixabank.es', 'caixabank.com'],
    shown: true,
  },
  { name: 'HSBC', names: ['hsbc'], domains: ['hsbc.com', 'hsbc.co.uk'], shown: true },
  {
    name: 'Barclays',
    names: ['barclays', 'barclaycard'],
    domains: ['barclays.co.uk', 'barclays.com', 'barclaycard.co.uk'],
    shown: true,
  },
  {
    name: 'Chase',
    names: ['chase bank', 'jpmorgan chase'],
    common: ['chase'],
    domains: ['chase.com'],
    shown: true,
  },
  {
    name: 'Wells Fargo',
    names: ['wells fargo', 'wellsfargo'],
    domains: ['wellsfargo.com'],
    shown: true,
  },
  {
    name: 'Bank of America',
    names: ['bank of america', 'bankofamerica'],
    domains: ['bankofamerica.com'],
    shown: true,
  },
  // Payment and cards.
  {
    name: 'PayPal',
    names: ['paypal', 'pay pal'],
    domains: ['paypal.com', 'paypal.me', 'paypalobjects.com'],
    shown: true,
  },
  { name: 'Klarna', names: ['klarna'], domains: ['klarna.com'], shown: true },
  {
    name: 'Stripe',
    names: ['stripe dashboard'],
    common: ['stripe'],
    domains: ['stripe.com'],
    shown: true,
  },
  {
    name: 'Mollie',
    names: ['mollie dashboard'],
    common: ['mollie'],
    domains: ['mollie.com', 'mollie.nl'],
    shown: true,
  },
  { name: 'iDEAL', names: ['ideal bankieren', 'mijn ideal'], domains: ['ideal.nl'], shown: true },
  { name: 'Tikkie', names: ['tikkie'], domains: ['tikkie.me'], shown: true },
  {
    name: 'Visa',
    names: ['visa secure', 'verified by visa'],
    common: ['visa'],
    domains: ['visa.com', 'visa.nl'],
    shown: true,
  },
  {
    name: 'Mastercard',
    names: ['mastercard', 'mastercard id check'],
    domains: ['mastercard.com', 'mastercard.nl'],
    shown: true,
  },
  {
    name: 'American Express',
    names: ['american express', 'amex'],
    domains: ['americanexpress.com'],
    shown: true,
  },
  {
    name: 'ICS',
    names: ['ics cards', 'icscards', 'international card services'],
    domains: ['icscards.nl'],
    shown: true,
  },
  // Government and identity.
  { name: 'DigiD', names: ['digid', 'mijn digid'], domains: ['digid.nl'], shown: true },
  {
    name: 'MijnOverheid',
    names: ['mijnoverheid', 'mijn overheid'],
    domains: ['mijnoverheid.nl', 'overheid.nl'],
    shown: true,
  },
  {
    name: 'Belastingdienst',
    names: ['belastingdienst', 'mijn belastingdienst'],
    domains: ['belastingdienst.nl', 'toeslagen.nl'],
    shown: true,
  },
  { name: 'CJIB', names: ['cjib'], domains: ['cjib.nl'], shown: true },
  { name: 'itsme', names: ['itsme'], domains: ['itsme-id.com', 'itsme.be'], shown: true },
  { name: 'GOV.UK', names: ['gov uk', 'hmrc'], domains: ['gov.uk'], shown: true },
  { name: 'ELSTER', names: ['mein elster'], domains: ['elster.de'], shown: true },
  { name: 'IRS', names: ['internal revenue service'], domains: ['irs.gov'], shown: true },
  // Coins, which are gone at once.
  { name: 'Coinbase', names: ['coinbase'], domains: ['coinbase.com'], shown: true },
  { name: 'Binance', names: ['binance'], domains: ['binance.com'], shown: true },
  { name: 'Bitvavo', names: ['bitvavo'], domains: ['bitvavo.com'], shown: true },
  {
    name: 'Kraken',
    names: ['kraken exchange'],
    common: ['kraken'],
    domains: ['kraken.com'],
    shown: true,
  },
  { name: 'MetaMask', names: ['metamask'], domains: ['metamask.io'], shown: true },
  {
    name: 'Ledger',
    names: ['ledger live', 'ledger wallet'],
    common: ['ledger'],
    domains: ['ledger.com'],
    shown: true,
  },
  { name: 'Trezor', names: ['trezor', 'trezor suite'], domains: ['trezor.io'], shown: true },
  {
    name: 'Trust Wallet',
    names: ['trust wallet', 'trustwallet'],
    domains: ['trustwallet.com'],
    shown: true,
  },
  {
    name: 'Phantom',
    names: ['phantom wallet'],
    common: ['phantom'],
    domains: ['phantom.com', 'phantom.app'],
    shown: true,
  },
  // This service itself: its portal is where its owners sign in.
  { name: 'Homeport', names: ['homeport portal', 'homeport'], domains: [] },
]
