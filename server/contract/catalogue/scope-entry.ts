/** An entry of the list of scopes. */
export interface ScopeEntry {
  /** The specification's text, which the documentation shows. */
  readonly about: string
  /** Whether it only reads; the default for connections. */
  readonly read_only: boolean
  /** The subject, as the consent page and the page of a key show it. */
  readonly title: string
  /** The permission in plain words; names only what this server can do. */
  readonly may: string
}
