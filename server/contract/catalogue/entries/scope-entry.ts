/** An entry of the list of scopes. */
export interface ScopeEntry {
  /** The specification's text, which the documentation shows. */
  readonly about: string
  /** Whether the scope only permits reading. Connections get such scopes by default. */
  readonly read_only: boolean
  /** The subject of the scope, as the consent page shows it. */
  readonly title: string
  /** The permission in plain words. Names only functions that this server has. */
  readonly may: string
  /** `title` in Dutch. */
  readonly title_nl: string
  /** `may` in Dutch. */
  readonly may_nl: string
}
