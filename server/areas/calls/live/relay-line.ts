/**
 * A line over the WebSocket of a carrier, with the messages of ConversationRelay: the carrier
 * recognises and speaks, and this side reads and writes text.
 */
import { setTimeout as delay } from 'node:timers/promises'
import { Type } from 'typebox'
import { schemaChecks } from '../../../kernel/values/typebox.ts'
import type { Clock } from '../../../kernel/clock.ts'
import { toFullTag } from '../../../providers/carrier/calls/language-tag.ts'
import type { CallerAction, Line } from '../../../providers/carrier/line.ts'

/** Both ends of a WebSocket with JSON messages. */
export interface RelaySocket {
  send(message: object): void
  /** Waits for the next message; null if the connection has ended. */
  next(): Promise<unknown>
  close(): void
}

const SPEECH_CHARACTERS_PER_SECOND = 15
/** Length of an audio file whose duration is unknown. */
const AUDIO_SECONDS = 10
/** The clock can be moved, so waiting looks at it so often. */
const LOOK_MS = 100
/** Further words of somebody who does not wait for a reply are not heard. */
const ACTIONS_MAX = 100
const HEARD_CHARACTERS_MAX = 4_000

const Prompt = Type.Object({ type: Type.Literal('prompt'), voicePrompt: Type.String() })
const Partial = Type.Object({ type: Type.Literal('prompt'), last: Type.Literal(false) })
const Digit = Type.Object({
  type: Type.Literal('dtmf'),
  digit: Type.String({ pattern: '^[0-9*#]$' }),
})
const Interrupt = Type.Object({
  type: Type.Literal('interrupt'),
  utteranceUntilInterrupt: Type.String(),
})
const Played = Type.Object({ type: Type.Literal('info'), name: Type.Literal('tokensPlayed') })

export interface RelayLine extends Line {
  /** Resolves when everything has probably been spoken. */
  spoken(): Promise<void>
  readonly is_open: boolean
}

export function openRelayLine(
  socket: RelaySocket,
  { clock, started_at }: { clock: Clock; started_at: Date },
): RelayLine {
  const actions: CallerAction[] = []
  const connection = { is_open: true }
  let spoken_by_ms = 0
  let heard_before: string | null = null
  let language: string | null = null

  function take(message: unknown): void {
    if (actions.length >= ACTIONS_MAX) return
    if (schemaChecks().Check(Partial, message)) return
    if (schemaChecks().Check(Prompt, message)) {
      const text = message.voicePrompt.slice(0, HEARD_CHARACTERS_MAX).trim()
      if (text === '') return
      actions.push(heard_before === null ? { text } : { text, heard_before })
      heard_before = null
    } else if (schemaChecks().Check(Digit, message)) {
      actions.push({ digits: message.digit })
    } else if (schemaChecks().Check(Interrupt, message)) {
      heard_before = message.utteranceUntilInterrupt.slice(0, HEARD_CHARACTERS_MAX)
      spoken_by_ms = clock.now_ms()
    } else if (schemaChecks().Check(Played, message)) spoken_by_ms = clock.now_ms()
  }

  /** Counts the time of what the carrier was given to speak or play. */
  function takeTime(seconds: number): void {
    spoken_by_ms = Math.max(spoken_by_ms, clock.now_ms()) + seconds * 1000
  }

  void readAll(socket, take).then(() => (connection.is_open = false))

  return {
    get is_open() {
      return connection.is_open
    },
    elapsed_ms: () => clock.now_ms() - started_at.getTime(),
    answer: async () => null,
    ring: () => Promise.reject(new Error('A relay rings nobody.')),
    bridged: () => Promise.reject(new Error('A relay connects nobody.')),
    async speak(text, spoken_language) {
      if (spoken_language && spoken_language !== language) {
        language = spoken_language
        const tag = toFullTag(language)
        socket.send({ type: 'language', ttsLanguage: tag, transcriptionLanguage: tag })
      }
      socket.send({ type: 'text', token: text, last: true })
      takeTime(text.length / SPEECH_CHARACTERS_PER_SECOND)
    },
    async play({ url, duration_sec }) {
      socket.send({ type: 'play', source: url, loop: 1 })
      takeTime(duration_sec ?? AUDIO_SECONDS)
    },
    async listen(seconds) {
      for (;;) {
        const action = actions.shift()
        if (action) return action
        if (!connection.is_open) return { hung_up: true }
        const silent_ms = clock.now_ms() - spoken_by_ms
        if (silent_ms >= seconds * 1000) {
          spoken_by_ms = clock.now_ms()
          return { silence_ms: seconds * 1000 }
        }
        await delay(LOOK_MS)
      }
    },
    async spoken() {
      while (connection.is_open && clock.now_ms() < spoken_by_ms) await delay(LOOK_MS)
    },
    async hangUp() {},
  }
}

/** Takes every message until the connection ends. */
async function readAll(socket: RelaySocket, take: (message: unknown) => void): Promise<void> {
  for (;;) {
    const message = await socket.next()
    if (message === null) return
    take(message)
  }
}
