/**
 * A line: one call as a carrier presents it, in words instead of sound. A simulated call, a SIP
 * connection and a carrier's webhooks all offer this, and the same conductor runs the same call
 * plan over each of them.
 */
export type RingOutcome = 'answered' | 'no_answer' | 'busy' | 'failed'

export interface HungUp {
  hung_up: true
}

/** What the caller does next while somebody listens. */
export type Heard = { text: string } | { digits: string } | { silence_ms: number } | HungUp

export interface Line {
  /** Picks up. The caller may be gone before that. */
  answer(): Promise<HungUp | null>
  /** Rings outside numbers, all at once, and connects the caller to the first that answers. */
  ring(
    targets: readonly string[],
    seconds: number,
  ): Promise<{ outcome: RingOutcome; target?: string } | HungUp>
  /** Waits until a connected conversation is over, and tells who ended it. */
  bridged(): Promise<'caller' | 'callee'>
  /** Speaks a text to its end. */
  speak(text: string): Promise<void>
  /** Waits at most `seconds` for the caller. */
  listen(seconds: number): Promise<Heard>
  hangUp(): Promise<void>
  /** How long the call has lasted on the line's own clock. */
  elapsed_ms(): number
}
