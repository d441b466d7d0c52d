/** The texts about facts. */
import { defineTexts } from '../../../language/texts.ts'

export const useFactTexts = defineTexts('assistant_facts', {
  en: {
    title: 'Facts',
    about: 'The assistant answers with these words. {{count}} of {{max}}.',
    add: 'Add fact',
    edit: 'Edit fact',
    paste: 'Paste many',
    search: 'Search questions and answers',
    none_found: 'No fact contains these words.',
    empty: 'No facts yet',
    empty_about:
      'Prices, parking, payment, delivery: write what callers ask, with the answer to give.',
    sentence: 'Ask me ten questions that our callers ask, and save my answers as facts.',
    fact_about: 'Write the question as callers ask it. The answer is read out as it is.',
    question: 'Question',
    question_example: 'Can I park at your shop?',
    answer: 'Answer',
    answer_example: 'Yes, behind the shop, for free.',
    answer_hint: 'One or two sentences are best on the phone.',
    edit_fact: 'Edit: {{question}}',
    delete_fact: 'Delete: {{question}}',
    done: 'Done',
    cancel: 'Cancel',
    paste_about:
      'Copy the questions of your website or a table. A question and its answer are one line, or a block with an empty line after it.',
    paste_text: 'Questions and answers',
    paste_example:
      'Can I park at your shop?\nYes, behind the shop, for free.\n\nDo you deliver? Yes, from 30 euro.',
    paste_preview: 'As it was read',
    paste_unread: 'No question with an answer: “{{text}}”',
    paste_add_one: 'Add {{count}} fact',
    paste_add_other: 'Add {{count}} facts',
    too_many: 'An assistant has at most {{max}} facts.',
  },
  nl: {
    title: 'Feiten',
    about: 'De assistent antwoordt met deze woorden. {{count}} van {{max}}.',
    add: 'Feit toevoegen',
    edit: 'Feit bewerken',
    paste: 'Meer plakken',
    search: 'Zoeken in vragen en antwoorden',
    none_found: 'Geen feit bevat deze woorden.',
    empty: 'Nog geen feiten',
    empty_about:
      'Prijzen, parkeren, betalen, bezorgen: schrijf wat bellers vragen, met het antwoord.',
    sentence: 'Stel me tien vragen die onze bellers stellen, en bewaar mijn antwoorden als feiten.',
    fact_about:
      'Schrijf de vraag zoals bellers die stellen. Het antwoord wordt letterlijk voorgelezen.',
    question: 'Vraag',
    question_example: 'Kan ik bij jullie parkeren?',
    answer: 'Antwoord',
    answer_example: 'Ja, achter de winkel, gratis.',
    answer_hint: 'Aan de telefoon zijn één of twee zinnen het best.',
    edit_fact: 'Bewerken: {{question}}',
    delete_fact: 'Verwijderen: {{question}}',
    done: 'Klaar',
    cancel: 'Annuleren',
    paste_about:
      'Kopieer de vragen van uw website of een tabel. Een vraag met antwoord is één regel, of een blok met een lege regel erna.',
    paste_text: 'Vragen en antwoorden',
    paste_example:
      'Kan ik bij jullie parkeren?\nJa, achter de winkel, gratis.\n\nBezorgen jullie? Ja, vanaf 30 euro.',
    paste_preview: 'Zo is het gelezen',
    paste_unread: 'Geen vraag met antwoord: “{{text}}”',
    paste_add_one: '{{count}} feit toevoegen',
    paste_add_other: '{{count}} feiten toevoegen',
    too_many: 'Een assistent heeft hoogstens {{max}} feiten.',
  },
})
