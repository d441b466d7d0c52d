/** An entry of the kinds of things to which a key, connection or member can be limited. */
export interface LimitedToEntry {
  readonly about: string
  /** The values in the documentation of a request, such as ids of sites. */
  readonly values: string
  /** Whether people choose the values. Otherwise they are derived from the chosen ones. */
  readonly chosen: boolean
}
