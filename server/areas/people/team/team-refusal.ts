/** Refused changes of a team, with a sentence for the person who requested it. */

/**
 * `missing`: not found. `not_allowed`: the role is too low. `clash`: conflicts with the current
 * state. `no_room`: the plan has no free place.
 */
export type TeamRefusalKind = 'missing' | 'not_allowed' | 'clash' | 'no_room'

export class TeamRefusal extends Error {
  override readonly name = 'TeamRefusal'
  readonly kind: TeamRefusalKind
  constructor(kind: TeamRefusalKind, sentence: string) {
    super(sentence)
    this.kind = kind
  }
}
