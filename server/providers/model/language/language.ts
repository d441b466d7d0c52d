/**
 * The shape of what the built-in model knows about a language. The words themselves are data, in
 * phrases.ts; a new language is one more entry there and nothing else.
 *
 * Every list holds folded text (lowercase, no accents, no punctuation), matched as whole words;
 * a `*` at the end of an entry stands for the rest of a word.
 */
export const languages = ['nl', 'en', 'de', 'fr', 'es', 'it'] as const
export type Language = (typeof languages)[number]

/** Words that tell what somebody means. */
export interface Cues {
  /** Common little words by which a language is recognised. */
  common: readonly string[]
  /** Words that say nothing about the subject of a question. */
  filler: readonly string[]
  greeting: readonly string[]
  /** Before somebody's own name. */
  introduction: readonly string[]
  thanks: readonly string[]
  /** Ends a call wherever it stands in a short sentence. */
  goodbye: readonly string[]
  /** Ends a call only when nothing else is said: in Dutch "dag" is also a day. */
  goodbye_alone: readonly string[]
  affirm: readonly string[]
  deny: readonly string[]
  how_are_you: readonly string[]
  identity: readonly string[]
  human: readonly string[]
  message: readonly string[]
  /** Words of a question about opening hours. */
  opening: readonly string[]
  /** Words of a question about opening hours only when a day is named as well. */
  visiting: readonly string[]
  /** Words of a question about the hours of the whole week. */
  schedule: readonly string[]
  /** Words that make a question about opening hours one about this moment. */
  now: readonly string[]
  /** Words of a mood; being polite, or having a problem, is none. */
  positive: readonly string[]
  negative: readonly string[]
}

/** How days are named in speech; weekdays and months come from Intl. */
export interface DayWords {
  today: readonly string[]
  tomorrow: readonly string[]
  day_after_tomorrow: readonly string[]
  weekend: readonly string[]
  feasts: FeastWords
}

/** A word in two of the lists, such as "paasdagen", names both days. */
export interface FeastWords {
  christmas_eve: readonly string[]
  christmas: readonly string[]
  boxing_day: readonly string[]
  new_years_eve: readonly string[]
  new_years_day: readonly string[]
  easter: readonly string[]
  easter_monday: readonly string[]
}

/** What the assistant says; `{name}` and the like are filled in. */
export interface Sentences {
  /** Opens a call when the owner wrote no greeting of their own. */
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
  /** After a name alone: asks for the rest of the message. */
  ask_message_rest: string
  /** Yes, it speaks this very language. */
  speaks: string
  /** Names the languages that it is set up for. */
  speaks_only: string
  no_human: string
  /** After a transfer that nobody took. */
  no_answer: string
  message_taken: string
  message_dropped: string
  did_you_mean: string
  /** Repeats that question to somebody whose answer was neither yes nor no. */
  yes_or_no: string
  /** Meets an insult. */
  calm: string
  offer_person: string
  /** Somebody is in danger. */
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
  /** A date in a sentence, where a language puts a word before it. */
  on_date: string
  /** Several days in a row. */
  through: string
  /** A time of day, and one at the full hour. */
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
