/** Schemas of the sources of the assistant's knowledge. */
import { Type, type Static } from 'typebox'
import { limits } from '../../../contract/limits.ts'
import { markAsOutsiders } from '../../../contract/schema/outsiders.ts'
import { PageReply } from '../../../contract/schema/pages.ts'
import { orNull, Timestamp, Uuid, withDescription } from '../../../contract/schema/shapes.ts'

/** Kinds whose errors, or whose titles, come from the project itself. Visitors can send files. */
const own = { unless: { field: 'kind', is: ['site', 'collection', 'text'] } }
const own_title = { unless: { field: 'kind', is: ['site', 'collection', 'text', 'website'] } }

const Title = Type.String({ minLength: 1, maxLength: 200, examples: ['Gift cards'] })
const Address = Type.String({
  minLength: 1,
  maxLength: 1_000,
  description: 'Public address of a website. Pages of the same host are read, within robots.txt.',
  examples: ['https://bakery.example'],
})
const Body = Type.String({
  minLength: 1,
  maxLength: limits.assistant_source_text_characters_max,
  pattern: String.raw`\S`,
  description: 'What the assistant should know, as plain text.',
  examples: ['Gift cards are sold in the shop. They are valid for two years.'],
})

export const SourceInput = Type.Object(
  {
    kind: Type.Enum(['website', 'site', 'text', 'media'], {
      description:
        'website: pages of a public website, needs url. site: the pages of a site of the project, ' +
        'needs site_id. text: needs title and text. media: a PDF or DOCX file of the media ' +
        'library, needs media_id.',
    }),
    url: Type.Optional(Address),
    site_id: Type.Optional(withDescription(Uuid, 'Id of a site of the project.')),
    media_id: Type.Optional(withDescription(Uuid, 'Id of a PDF or DOCX file.')),
    title: Type.Optional(withDescription(Title, 'Title of a text.')),
    text: Type.Optional(Body),
  },
  {
    additionalProperties: false,
    examples: [{ kind: 'website', url: 'https://www.bakery.example/' }],
  },
)
export type SourceInput = Static<typeof SourceInput>

const Progress = Type.Object(
  {
    done: Type.Integer({ description: 'Pages that were read.', examples: [12] }),
    total: Type.Integer({
      description: 'Pages that are known so far; more may be found.',
      examples: [40],
    }),
  },
  { description: 'How far indexing is.' },
)

const fields = {
  id: Uuid,
  kind: Type.Enum(['website', 'site', 'collection', 'text', 'media'], {
    description: 'Where the knowledge comes from.',
  }),
  managed_by: Type.Enum(['sources', 'assistant', 'collection'], {
    description:
      'Where the source is added and deleted: sources: here. assistant: it is website_url of PUT ' +
      '/assistant. collection: it is a collection with assistant_facts.',
  }),
  title: markAsOutsiders(
    Type.String({
      description: 'Title of the text, site, collection or file, or the host of a website.',
      examples: ['bakery.example'],
    }),
    own_title,
  ),
  url: orNull(
    Type.String({ examples: ['https://bakery.example'] }),
    'Address of a website; null for others.',
  ),
  site_id: orNull(Uuid, 'The site; null for others.'),
  media_id: orNull(Uuid, 'The file of the media library; null for others.'),
  collection: orNull(
    Type.String({ examples: ['opening_questions'] }),
    'Name of the collection; null for others.',
  ),
  status: Type.Enum(['pending', 'indexed', 'failed'], {
    description:
      'pending: it is being indexed, or waits for that. indexed: the assistant answers from it. ' +
      'failed: see error; what was indexed before stays if the failure may pass.',
  }),
  progress: orNull(Progress, 'How far indexing is; null unless the status is pending.'),
  pages: Type.Integer({
    description: 'Pages, or documents of a collection, that the assistant answers from.',
    examples: [40],
  }),
  chunks: Type.Integer({
    description: 'Parts of text that are searched for an answer.',
    examples: [312],
  }),
  bytes: Type.Integer({
    description: 'Size of these parts of text in bytes.',
    examples: [241_000],
  }),
  indexed_at: orNull(Timestamp, 'When it was last indexed completely; null if never.'),
  next_refresh_at: orNull(
    Timestamp,
    'When it is read again by itself; null: when its content changes.',
  ),
  error: markAsOutsiders(
    orNull(
      Type.String({ examples: ['It answered with the status 404.'] }),
      'Why it failed, or which part was left out; null if neither.',
    ),
    own,
  ),
  test: Type.Boolean({ description: 'Whether a test key added it.', examples: [false] }),
  created_at: Timestamp,
}

export const Source = Type.Object(fields, { title: 'AssistantSource' })
export type Source = Static<typeof Source>

const SourcePage = Type.Object({
  url: markAsOutsiders(
    Type.String({ description: 'Address of the page.', examples: ['https://bakery.example/faq'] }),
  ),
  title: markAsOutsiders(
    Type.String({ description: 'Title of the page.', examples: ['Questions and answers'] }),
  ),
  status: Type.Enum(['waiting', 'read', 'failed'], {
    description: 'Whether it was read in the latest crawl.',
  }),
  error: markAsOutsiders(
    orNull(
      Type.String({ examples: ['It answered with the status 500.'] }),
      'Why it could not be read; null if it was.',
    ),
  ),
  read_at: orNull(Timestamp, 'When it was last read; null if never.'),
})

export const SourceDetail = Type.Object(
  {
    ...fields,
    text: orNull(
      Type.String({ examples: ['Gift cards are sold in the shop.'] }),
      'The text of a text; null for others.',
    ),
    page_list: Type.Array(SourcePage, {
      description: 'The pages of a website or site, in the order of reading; empty for others.',
    }),
  },
  { title: 'AssistantSourceDetail' },
)
export type SourceDetail = Static<typeof SourceDetail>

export const SourceList = PageReply(Source)
export type SourceList = Static<typeof SourceList>

export const SourceId = Type.Object({
  id: Type.String({ format: 'uuid', description: 'Id of the source.' }),
})
