/**
 * A call's conversation over the text relay: receives the caller's turns, sends the dialogue
 * engine's replies, keeps the transcript and ends the call. Messages are processed one at a time;
 * an error in one never ends the conversation.
 */
import type { Runtime } from '../../../kernel/runtime.ts'
import type { Language, Sentences } from '../../../providers/model/language/language.ts'
import { writeSentence } from '../../../providers/model/language/speech.ts'
import { detectLanguage, languageOf } from '../../../providers/model/language/words.ts'
import type {
  RelayEnd,
  RelayIn,
  RelayOptions,
  RelayOut,
  RelaySetup,
  RelayTarget,
  RelayText,
} from '../../../providers/voice/relay.ts'
import {
  replyToCaller,
  type DialogueAction,
  type DialogueReply,
  type DialogueTurn,
} from './dialogue.ts'
import { composeGreeting } from './greeting.ts'
import type { Profile } from '../profile.ts'
import * as store from '../store.ts'
import { noTools, type ToolSettings } from '../tools/tool-settings.ts'
import type { Spender } from '../costs/spend.ts'
import { cutText } from '../../../kernel/values/cut-text.ts'
import type { ToolRecord } from '../tools/run-tools.ts'

export interface TextRelayOptions {
  project_id: string
  send(out: RelayOut): void
  /** Called with the text of a message that the assistant noted. */
  takeMessage?(text: string): void
  /** Called with notes on what the assistant looked up, before its reply is sent. */
  note?(text: string): void
  /** Time limit of a model request. */
  patience_ms?: number
  /** The payer of model requests; if omitted, they are neither counted nor charged. */
  spender?: Spender | null
}

export interface TextRelay {
  /** Resolves after all replies to the message were sent; never rejects. */
  receive(message: RelayIn): Promise<void>
  /** Ends the conversation; nothing is sent afterwards. */
  close(): void
}

const PATIENCE_MS = 12_000
const SAID_CHARACTERS_MAX = 4_000
const DIGITS_MAX = 32

/**
 * Id of the transfer target that is the number in the assistant's settings, which the call plan
 * does not list.
 */
const OWN_TARGET = 'assistant'

export async function openRelay(runtime: Runtime, parts: TextRelayOptions): Promise<TextRelay> {
  const found = await store.find(runtime.db, parts.project_id).catch((error: unknown) => {
    runtime.log.warn(
      { err: error, project_id: parts.project_id },
      'the assistant could not be read',
    )
    return null
  })
  return new Session(runtime, parts, found)
}

class Session implements TextRelay {
  private readonly runtime: Runtime
  private readonly parts: TextRelayOptions
  /** null if the project has no assistant. */
  private readonly profile: Profile | null
  private readonly tools: ToolSettings
  private readonly uses = new Map<string, number>()
  private readonly hangup = new AbortController()
  private readonly turns: DialogueTurn[] = []
  private options: RelayOptions = {}
  private language: Language = 'en'
  private called = ''
  /** The BCP 47 tag in use, with its region, such as `nl-BE`. */
  private tag = ''
  private silences = 0
  private digits = ''
  private ended = false
  private queue: Promise<void> = Promise.resolve()

  constructor(
    runtime: Runtime,
    parts: TextRelayOptions,
    found: Pick<store.StoredAssistant, 'profile' | 'tools'> | null,
  ) {
    this.runtime = runtime
    this.parts = parts
    this.profile = found?.profile ?? null
    this.tools = found?.tools ?? noTools
  }

  receive(message: RelayIn): Promise<void> {
    this.queue = this.after(this.queue, message)
    return this.queue
  }

  private async after(earlier: Promise<void>, message: RelayIn): Promise<void> {
    await earlier
    try {
      if (!this.ended) await this.take(message)
    } catch (error) {
      this.runtime.log.error({ err: error, project_id: this.parts.project_id }, 'a relay failed')
      this.speak('trouble', 'ask_message')
    }
  }

  close(): void {
    this.ended = true
    this.hangup.abort()
  }

  private async take(message: RelayIn): Promise<void> {
    switch (message.type) {
      case 'setup':
        return this.open(message)
      case 'prompt':
        // A partial transcript gets no reply.
        if (message.last) await this.hear(message.text, message.language)
        return
      case 'interrupt':
        return this.forgetUnheard(message.heard_text)
      case 'dtmf':
        return this.press(message.digit)
      case 'error':
        this.runtime.log.warn({ description: message.description }, 'the line reported an error')
    }
  }

  private open({ to, language, node_options = {} }: RelaySetup): void {
    const { profile } = this
    this.called = to
    if (profile === null) return this.end({ type: 'end', reason: 'unavailable' })
    this.options = node_options
    const tags = [language, node_options.language, ...profile.languages]
    this.language = tags.map(languageOf).find((one) => one !== null) ?? 'en'
    this.tag = tagFor(this.language, [...tags])
    if (node_options.resumed) return this.speak('no_answer', 'ask_message')
    const own = node_options.greeting ?? profile.greeting
    const greeting = composeGreeting({ name: profile.name, greeting: own, language: this.language })
    this.say(greeting.text, greeting.language, { interruptible: false })
  }

  private async hear(text: string, language?: string): Promise<void> {
    const said = cutText([text, this.digits].join(' ').trim(), SAID_CHARACTERS_MAX)
    this.digits = ''
    if (said === '') return this.silence()
    this.silences = 0
    this.turns.push({ role: 'caller', text: said })
    this.language = detectLanguage(said) ?? languageOf(language) ?? this.language
    if (this.profile === null) return
    const { patience_ms = PATIENCE_MS, project_id, spender = null } = this.parts
    const answer = await replyToCaller(this.runtime, {
      project_id,
      profile: this.profile,
      turns: this.turns,
      language: this.language,
      called: this.called,
      extra: this.options.instructions ?? null,
      targets: this.targets(),
      tools: {
        settings: this.tools,
        test: spender?.test ?? false,
        countUses: async () => this.uses,
      },
      signal: AbortSignal.any([this.hangup.signal, AbortSignal.timeout(patience_ms)]),
      spender,
    })
    this.countTools(answer.tools)
    this.perform(answer)
  }

  /** Counts the uses of tools, and adds them to the transcript. */
  private countTools(tools: DialogueReply['tools']): void {
    for (const record of tools) {
      const { name, outcome } = record
      const text = describeUse(record)
      if (text !== null) this.parts.note?.(text)
      const is_used = outcome === 'done' || outcome === 'nothing'
      if (is_used) this.uses.set(name, (this.uses.get(name) ?? 0) + 1)
    }
  }

  private perform({ text, language, action, sources }: DialogueReply): void {
    this.say(text, language, { sources })
    this.act(action)
  }

  private act(action: DialogueAction | null): void {
    if (action?.kind === 'message') return this.parts.takeMessage?.(action.text)
    if (action?.kind === 'end') return this.end({ type: 'end', reason: 'completed' })
    if (action?.kind !== 'transfer') return
    const { id, e164 } = action.target
    const handoff = id === OWN_TARGET ? { phone: e164 } : { phone: e164, target_id: id }
    this.end({ type: 'end', reason: 'transfer', handoff })
  }

  /** The first silence gets a question; the second in a row ends the call. */
  private silence(): void {
    this.silences += 1
    if (this.silences === 1) return this.speak('still_there')
    this.speak('silence_goodbye')
    this.end({ type: 'end', reason: 'completed' })
  }

  /** `0` requests a person, `#` submits the typed digits, `*` clears them. */
  private async press(digit: string): Promise<void> {
    if (digit === '#') return this.hear('')
    if (digit === '*') this.digits = ''
    else if (digit === '0' && this.digits === '') this.askForPerson()
    else if (this.digits.length < DIGITS_MAX) this.digits += digit
  }

  private askForPerson(): void {
    const [target] = this.targets()
    if (target === undefined) return this.speak('no_human', 'ask_message')
    this.speak('connecting')
    this.act({ kind: 'transfer', target })
  }

  private targets(): RelayTarget[] {
    if (this.options.allow_transfer === false) return []
    const phone = this.profile?.transfer.phone
    const own = phone ? [{ id: OWN_TARGET, label: '', e164: phone, when: null }] : []
    return [...(this.options.transfer_targets ?? []), ...own]
  }

  /** Truncates the last reply to what the caller heard before interrupting it. */
  private forgetUnheard(heard_text: string): void {
    const last = this.turns.at(-1)
    if (last?.role === 'assistant') last.text = heard_text
  }

  private speak(...sentences: (keyof Sentences)[]): void {
    this.say(sentences.map((one) => writeSentence(this.language, one)).join(' '), this.language)
  }

  private say(
    text: string,
    language: string,
    {
      interruptible = true,
      sources = [],
    }: Pick<Partial<RelayText>, 'interruptible' | 'sources'> = {},
  ): void {
    if (this.ended) return
    const tag = tagFor(language, [this.tag, ...(this.profile?.languages ?? [])])
    if (tag !== this.tag) {
      this.tag = tag
      this.parts.send({ type: 'language', speech_language: tag, listening_language: tag })
    }
    this.turns.push({ role: 'assistant', text })
    const cited = sources.length > 0 ? { sources } : {}
    this.parts.send({
      type: 'text',
      token: text,
      last: true,
      language: tag,
      interruptible,
      ...cited,
    })
  }

  private end(out: RelayEnd): void {
    if (this.ended) return
    this.ended = true
    this.parts.send(out)
  }
}

/** The first tag with this language, to keep a known region. */
function tagFor(language: string, tags: readonly (string | null | undefined)[]): string {
  const primary = language.toLowerCase().split('-')[0]
  return tags.find((tag) => tag?.toLowerCase().split('-')[0] === primary) ?? language
}

/**
 * Returns null for tools whose effect the reply mentions itself. The name of a refused tool is
 * omitted, because an attacker may have chosen it.
 */
function describeUse({ name, subject, outcome, count }: ToolRecord): string | null {
  if (outcome === 'refused') return 'The assistant was refused a tool.'
  if (outcome === 'limit') return `The assistant reached the limit of ${name}.`
  if (name === 'identify')
    return `The assistant found no record of ${subject} for the given values.`
  if (name === 'look_up') return `The assistant looked up ${subject}: ${count} found.`
  if (name === 'check_hours') return `The assistant checked the opening hours of ${subject}.`
  return null
}
