/** The texts about the data of one person. */
import { defineTexts } from '../../../language/texts.ts'

export const usePersonTexts = defineTexts('person', {
  en: {
    title: 'One person',
    about:
      'For a customer who asks what you know about them, or asks you to forget them. Search their calls, chats and records.',
    label: 'Phone number, email address or visitor id',
    hint: 'A number is found however it was written. One of another country begins with +.',
    search: 'Search',
    found_one: '{{count}} record of this person',
    found_other: '{{count}} records of this person',
    mentions_one: '{{count}} mentions them',
    mentions_other: '{{count}} mention them',
    nothing: 'Nothing is stored about this person.',
    nothing_about: 'Check how the number or address is written, or search for another one.',
    export: 'Download a copy',
    exported: 'The download has started.',
    erase: 'Erase',
    erase_title: 'Erase the data about this person?',
    erase_about_one:
      '{{count}} record is deleted with its earlier versions. This cannot be undone. Records that must be kept, such as payments, stay.',
    erase_about_other:
      '{{count}} records are deleted with their earlier versions. This cannot be undone. Records that must be kept, such as payments, stay.',
    erase_typed: 'Type the number, address or id to confirm',
    with_mentions: 'Also erase records that only mention this person',
    erased_one: '{{count}} record is erased.',
    erased_other: '{{count}} records are erased.',
    mention: 'mentions them',
    more: 'and {{count}} more',
    not_searched: 'Not searched',
    backups: 'Backups contain the data until they are deleted.',
  },
  nl: {
    title: 'Eén persoon',
    about:
      'Voor een klant die vraagt wat u over hem of haar bewaart, of die vergeten wil worden. Zoek gesprekken, chats en gegevens.',
    label: 'Telefoonnummer, e-mailadres of bezoekers-id',
    hint: 'Een nummer wordt gevonden, hoe het ook is geschreven. Dat van een ander land begint met +.',
    search: 'Zoeken',
    found_one: '{{count}} gegeven van deze persoon',
    found_other: '{{count}} gegevens van deze persoon',
    mentions_one: '{{count}} noemt deze persoon',
    mentions_other: '{{count}} noemen deze persoon',
    nothing: 'Over deze persoon wordt niets bewaard.',
    nothing_about: 'Controleer het nummer of adres, of zoek op een ander nummer of adres.',
    export: 'Kopie downloaden',
    exported: 'Het downloaden is begonnen.',
    erase: 'Wissen',
    erase_title: 'Gegevens over deze persoon wissen?',
    erase_about_one:
      '{{count}} gegeven wordt verwijderd, met eerdere versies. Dit kan niet ongedaan worden gemaakt. Wat bewaard moet blijven, zoals betalingen, blijft.',
    erase_about_other:
      '{{count}} gegevens worden verwijderd, met eerdere versies. Dit kan niet ongedaan worden gemaakt. Wat bewaard moet blijven, zoals betalingen, blijft.',
    erase_typed: 'Typ het nummer, adres of id om te bevestigen',
    with_mentions: 'Wis ook gegevens die deze persoon alleen noemen',
    erased_one: '{{count}} gegeven is gewist.',
    erased_other: '{{count}} gegevens zijn gewist.',
    mention: 'noemt deze persoon',
    more: 'en nog {{count}}',
    not_searched: 'Niet doorzocht',
    backups: 'Back-ups bevatten de gegevens tot ze worden verwijderd.',
  },
})
