/** The texts about the settings of a collection. */
import { defineTexts } from '../../../language/texts.ts'

export const collectionSettingsTexts = defineTexts('collection_settings', {
  en: {
    title: 'Who uses the documents',
    settings: 'Settings',
    webhook_on_insert: 'Send an event for each new document',
    webhook_on_insert_about: 'Webhooks and agents for document.created get it.',
    assistant_facts: 'The assistant answers from the documents',
    assistant_facts_about: 'It uses them as facts, such as a menu or a price list.',
    challenge: 'Forms must solve a challenge',
    challenge_about: 'Deters programs that fill in forms. Visitors notice nothing.',
    public_read: 'Websites may read fields of the documents',
    public_read_about: 'Everybody can then read the fields that you choose, of every document.',
    readable_fields: 'Fields that everybody can read',
    no_fields: 'The collection has no fields yet. Add them in the schema first.',
    fault_fields: 'Choose at least one field.',
    save: 'Save',
    saved: 'The settings are saved.',
  },
  nl: {
    title: 'Wie de documenten gebruikt',
    settings: 'Instellingen',
    webhook_on_insert: 'Stuur een gebeurtenis bij elk nieuw document',
    webhook_on_insert_about: 'Webhooks en agents voor document.created krijgen die.',
    assistant_facts: 'De assistent antwoordt uit de documenten',
    assistant_facts_about: 'Hij gebruikt ze als feiten, zoals een menukaart of prijslijst.',
    challenge: 'Formulieren moeten een opgave oplossen',
    challenge_about: 'Houdt programma’s tegen die formulieren invullen. Bezoekers merken niets.',
    public_read: 'Websites mogen velden van de documenten lezen',
    public_read_about: 'Iedereen kan dan de velden lezen die u kiest, van elk document.',
    readable_fields: 'Velden die iedereen kan lezen',
    no_fields: 'De collectie heeft nog geen velden. Voeg ze eerst toe in het schema.',
    fault_fields: 'Kies ten minste één veld.',
    save: 'Opslaan',
    saved: 'De instellingen zijn opgeslagen.',
  },
})
