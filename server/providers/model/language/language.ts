/**
 * The types of the built-in model's language data. The words are in phrases.ts; a new language is
 * one more entry there.
 *
 * Every list holds folded text (lowercase, no accents, no punctuation), matched as whole words; a
 * final `*` matches the rest of a word.
 */
export const languages = ['nl', 'en', 'de', 'fr', 'es', 'it'] as const
export type Language = (typeof languages)[number]

/** Words that indicate an intent. */
export interface Cues {
  /** Frequent short words that identify a language. */
  common: readonly string[]
  /** Words without meaning for the subject of a question. */
  filler: readonly string[]
  greeting: readonly string[]
  /** Words that precede the speaker's name. */
  introduction: readonly string[]
  thanks: readonly string[]
  /** Ends a call at any position in a short sentence. */
  goodbye: readonly string[]
  /** Ends a call only if nothing else is said: in Dutch "dag" also means day. */
  goodbye_alone: readonly string[]
  affirm: readonly string[]
  deny: readonly string[]
  how_are_you: readonly string[]
  identity: readonly string[]
  human: readonly string[]
  message: readonly string[]
  /** Words that ask for opening hours. */
  opening: readonly string[]
  /** Words that ask for opening hours only together with a day. */
  visiting: readonly string[]
  /** Words that ask for the hours of the whole week. */
  schedule: readonly string[]
  /** Words that ask whether the business is open now. */
  now: readonly string[]
  /** Words of a mood. Politeness and problems do not count. */
  positive: readonly string[]
  negative: readonly string[]
}

/** Names of days in speech; weekdays and months come from Intl. */
export interface DayWords {
  today: readonly string[]
  tomorrow: readonly string[]
  day_after_tomorrow: readonly string[]
  weekend: readonly string[]
  feasts: FeastWords
}

/** A word in two lists, such as "paasdagen", means both days. */
export interface FeastWords {
  christmas_eve: readonly string[]
  christmas: readonly string[]
  boxing_day: readonly string[]
  new_years_eve: readonly string[]
  new_years_day: readonly string[]
  easter: readonly string[]
  easter_monday: readonly string[]
}

/** The assistant's sentences with placeholders such as `{name}`. */
export interface Sentences {
  /** The default greeting. */
  greeting: string
  disclosure: string
  help: string
  small_talk: string
  identity: string
  welcome: string
  goodbye: string
  still_there: string
  silence_goodbye: string
  connecting: string
  unknown: string
  ask_message: string
  ask_message_again: string
  /** After a name only: asks for the rest of the message. */
  ask_message_rest: string
  /** Confirms that it speaks this language. */
  speaks: string
  /** Lists the configured languages. */
  speaks_only: string
  no_human: string
  /** After an unanswered transfer. */
  no_answer: string
  message_taken: string
  message_dropped: string
  did_you_mean: string
  /** Repeats a question after an unclear answer. */
  yes_or_no: string
  /** Replies to an insult. */
  calm: string
  offer_person: string
  /** A person is in danger. */
  emergency: string
  /** Something is urgent, perhaps without danger; an answer follows. */
  urgent: string
  say_again: string
  only_in: string
  trouble: string
}

export interface HoursSentences {
  open_now: string
  open_now_until: string
  closed_now: string
  opens_next: string
  open_on: string
  closed_on: string
  closed_on_because: string
  range: string
  today: string
  tomorrow: string
  /** A date within a sentence, with a preposition or article if the language needs one. */
  on_date: string
  /** A range of consecutive days. */
  through: string
  /** A time of day, and a full hour. */
  time: string
  whole: string
}

export interface SummarySentences {
  nothing_said: string
  asked: string
  answered: string
  unanswered: string
  message: string
  transferred: string
  pass_on: string
  find_out: string
  no_action: string
  hours_topic: string
}

export interface Voice {
  cues: Cues
  days: DayWords
  say: Sentences
  hours: HoursSentences
  summary: SummarySentences
}
