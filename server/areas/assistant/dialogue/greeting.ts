/**
 * The greeting of a call: the owner's text or a default with the name, with the disclosure that the
 * caller speaks with an AI (EU AI Act, article 50).
 */
import type { Language } from '../../../providers/model/language/language.ts'
import { writeSentence } from '../../../providers/model/language/speech.ts'
import { detectLanguage, fold, containsEntry } from '../../../providers/model/language/words.ts'
import { splitSentences } from '../knowledge/passages.ts'

export interface Greeting {
  text: string
  language: Language
}

export interface GreetingOptions {
  name: string
  /** The owner's text; may be empty. */
  greeting: string
  /** The initial language of the call. */
  language: Language
}

/** Words that count as a disclosure in the owner's greeting. */
const disclosures = [
  'ai',
  'a i',
  'ki',
  'ia',
  'robot',
  'bot',
  'digitale assistent',
  'virtuele assistent',
  'chatbot',
  'digital assistant',
  'virtual assistant',
  'artificial',
  'kunstmatige',
  'digitaler assistent',
  'digitalen assistenten',
  'virtueller assistent',
  'kunstliche',
  'assistant virtuel',
  'assistant numerique',
  'artificielle',
  'asistente virtual',
  'asistente digital',
  'artificial',
  'assistente virtuale',
  'assistente digitale',
  'artificiale',
  'voicebot',
  'computer',
]

export function composeGreeting({ name, greeting, language }: GreetingOptions): Greeting {
  const own = greeting.replace(/\s+/g, ' ').trim()
  if (own === '') {
    const sentences = ['greeting', 'disclosure', 'help'] as const
    return {
      language,
      text: sentences.map((one) => writeSentence(language, one, { name })).join(' '),
    }
  }
  // The language of the owner's text, which may differ from that of the call.
  const written_in = detectLanguage(own) ?? language
  if (containsEntry(fold(own), disclosures)) return { language: written_in, text: own }
  const disclosure = writeSentence(written_in, 'disclosure')
  const sentences = splitSentences(/[\p{L}\p{N}]$/u.test(own) ? `${own}.` : own)
  const last = sentences.at(-1) ?? ''
  // A final question stays last, so that the caller does not answer during the disclosure.
  const at = last.endsWith('?') ? sentences.length - 1 : sentences.length
  return { language: written_in, text: sentences.toSpliced(at, 0, disclosure).join(' ') }
}
