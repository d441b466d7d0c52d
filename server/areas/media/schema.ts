/** What a client sees of the media library. */
import { Type, type Static } from 'typebox'
import { limits } from '../../contract/limits.ts'
import { fromOutsiders } from '../../contract/outsiders.ts'
import { PageQuery, PageReply } from '../../contract/pages.ts'
import { named } from '../../contract/named.ts'
import { about, orNull, shownAs, Timestamp, Uuid } from '../../contract/shapes.ts'
import { folderPattern, formats, kinds, widths } from './words.ts'

const anyOf = <T extends string>(words: readonly T[], description: string) =>
  Type.Enum([...words], { description })

const Filename = Type.String({
  minLength: 1,
  maxLength: 200,
  pattern: '^[^/\\\\\\u0000-\\u001f\\u007f\\u202a-\\u202e\\u2066-\\u2069]+$',
  description: 'the name of a file, without folders and control characters, at most 200 characters',
  examples: ['terrace.jpg'],
})
const Sha256 = Type.String({
  pattern: '^[0-9a-f]{64}$',
  description: 'SHA-256 as 64 hex digits in lower case',
  examples: ['9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08'],
})
const Folder = Type.String({
  maxLength: 200,
  pattern: folderPattern,
  description: 'names between slashes, without a slash at either end; empty: no folder',
  examples: ['menu/summer'],
})
const Tags = Type.Array(
  Type.String({ minLength: 1, maxLength: 50, pattern: '^\\S(?:.*\\S)?$', examples: ['summer'] }),
  {
    maxItems: limits.media_tags_max,
    uniqueItems: true,
    description: 'Words to find it by.',
  },
)
const Alt = Type.String({
  maxLength: 1000,
  description: 'What the picture shows, for who cannot see it.',
  examples: ['The terrace in the evening, with lights in the trees'],
})
const Title = Type.String({ maxLength: 200, examples: ['Terrace'] })
const NullableAlt = orNull(Alt, 'What the picture shows, for people who cannot see it.')
const NullableTitle = orNull(Title, 'A title for people.')
const pixels = (what: string, example: number) =>
  orNull(
    Type.Integer({ minimum: 1, examples: [example] }),
    `${what} in pixels; null: it has none, or it is not known.`,
  )

/** What can be said of a file when it is added, and changed later. */
const says = {
  alt: Type.Optional(NullableAlt),
  title: Type.Optional(NullableTitle),
  tags: Type.Optional(Tags),
  folder: Type.Optional(Folder),
}

export const MediaParams = Type.Object(
  { id: about(Uuid, 'Id of the file in the media library.') },
  { additionalProperties: false },
)

export const Media = named(
  'Media',
  Type.Object({
    id: about(Uuid, 'Id of the file.'),
    filename: fromOutsiders(Filename, { unless: { field: 'source', is: ['upload', 'portal'] } }),
    kind: anyOf(kinds, 'What sort of file it is.'),
    content_type: Type.String({
      description: 'What the bytes are, whatever was announced.',
      examples: ['image/jpeg'],
    }),
    bytes: Type.Integer({ description: 'Size as it is kept.', examples: [181_326] }),
    sha256: Type.String({
      description: 'Of the bytes as they are kept, in hex.',
      examples: ['2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824'],
    }),
    sent_sha256: Type.String({
      examples: ['9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08'],
      description:
        'Of the bytes as they were sent. It differs where a picture was kept without what its ' +
        'camera wrote into it, or a recording without its place.',
    }),
    width: pixels('Width', 1600),
    height: pixels('Height', 1067),
    duration_sec: shownAs(
      orNull(Type.Number(), 'Length of a recording in seconds; null: not known.'),
      null,
    ),
    alt: NullableAlt,
    title: NullableTitle,
    tags: Tags,
    folder: Folder,
    status: Type.Enum(['uploading', 'processing', 'ready', 'failed', 'blocked'], {
      description: 'Only what is ready has links and can be put on a site.',
      examples: ['ready'],
    }),
    status_reason: Type.Union([Type.String(), Type.Null()], {
      description: 'Why it is failed or blocked, in a sentence.',
      examples: [null],
    }),
    placeholder: Type.Union([Type.String(), Type.Null()], {
      description: 'A tiny picture as a data URI, to show until the picture is loaded.',
      examples: ['data:image/webp;base64,UklGRhoAAABXRUJQVlA4TA0AAAAvAAAAEAcQERGIiP4HAA=='],
    }),
    source: Type.Enum(['upload', 'import', 'form', 'portal'], {
      description: 'How it came in. form: a visitor sent it with a form.',
    }),
    variants: Type.Array(
      Type.Object({
        width: Type.Integer({ description: 'Width in pixels.', examples: [640] }),
        format: anyOf([...formats, 'png'], 'Format of the copy.'),
        bytes: Type.Integer({ description: 'Size in bytes.', examples: [38_914] }),
      }),
      { description: 'Smaller copies that were asked for with GET /media/{id}/link.' },
    ),
    used_on: Type.Array(
      Type.Object({
        site_id: about(Uuid, 'Id of the site.'),
        path: Type.String({
          description: 'Path of the file on the site.',
          examples: ['pictures/terrace.jpg'],
        }),
      }),
      { description: 'Where the live versions of sites show it.' },
    ),
    created_at: about(Timestamp, 'When it was added.'),
    updated_at: about(Timestamp, 'When it last changed.'),
    test: Type.Boolean({ description: 'Whether a test key made it.' }),
  }),
)
export type Media = Static<typeof Media>

export const MediaList = PageReply(Media)
export type MediaList = Static<typeof MediaList>

export const MediaQuery = Type.Object(
  {
    ...PageQuery.properties,
    q: Type.Optional(
      Type.String({
        maxLength: limits.search_characters_max,
        description: 'Words that stand in the name, title, description or a tag, in any case.',
        examples: ['terrace'],
      }),
    ),
    kind: Type.Optional(anyOf(kinds, 'Only files of this sort.')),
    folder: Type.Optional(
      Type.String({
        maxLength: 200,
        pattern: folderPattern,
        description: 'It and those below it.',
        examples: ['menu'],
      }),
    ),
    tag: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 50,
        description: 'Only files with this tag.',
        examples: ['summer'],
      }),
    ),
  },
  { additionalProperties: false },
)
export type MediaQuery = Static<typeof MediaQuery>

export const MediaChange = Type.Object(
  { ...says, filename: Type.Optional(Filename) },
  { additionalProperties: false, minProperties: 1 },
)
export type MediaChange = Static<typeof MediaChange>

export const UploadsInput = Type.Object(
  {
    files: Type.Array(
      Type.Object(
        {
          filename: Filename,
          sha256: Sha256,
          bytes: Type.Integer({
            minimum: 1,
            description: `How many bytes it has; at most ${limits.media_file_bytes_max}.`,
            examples: [182_044],
          }),
          content_type: Type.String({
            minLength: 3,
            maxLength: 100,
            pattern: '^[\\w.+-]+/[\\w.+-]+$',
            description: 'a media type such as image/jpeg',
            examples: ['image/jpeg'],
          }),
        },
        { additionalProperties: false },
      ),
      {
        minItems: 1,
        maxItems: limits.media_uploads_max,
        description: 'The files that are to come.',
      },
    ),
  },
  { additionalProperties: false },
)
export type UploadsInput = Static<typeof UploadsInput>

export const Uploads = Type.Object({
  uploads: Type.Array(
    Type.Object({
      upload_id: about(Uuid, 'Id of the upload, to complete it with.'),
      filename: Filename,
      url: Type.String({
        description: 'Takes the bytes once, by PUT and without a key.',
        examples: ['https://home.example/uploads/hm_up_1f0cJq'],
      }),
      method: Type.Enum(['PUT'], { description: 'The HTTP method to send the bytes with.' }),
      headers: Type.Record(Type.String(), Type.String(), {
        description: 'To be sent with the bytes as they are.',
        examples: [{ 'Content-Type': 'image/jpeg' }],
      }),
      expires_at: about(Timestamp, 'Until when the link takes the bytes.'),
      status: Type.Enum(['needed', 'already_there'], {
        description: 'With already_there nothing is sent: complete the upload at once.',
      }),
    }),
    { description: 'One for each file, in their order.' },
  ),
})
export type Uploads = Static<typeof Uploads>

export const LinkQuery = Type.Object(
  {
    width: Type.Optional(
      Type.Integer({
        enum: [...widths],
        description: 'Of a smaller copy in pixels. A picture is never made wider than it is.',
        examples: [640],
      }),
    ),
    format: Type.Optional(
      Type.Enum([...formats], { description: 'Of a smaller copy; webp unless it is given.' }),
    ),
  },
  { additionalProperties: false },
)
export type LinkQuery = Static<typeof LinkQuery>

export const Link = Type.Object({
  url: Type.String({
    description: 'The file, for anybody who has this address.',
    examples: ['https://home.example/media/hm_ml_8aYd1G/terrace.webp'],
  }),
  expires_at: about(Timestamp, 'Until when the address works.'),
})
export type Link = Static<typeof Link>

export const ImportInput = Type.Object(
  {
    ...says,
    url: Type.String({
      maxLength: 2048,
      description: 'A public address. It is read once, without cookies or keys.',
      examples: ['https://www.example.nl/terrace.jpg'],
    }),
    filename: Type.Optional(Filename),
  },
  { additionalProperties: false },
)
export type ImportInput = Static<typeof ImportInput>
