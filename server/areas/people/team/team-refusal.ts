/** Why a change of a team is not made, in a sentence for whoever asked for it. */

/** `missing`: there is no such thing. `not_allowed`: by their role. `clash`: as things are now. */
export type TeamRefusalKind = 'missing' | 'not_allowed' | 'clash' | 'no_room'

export class TeamRefusal extends Error {
  override readonly name = 'TeamRefusal'
  readonly kind: TeamRefusalKind
  constructor(kind: TeamRefusalKind, sentence: string) {
    super(sentence)
    this.kind = kind
  }
}
