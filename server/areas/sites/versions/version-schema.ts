/** Shapes of the versions of a site and their files. */
import { Type, type Static } from 'typebox'
import { nameSchema } from '../../../contract/schema/named.ts'
import { withDescription, Timestamp, Uuid } from '../../../contract/schema/shapes.ts'

const Number = Type.Integer({
  minimum: 1,
  maximum: 2_147_483_647,
  description: 'Version number, counted from 1.',
  examples: [3],
})

const Version = nameSchema(
  'SiteVersion',
  Type.Object({
    version: Number,
    live: Type.Boolean({ description: 'Whether this version is live.' }),
    preview_url: Type.String({
      description: 'Preview URL of this version, live or not.',
      examples: ['https://bakery-de-molen--4f9k2m7q3x.sites.example'],
    }),
    files_count: Type.Integer({ description: 'Number of files.', examples: [12] }),
    bytes: Type.Integer({ description: 'Total size of its files.', examples: [184_320] }),
    collections: Type.Array(Type.String(), {
      description: 'Collections to which its forms post.',
      examples: [['bookings']],
    }),
    warnings: Type.Array(Type.String(), {
      description: 'Possible mistakes in its files.',
      examples: [[]],
    }),
    created_at: withDescription(Timestamp, 'When it was deployed.'),
    test: Type.Boolean({ description: 'Whether a test key deployed it.' }),
  }),
)
export type Version = Static<typeof Version>

export const VersionList = Type.Object({
  data: Type.Array(Version, { description: 'The kept versions, newest first.' }),
})
export type VersionList = Static<typeof VersionList>

export const RollbackInput = Type.Object(
  {
    version: Type.Optional({
      ...Number,
      description: 'Version to make live. Default: the one before the live one.',
    }),
  },
  { additionalProperties: false, examples: [{ version: 2 }] },
)
export type RollbackInput = Static<typeof RollbackInput>

export const VersionQuery = Type.Object(
  {
    version: Type.Optional({
      ...Number,
      description: 'Version number. Default: the live version.',
    }),
  },
  { additionalProperties: false },
)
export type VersionQuery = Static<typeof VersionQuery>

const file = {
  path: Type.String({ description: 'Path on the site.', examples: ['index.html'] }),
  sha256: Type.String({
    description: 'SHA-256 of the file, in lower-case hex.',
    examples: ['5f70bf18a086007016e948b04aed3b82103a36bea41755b6cddfaf10ace3c6ef'],
  }),
  bytes: Type.Integer({ description: 'Size in bytes.', examples: [14] }),
  content_type: Type.String({
    description: 'Media type it is served as.',
    examples: ['text/html; charset=utf-8'],
  }),
  media_id: Type.Union([Uuid, Type.Null()], {
    description:
      'Id of the media library file shown at this path; null if it is not from the library.',
    examples: [null],
  }),
}

export const SiteFileList = Type.Object({
  version: Number,
  data: Type.Array(Type.Object(file), { description: 'Files, sorted by path.' }),
})
export type SiteFileList = Static<typeof SiteFileList>

export const SiteFile = Type.Object({
  ...file,
  version: Number,
  encoding: Type.Union([Type.Enum(['utf8', 'base64']), Type.Null()], {
    description: 'Encoding of content.',
  }),
  content: Type.Union([Type.String(), Type.Null()], {
    description: 'Content of the file; null if it is too large for this reply.',
    examples: ['<h1>Hello</h1>'],
  }),
})
export type SiteFile = Static<typeof SiteFile>

export const SiteFileParams = Type.Object({
  id: withDescription(Uuid, 'Id of the site.'),
  path: Type.String({
    description: 'Path of the file, percent-encoded: %2F between folders.',
    examples: ['index.html'],
  }),
})
