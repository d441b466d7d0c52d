/**
 * The simulated line: a scripted caller, and callees whose last three digits determine how they
 * respond. It has its own clock, which ringing, speaking and silence advance, so a call of minutes
 * takes no real time.
 */
import type { CallerAction, HungUp, Line, RingOutcome } from './line.ts'

export type ScriptTurn =
  | { say: string }
  | { digits: string }
  | { silence_ms: number }
  | { hangup: true }

const SPEECH_CHARACTERS_PER_SECOND = 15
const PICK_UP_MS = 1_000
const ANSWER_AFTER_MS = 4_000
const REFUSE_AFTER_MS = 1_000
const BRIDGE_MS = 30_000
const KEY_MS = 300
/** Length of an audio file whose duration is unknown. */
const AUDIO_SECONDS = 5

/**
 * Outcomes of ringing a simulated callee, by the last three digits of the number; every other
 * number rings unanswered.
 */
const targetsByEnding: Record<string, RingOutcome> = {
  '000': 'answered',
  '001': 'no_answer',
  '002': 'busy',
  '003': 'failed',
}

export function openScriptedLine(script: readonly ScriptTurn[]): Line {
  const turns = [...script]
  let elapsed_ms = 0

  function speaking_ms(text: string): number {
    return Math.ceil((text.length / SPEECH_CHARACTERS_PER_SECOND) * 1000)
  }

  /** Advances the clock. The caller can only wait or hang up. */
  function wait(ms: number): HungUp | null {
    const until_ms = elapsed_ms + ms
    for (let next = turns[0]; next && elapsed_ms < until_ms; next = turns[0]) {
      if ('hangup' in next) return { hung_up: true }
      if (!('silence_ms' in next)) break
      const silence_ms = Math.min(next.silence_ms, until_ms - elapsed_ms)
      elapsed_ms += silence_ms
      if (silence_ms < next.silence_ms) turns[0] = { silence_ms: next.silence_ms - silence_ms }
      else turns.shift()
    }
    elapsed_ms = until_ms
    return null
  }

  return {
    elapsed_ms: () => elapsed_ms,
    async answer() {
      if (turns[0] && 'hangup' in turns[0]) return { hung_up: true }
      elapsed_ms += PICK_UP_MS
      return null
    },
    async ring(targets, seconds) {
      const outcomes = targets.map((target) => ({ target, outcome: outcomeOf(target) }))
      const answered = outcomes.find(({ outcome }) => outcome === 'answered')
      if (answered) return wait(Math.min(ANSWER_AFTER_MS, seconds * 1000)) ?? answered
      const refused = outcomes.every(({ outcome }) => outcome !== 'no_answer')
      const gone = wait(refused ? REFUSE_AFTER_MS : seconds * 1000)
      return gone ?? { outcome: refused ? (outcomes[0]?.outcome ?? 'failed') : 'no_answer' }
    },
    async bridged() {
      // The conversation with a callee is not recorded, so it consumes the rest of the script.
      const by = turns.some((turn) => 'hangup' in turn) ? 'caller' : 'callee'
      turns.length = 0
      elapsed_ms += BRIDGE_MS
      return by
    },
    async speak(text) {
      elapsed_ms += speaking_ms(text)
    },
    async play({ duration_sec }) {
      elapsed_ms += Math.ceil((duration_sec ?? AUDIO_SECONDS) * 1000)
    },
    async listen(seconds): Promise<CallerAction> {
      const turn = turns.shift()
      if (!turn || 'hangup' in turn) return { hung_up: true }
      if ('say' in turn) {
        elapsed_ms += speaking_ms(turn.say)
        return { text: turn.say }
      }
      if ('digits' in turn) {
        elapsed_ms += turn.digits.length * KEY_MS
        return { digits: turn.digits }
      }
      const silence_ms = Math.min(turn.silence_ms, seconds * 1000)
      elapsed_ms += silence_ms
      if (turn.silence_ms > silence_ms) turns.unshift({ silence_ms: turn.silence_ms - silence_ms })
      return { silence_ms }
    },
    async hangUp() {
      turns.length = 0
    },
  }
}

function outcomeOf(target: string): RingOutcome {
  return targetsByEnding[target.slice(-3)] ?? 'no_answer'
}
