/** Sentences of a text chat that differ from those of a call. */
import type { Language } from '../../../../providers/model/language/language.ts'
import { fillTemplate } from '../../../../providers/model/language/speech.ts'

interface ChatSentences {
  handed_off: string
  emergency: string
  urgent: string
  disclosure: string
  turn_limit: string
}

const sentences: Readonly<Record<Language, ChatSentences>> = {
  en: {
    handed_off: 'I have asked a colleague to take over. They will reply here.',
    emergency: 'Please call {number} now. I am a digital assistant and cannot send help.',
    urgent: 'If anybody is in danger, please call {number} now.',
    disclosure: 'I am a digital assistant.',
    turn_limit: 'This chat has become very long, so it is closed now. Please start a new one.',
  },
  nl: {
    handed_off: 'Ik heb een collega gevraagd om het over te nemen. Het antwoord komt hier.',
    emergency: 'Bel nu {number}. Ik ben een digitale assistent en kan geen hulp sturen.',
    urgent: 'Is er iemand in gevaar, bel dan nu {number}.',
    disclosure: 'Ik ben een digitale assistent.',
    turn_limit: 'Deze chat is erg lang geworden en wordt nu gesloten. Begin gerust een nieuwe.',
  },
  de: {
    handed_off:
      'Ich habe eine Kollegin oder einen Kollegen gebeten, zu übernehmen. Die Antwort kommt hier.',
    emergency:
      'Bitte wählen Sie jetzt {number}. Ich bin ein digitaler Assistent und kann keine Hilfe schicken.',
    urgent: 'Wenn jemand in Gefahr ist, wählen Sie bitte jetzt {number}.',
    disclosure: 'Ich bin ein digitaler Assistent.',
    turn_limit:
      'Dieser Chat ist sehr lang geworden und wird jetzt beendet. Bitte beginnen Sie einen neuen.',
  },
  fr: {
    handed_off: 'J’ai demandé à un collègue de prendre le relais. La réponse arrivera ici.',
    emergency:
      'Appelez le {number} maintenant. Je suis un assistant numérique et je ne peux pas envoyer de secours.',
    urgent: 'Si quelqu’un est en danger, appelez le {number} maintenant.',
    disclosure: 'Je suis un assistant numérique.',
    turn_limit:
      'Cette conversation est devenue très longue et se termine ici. Commencez-en une nouvelle.',
  },
  es: {
    handed_off: 'He pedido a un compañero que siga él. La respuesta llegará aquí.',
    emergency: 'Llame ahora al {number}. Soy un asistente digital y no puedo enviar ayuda.',
    urgent: 'Si alguien está en peligro, llame ahora al {number}.',
    disclosure: 'Soy un asistente digital.',
    turn_limit: 'Este chat se ha hecho muy largo y se cierra ahora. Empiece uno nuevo.',
  },
  it: {
    handed_off: 'Ho chiesto a un collega di continuare. La risposta arriverà qui.',
    emergency: 'Chiami subito il {number}. Sono un assistente digitale e non posso mandare aiuto.',
    urgent: 'Se qualcuno è in pericolo, chiami subito il {number}.',
    disclosure: 'Sono un assistente digitale.',
    turn_limit: 'Questa chat è diventata molto lunga e si chiude ora. Ne inizi una nuova.',
  },
}

export function writeChatSentence(
  language: Language,
  sentence: keyof ChatSentences,
  values: Readonly<Record<string, string>> = {},
): string {
  return fillTemplate(sentences[language][sentence], values)
}
