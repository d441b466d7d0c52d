/** The typed settings, and the values that those with a choice may take. */

export const roles = ['web', 'worker'] as const
export type Role = (typeof roles)[number]

export const modelProviders = [
  'builtin',
  'openai',
  'anthropic',
  'google',
  'openai_compatible',
] as const
export const carriers = ['simulator', 'telnyx', 'twilio', 'none'] as const
export const vatServices = ['simulator', 'vies'] as const
export const paymentProviders = ['builtin', 'stripe', 'none'] as const
export const mailProviders = ['log', 'smtp', 'none'] as const
export const logLevels = ['debug', 'info', 'warn', 'error', 'silent'] as const

export interface ModelConfig {
  provider: (typeof modelProviders)[number]
  name: string
  key: string
  url: string
}

/** Where the bytes of files are kept. */
export interface BlobsConfig {
  /** `disk`, or `s3://bucket?endpoint=…&region=…`. */
  address: string
  access_key: string
  secret_key: string
}

export interface MailConfig {
  provider: (typeof mailProviders)[number]
  /** smtp:// or smtps://, with the credentials. */
  url: string
  from: string
}

/** How a provider of the outside world is reached; what it does not need stays empty. */
export interface ProviderConfig<Name extends string> {
  provider: Name
  account: string
  key: string
  /** Another address than the provider's own. */
  url: string
  timeout_ms: number
}

export interface Config {
  production: boolean
  host: string
  port: number
  /** Empty until the port is known; see `withPort`. */
  public_url: string
  sites_domain: string
  data_dir: string
  blobs: BlobsConfig
  /** Empty: the embedded PostgreSQL in `data_dir`. */
  database_url: string
  roles: ReadonlySet<Role>
  /** How many processes answer HTTP. */
  workers: number
  /** Empty: generated into `data_dir` at the first start. */
  secret: string
  webhooks_allow_private: boolean
  egress_allow_private: boolean
  test_clock: boolean
  /** Whether programs hear that metadata documents are taken. */
  oauth_documents: boolean
  metrics_token: string
  status_url: string
  /** Proxies whose X-Forwarded-For header is trusted for the visitor's address. */
  trusted_proxies: readonly string[]
  egress_proxy_url: string
  egress_allow: readonly string[]
  carrier: ProviderConfig<(typeof carriers)[number]>
  vat: ProviderConfig<(typeof vatServices)[number]>
  payments: ProviderConfig<(typeof paymentProviders)[number]>
  mail: MailConfig
  /** Where the simulators of the outside world answer; empty until the port is known. */
  simulators_url: string
  /** The address that is notified of appeals; empty: none. */
  operator_email: string
  /** The text of the operator's list of bad links; empty: there is none. */
  bad_links: string
  /** The text of the operator's price file; empty: there is none. */
  prices: string
  billing_timezone: string
  model: ModelConfig
  log_level: (typeof logLevels)[number]
}
