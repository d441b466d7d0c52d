/** Limits of the assistant. */
import { MB, type LimitEntry } from '../../contract/catalogue/entries/limit-entry.ts'

export const limits = {
  assistant_documents_max: {
    value: 1_000,
    unit: 'documents',
    about: 'Documents of a project that the assistant can answer from, oldest first',
    applies_to: 'collections with assistant_facts',
  },
  assistant_sources_max: {
    value: 50,
    unit: 'sources',
    about: 'Sources of the knowledge of the assistant, without collections and website_url',
    applies_to: 'projects',
  },
  assistant_source_pages_max: {
    value: 200,
    unit: 'pages',
    about: 'Pages of a website or site that the assistant reads',
    applies_to: 'sources of the assistant',
  },
  assistant_source_bytes_max: {
    value: 25 * MB,
    unit: 'bytes',
    about: 'Size of all pages of a website together that are read in one crawl',
    applies_to: 'sources of the assistant',
  },
  assistant_source_text_characters_max: {
    value: 100_000,
    unit: 'characters',
    about: 'Length of a text that is a source',
    applies_to: 'sources of the assistant',
  },
  assistant_document_bytes_max: {
    value: 20 * MB,
    unit: 'bytes',
    about: 'Size of a PDF or DOCX file that is a source',
    applies_to: 'sources of the assistant',
  },
  document_read_s_max: {
    value: 30,
    unit: 'seconds',
    about: 'Time to read the text of a PDF or DOCX file',
    applies_to: 'sources of the assistant',
  },
  assistant_chunks_max: {
    value: 20_000,
    unit: 'chunks',
    about: 'Chunks of text of all sources together, without collections',
    applies_to: 'projects',
  },
  assistant_search_characters_max: {
    value: 300,
    unit: 'characters',
    about: 'Part of a question that is searched for in projects with over 3,000 chunks',
    applies_to: 'the assistant',
  },
  assistant_search_s_max: {
    value: 2,
    unit: 'seconds',
    about:
      'Time for the search in projects with over 3,000 chunks, by words and then by spelling; the ' +
      'assistant answers from what was found until then',
    applies_to: 'the assistant',
  },
  knowledge_searches_max: {
    value: 30,
    unit: 'searches',
    about: 'Searches of the knowledge by a person in `knowledge_searches_window_s`, per process',
    applies_to: 'people',
  },
  knowledge_searches_window_s: {
    value: 60,
    unit: 'seconds',
    about: 'Window of `knowledge_searches_max`',
    applies_to: 'people',
  },
  assistant_look_ups_per_conversation: {
    value: 30,
    unit: 'uses',
    about:
      'Uses of each tool of the assistant that returns data: records of collections, opening hours',
    applies_to: 'conversations and calls',
  },
  assistant_look_ups_per_day: {
    value: 5_000,
    unit: 'uses',
    about: 'Uses of each tool of the assistant that returns data, in each mode',
    applies_to: 'projects',
  },
  assistant_failed_identifications_per_conversation: {
    value: 3,
    unit: 'look-ups',
    about:
      'Look-ups in which a visitor gave values that identify no record; then the assistant looks up ' +
      'no more records that need identification',
    applies_to: 'conversations and calls',
  },
  assistant_failed_identifications_per_day: {
    value: 200,
    unit: 'look-ups',
    about:
      'Look-ups in which visitors gave values that identify no record, in each mode; then the ' +
      'assistant looks up no more records that need identification until the next day',
    applies_to: 'projects',
  },
  assistant_messages_per_conversation: {
    value: 5,
    unit: 'messages',
    about: 'Messages for the business that the assistant takes, and hand-overs to a person',
    applies_to: 'conversations and calls',
  },
  assistant_messages_per_day: {
    value: 1_000,
    unit: 'messages',
    about: 'Messages for the business that the assistant takes, and hand-overs, in each mode',
    applies_to: 'projects',
  },
  assistant_look_up_collections_max: {
    value: 10,
    unit: 'collections',
    about: 'Collections that the assistant may look up in conversations',
    applies_to: 'projects',
  },
  test_replies_free_per_day: {
    value: 100,
    unit: 'replies',
    about:
      'Free requests of test calls and test chats to a configured language model per day; further ones are ' +
      'charged to the balance of the live project',
    applies_to: 'projects',
  },
} as const satisfies Record<string, LimitEntry>
