/** Shapes of the media library. */
import { Type, type Static } from 'typebox'
import { limits } from '../../contract/limits.ts'
import { markAsOutsiders } from '../../contract/schema/outsiders.ts'
import { PageQuery, PageReply } from '../../contract/schema/pages.ts'
import { nameSchema } from '../../contract/schema/named.ts'
import {
  withDescription,
  orNull,
  withExample,
  Timestamp,
  Uuid,
} from '../../contract/schema/shapes.ts'
import { folderPattern, copyFormats, mediaKinds, copyWidths } from './words.ts'

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
  description: 'folder names separated by slashes, without a slash at either end; empty: no folder',
  examples: ['menu/summer'],
})
const Tags = Type.Array(
  Type.String({ minLength: 1, maxLength: 50, pattern: '^\\S(?:.*\\S)?$', examples: ['summer'] }),
  {
    maxItems: limits.media_tags_max,
    uniqueItems: true,
    description: 'Tags to find the file by.',
  },
)
const Alt = Type.String({
  maxLength: 1000,
  description: 'Alternative text: what the picture shows, for people who cannot see it.',
  examples: ['The terrace in the evening, with lights in the trees'],
})
const Title = Type.String({ maxLength: 200, examples: ['Terrace'] })
const NullableAlt = orNull(
  Alt,
  'Alternative text: what the picture shows, for people who cannot see it.',
)
const NullableTitle = orNull(Title, 'Title of the file.')
const pixels = (what: string, example: number) =>
  orNull(
    Type.Integer({ minimum: 1, examples: [example] }),
    `${what} in pixels; null if not applicable or unknown.`,
  )

const fraction = (about: string, example: number) =>
  Type.Number({ minimum: 0, maximum: 1, description: about, examples: [example] })

const FocalPoint = Type.Object(
  {
    x: fraction('Distance from the left edge, as a fraction of the width.', 0.5),
    y: fraction('Distance from the top edge, as a fraction of the height.', 0.3),
  },
  { additionalProperties: false },
)
const NullableFocalPoint = orNull(
  FocalPoint,
  'The point of a picture that stays visible when a page crops it; null: its centre. Pages use it ' +
    'as object-position: x as the first percentage, y as the second.',
)

/** Editable descriptions of a file, set when it is added or later. */
const metadata = {
  alt: Type.Optional(NullableAlt),
  title: Type.Optional(NullableTitle),
  tags: Type.Optional(Tags),
  folder: Type.Optional(Folder),
}

const Uses = Type.Array(
  Type.Object({
    site_id: withDescription(Uuid, 'Id of the site.'),
    path: Type.String({
      description: 'Path of the file on the site.',
      examples: ['pictures/terrace.jpg'],
    }),
  }),
  { description: 'Places on live versions of sites that show the file.' },
)

export const MediaParams = Type.Object(
  { id: withDescription(Uuid, 'Id of the file in the media library.') },
  { additionalProperties: false },
)

export const Media = nameSchema(
  'Media',
  Type.Object({
    id: withDescription(Uuid, 'Id of the file.'),
    filename: markAsOutsiders(Filename, { unless: { field: 'source', is: ['upload', 'portal'] } }),
    kind: anyOf(mediaKinds, 'Kind of the file.'),
    content_type: Type.String({
      description: 'Media type detected from the bytes; it may differ from the announced one.',
      examples: ['image/jpeg'],
    }),
    bytes: Type.Integer({ description: 'Size of the stored file.', examples: [181_326] }),
    sha256: Type.String({
      description: 'SHA-256 of the stored bytes, in lower-case hex.',
      examples: ['2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824'],
    }),
    sent_sha256: Type.String({
      examples: ['9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08'],
      description:
        'SHA-256 of the uploaded bytes. It differs from sha256 if camera metadata was ' +
        'removed from a picture, or the location from a recording.',
    }),
    width: pixels('Width', 1600),
    height: pixels('Height', 1067),
    duration_sec: withExample(
      orNull(
        Type.Number(),
        'Duration of a recording in seconds; null if not applicable or unknown.',
      ),
      null,
    ),
    alt: NullableAlt,
    title: NullableTitle,
    tags: Tags,
    folder: Folder,
    focal_point: NullableFocalPoint,
    status: Type.Enum(['uploading', 'processing', 'ready', 'failed', 'blocked'], {
      description: 'Only a ready file has links and can be put on a site.',
      examples: ['ready'],
    }),
    status_reason: Type.Union([Type.String(), Type.Null()], {
      description:
        'Why the file is failed or blocked, or why a ready picture has no copies; null otherwise.',
      examples: [null],
    }),
    placeholder: Type.Union([Type.String(), Type.Null()], {
      description: 'Tiny preview picture as a data URI, to show while the picture loads.',
      examples: ['data:image/webp;base64,UklGRhoAAABXRUJQVlA4TA0AAAAvAAAAEAcQERGIiP4HAA=='],
    }),
    source: Type.Enum(['upload', 'import', 'form', 'portal'], {
      description: 'How the file was added. form: a visitor sent it with a form.',
    }),
    variants: Type.Array(
      Type.Object({
        width: Type.Integer({ description: 'Width in pixels.', examples: [640] }),
        format: anyOf([...copyFormats, 'png'], 'Format of the copy.'),
        bytes: Type.Integer({ description: 'Size in bytes.', examples: [38_914] }),
      }),
      { description: 'Smaller copies, created by GET /media/{id}/link.' },
    ),
    used_on: Uses,
    created_at: withDescription(Timestamp, 'When the file was added.'),
    updated_at: withDescription(Timestamp, 'When the file last changed.'),
    test: Type.Boolean({ description: 'Whether a test key added it.' }),
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
        description: 'Search text: words in the name, title, description or a tag, ignoring case.',
        examples: ['terrace'],
      }),
    ),
    kind: Type.Optional(anyOf(mediaKinds, 'Only files of this kind.')),
    folder: Type.Optional(
      Type.String({
        maxLength: 200,
        pattern: folderPattern,
        description: 'Only files in this folder or its subfolders.',
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
  {
    ...metadata,
    filename: Type.Optional(Filename),
    focal_point: Type.Optional(NullableFocalPoint),
  },
  { additionalProperties: false, minProperties: 1 },
)
export type MediaChange = Static<typeof MediaChange>

const Ids = Type.Array(Uuid, {
  minItems: 1,
  maxItems: limits.media_batch_files_max,
  uniqueItems: true,
  description: `Ids of files; at most ${limits.media_batch_files_max}.`,
})
const tagsTo = (verb: string) =>
  Type.Optional(Type.Array(Tags.items, { ...Tags, description: `Tags to ${verb} each file.` }))

export const MediaBatchInput = Type.Object(
  {
    ids: Ids,
    delete: Type.Optional(
      Type.Boolean({
        description: 'true: deletes the files. It excludes the other changes.',
        examples: [false],
      }),
    ),
    folder: Type.Optional(Folder),
    add_tags: tagsTo('add to'),
    remove_tags: tagsTo('remove from'),
  },
  { additionalProperties: false },
)
export type MediaBatchInput = Static<typeof MediaBatchInput>

export const MediaBatch = Type.Object({
  done: Type.Array(Uuid, { description: 'Ids of the changed or deleted files.' }),
  refused: Type.Array(
    Type.Object({
      id: withDescription(Uuid, 'Id of the file.'),
      reason: Type.Enum(['not_found', 'in_use', 'too_many_tags'], {
        description: 'in_use: a live site shows the file, so it was not deleted.',
      }),
      used_on: Uses,
    }),
    { description: 'The files that stayed as they were, and why.' },
  ),
})
export type MediaBatch = Static<typeof MediaBatch>

export const MediaUploadsInput = Type.Object(
  {
    files: Type.Array(
      Type.Object(
        {
          filename: Filename,
          sha256: Sha256,
          bytes: Type.Integer({
            minimum: 1,
            description: `Size of the file; at most ${limits.media_file_bytes_max}.`,
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
        description: 'The files to upload.',
      },
    ),
  },
  { additionalProperties: false },
)
export type MediaUploadsInput = Static<typeof MediaUploadsInput>

export const MediaUploads = Type.Object({
  uploads: Type.Array(
    Type.Object({
      upload_id: withDescription(Uuid, 'Id of the upload, used to complete it.'),
      filename: Filename,
      url: Type.String({
        description: 'URL that accepts the bytes once, with PUT and without a key.',
        examples: ['https://home.example/uploads/hm_up_1f0cJq'],
      }),
      method: Type.Enum(['PUT'], { description: 'The HTTP method to send the bytes with.' }),
      headers: Type.Record(Type.String(), Type.String(), {
        description: 'Headers to send with the bytes, unchanged.',
        examples: [{ 'Content-Type': 'image/jpeg' }],
      }),
      expires_at: withDescription(Timestamp, 'When the link expires.'),
      status: Type.Enum(['needed', 'already_there'], {
        description:
          'already_there: the project already has these bytes. Skip the upload and ' +
          'complete it at once.',
      }),
    }),
    { description: 'One upload per file, in the same order.' },
  ),
})
export type MediaUploads = Static<typeof MediaUploads>

export const LinkQuery = Type.Object(
  {
    width: Type.Optional(
      Type.Integer({
        enum: [...copyWidths],
        description: 'Width of the smaller copy in pixels. Pictures are never enlarged.',
        examples: [640],
      }),
    ),
    format: Type.Optional(
      Type.Enum([...copyFormats], { description: 'Format of the smaller copy. Default: webp.' }),
    ),
  },
  { additionalProperties: false },
)
export type LinkQuery = Static<typeof LinkQuery>

export const Link = Type.Object({
  url: Type.String({
    description: 'URL of the file. It works without a key.',
    examples: ['https://home.example/media/hm_ml_8aYd1G/terrace.webp'],
  }),
  expires_at: withDescription(Timestamp, 'When the URL expires.'),
})
export type Link = Static<typeof Link>

export const ImportInput = Type.Object(
  {
    ...metadata,
    url: Type.String({
      maxLength: 2048,
      description: 'Public URL of the file. It is requested once, without cookies or keys.',
      examples: ['https://www.example.nl/terrace.jpg'],
    }),
    filename: Type.Optional(Filename),
  },
  { additionalProperties: false },
)
export type ImportInput = Static<typeof ImportInput>

const THUMBNAILS_MAX = 100
const UUID = '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}'

export const ThumbnailsQuery = Type.Object(
  {
    ids: Type.Optional(
      Type.String({
        pattern: `^${UUID}(?:,${UUID}){0,${THUMBNAILS_MAX - 1}}$`,
        description: `Ids of files, separated by commas; at most ${THUMBNAILS_MAX}.`,
        examples: ['01a20eb2-cea4-75fd-bec9-2a6ebe538070'],
      }),
    ),
  },
  { additionalProperties: false },
)
export type ThumbnailsQuery = Static<typeof ThumbnailsQuery>

export const Thumbnails = Type.Object({
  thumbnails: Type.Array(
    Type.Object({ id: withDescription(Uuid, 'Id of the file.'), ...Link.properties }),
    {
      description: 'Links to copies 320 pixels wide, of the pictures among the files.',
    },
  ),
})
export type Thumbnails = Static<typeof Thumbnails>
