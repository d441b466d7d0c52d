/**
 * A line: one call in text instead of audio. A simulated call, a SIP connection and a carrier's
 * webhooks can implement it, and the same code conducts the call plan over each of them.
 */
export type RingOutcome = 'answered' | 'no_answer' | 'busy' | 'failed'

export interface HungUp {
  hung_up: true
}

/** The next action of the caller, which `listen` returns. */
export type CallerAction =
  /** `heard_before`: what the caller heard of the last utterance before interrupting it. */
  { text: string; heard_before?: string } | { digits: string } | { silence_ms: number } | HungUp

export interface Line {
  /** Answers the call. Returns HungUp if the caller has hung up. */
  answer(): Promise<HungUp | null>
  /** Calls external numbers simultaneously and connects the caller to the first that answers. */
  ring(
    targets: readonly string[],
    seconds: number,
  ): Promise<{ outcome: RingOutcome; target?: string } | HungUp>
  /** Waits for the end of the conversation with the connected callee, and returns who ended it. */
  bridged(): Promise<'caller' | 'callee'>
  /** Resolves when the next command may follow. `language` is a tag; null means unchanged. */
  speak(text: string, language: string | null): Promise<void>
  /** Plays an audio file, which the carrier fetches from the URL. Resolves as `speak` does. */
  play(audio: { url: string; duration_sec: number | null }): Promise<void>
  /** Waits at most `seconds` for the caller's next action. */
  listen(seconds: number): Promise<CallerAction>
  hangUp(): Promise<void>
  /** Duration of the call on the clock of the line. */
  elapsed_ms(): number
}
