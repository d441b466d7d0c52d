/**
 * Carries out the commands of a call plan that are no conversation: play audio, take a voicemail and
 * send a text message; and decides whether a number may be rung. What goes wrong is noted in the
 * transcript, and the call goes on.
 */
import { Problem } from '../../../contract/errors.ts'
import type { Runtime } from '../../../kernel/runtime.ts'
import { BEEP_PATH, BEEP_SECONDS } from '../../../providers/carrier/calls/beep.ts'
import type { CallerAction, Line } from '../../../providers/carrier/line.ts'
import * as callPlans from '../../call-plans/service.ts'
import * as media from '../../media/service.ts'
import * as messages from '../../messages/service.ts'

type Command = callPlans.CallCommand
type CommandOf<T extends Command['type']> = Extract<Command, { type: T }>

/** Silence that ends a voicemail. */
const PAUSE_SECONDS = 5
const VOICEMAIL_CHARACTERS_MAX = 5_000

export interface PlannedCall {
  project_id: string
  from: string
  to: string
  target_rules: callPlans.TargetRules
}

export interface Stage {
  runtime: Runtime
  call: PlannedCall
  line: Line
  /** Adds a system line to the transcript. */
  note(text: string): void
  /** Waits for the caller, and adds their words to the transcript. */
  hear(seconds: number): Promise<CallerAction>
}

export interface RecordingStage extends Stage {
  /** Replaces the message so far. It is kept at each turn, because the line may break at any time. */
  keepMessage(text: string): void
}

export async function playAudio(
  { runtime, call, line, note }: Stage,
  { media_id }: CommandOf<'play'>,
): Promise<void> {
  const audio = await media.findPlayedAudio(runtime, call.project_id, media_id)
  if (audio === null) return note('The audio file of the call plan is no longer in the library.')
  note(`Played ${audio.filename}.`)
  await line.play(audio)
}

export async function recordVoicemail(
  { runtime, line, note, hear, keepMessage }: RecordingStage,
  { max_seconds, beep }: CommandOf<'record'>,
): Promise<{ left: boolean; hung_up: boolean }> {
  if (beep) {
    note('Beep.')
    const url = `${runtime.config.public_url}${BEEP_PATH}`
    await line.play({ url, duration_sec: BEEP_SECONDS })
  }
  const until_ms = line.elapsed_ms() + max_seconds * 1000
  const words: string[] = []
  let hung_up = false
  for (let left_ms = max_seconds * 1000; left_ms > 0; left_ms = until_ms - line.elapsed_ms()) {
    const heard = await hear(Math.min(PAUSE_SECONDS, Math.ceil(left_ms / 1000)))
    if ('text' in heard && heard.text.trim() !== '') {
      words.push(heard.text)
      keepMessage(words.join(' ').slice(0, VOICEMAIL_CHARACTERS_MAX))
    }
    hung_up = 'hung_up' in heard
    const is_pause = 'silence_ms' in heard && heard.silence_ms >= PAUSE_SECONDS * 1000
    if (hung_up || is_pause || ('digits' in heard && heard.digits.includes('#'))) break
  }
  return { left: words.length > 0, hung_up }
}

export interface Texting {
  runtime: Runtime
  project_id: string
  /** The number of the project in the call. */
  number: callPlans.NumberFacts
  note(text: string): void
}

export async function sendText(
  { runtime, project_id, number, note }: Texting,
  { to, text }: CommandOf<'send_sms'>,
): Promise<void> {
  if (to === null) return note('No text message is sent, because the caller hides their number.')
  try {
    const { test } = await messages.sendOfCall(runtime, {
      project_id,
      from: number.e164,
      to,
      text,
      test: number.test,
    })
    note(`A text message to ${to} is queued${test ? ', as a simulation' : ''}.`)
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    note(`No text message is sent to ${to}: ${error.detail}`)
  }
}

/** The targets that may be rung, and a line for the transcript about each other one. */
export function sortTargets(
  call: PlannedCall,
  targets: readonly string[],
): { usable: string[]; notes: string[] } {
  const usable: string[] = []
  const notes: string[] = []
  for (const target of targets) {
    const fault = findRingFault(call, target)
    if (fault === null) usable.push(target)
    else notes.push(`${target} ${fault}.`)
  }
  return { usable, notes }
}

/**
 * Returns why a number is not rung, as the end of a sentence that starts with the number; null if it
 * may be. The plan was checked when it was saved, but the project may have more numbers since, and a
 * call that it forwarded may come back.
 */
function findRingFault(call: PlannedCall, e164: string): string | null {
  const { from, to, target_rules } = call
  const { number, own_numbers } = target_rules
  if (to === number.e164 && own_numbers.includes(from)) {
    return 'is not rung, because the call comes from a number of this project and could loop'
  }
  return callPlans.describeTargetRefusal(e164, target_rules)
}
