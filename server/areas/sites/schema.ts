/** Shapes of sites. `spa` and `status_reason` are additions to the specification. */
import { Type, type Static } from 'typebox'
import { limits } from '../../contract/limits.ts'
import { PageReply } from '../../contract/schema/pages.ts'
import { nameSchema } from '../../contract/schema/named.ts'
import {
  withDescription,
  orNull,
  withExample,
  Timestamp,
  Uuid,
} from '../../contract/schema/shapes.ts'
import { SLUG_PATTERN } from './address/slug.ts'

const Slug = Type.String({
  minLength: 2,
  maxLength: limits.site_slug_characters_max,
  pattern: SLUG_PATTERN,
  description: 'First label of the address: lower-case letters, digits, single hyphens.',
  examples: ['bakery-de-molen'],
})

const Title = Type.String({
  minLength: 1,
  maxLength: 200,
  description: 'Title of the site.',
  examples: ['Bakery De Molen'],
})

const Visibility = Type.Enum(['public', 'unlisted', 'password'], {
  description:
    'public: open to everybody. unlisted: at a secret address. ' +
    'password: visitors must enter a password.',
})

const Password = Type.String({
  minLength: limits.site_password_characters_min,
  maxLength: limits.site_password_characters_max,
  description: 'For visibility password. It is never returned.',
  examples: ['white-flour-4'],
})

const Spa = Type.Boolean({
  description: 'Whether unknown paths are answered with index.html (single-page app).',
})

export const Sha256 = Type.String({
  pattern: '^[0-9a-f]{64}$',
  description: 'SHA-256 of the file, in lower-case hex.',
  examples: ['5f70bf18a086007016e948b04aed3b82103a36bea41755b6cddfaf10ace3c6ef'],
})

export const Path = Type.String({
  minLength: 1,
  maxLength: 1024,
  description: 'Path on the site, such as index.html or assets/logo.png.',
  examples: ['index.html'],
})

const Bytes = Type.Integer({ minimum: 0 })

const FileInput = nameSchema(
  'SiteFileInput',
  Type.Object(
    {
      path: Path,
      content: Type.Optional(
        Type.String({ description: 'Content of the file.', examples: ['<h1>Hello</h1>'] }),
      ),
      encoding: Type.Optional(
        Type.Enum(['utf8', 'base64'], { description: 'Encoding of content. Default: utf8.' }),
      ),
      sha256: Type.Optional({
        ...Sha256,
        description: 'SHA-256 of an uploaded file, instead of content.',
      }),
      bytes: Type.Optional({
        ...Bytes,
        description: 'Size of the file. Required with sha256; with content it must match.',
      }),
    },
    {
      additionalProperties: false,
      examples: [{ path: 'index.html', content: '<h1>Hello</h1>' }],
    },
  ),
)
export type FileInput = Static<typeof FileInput>

const MediaInput = nameSchema(
  'SiteMediaInput',
  Type.Object(
    {
      media_id: withDescription(Uuid, 'Id of the file in the media library.'),
      path: { ...Path, examples: ['pictures/bread.jpg'] },
    },
    { additionalProperties: false },
  ),
)

const Files = Type.Array(FileInput, {
  description:
    'Files, each with content, or with sha256 and bytes of an uploaded file (POST ' +
    '/sites/uploads).',
})

const Media = Type.Array(MediaInput, {
  maxItems: limits.site_media_max,
  description: 'Files of the media library, each with its path on the site.',
  examples: [[]],
})

/** The settings that every deploy may include. */
const settings = {
  title: Type.Optional({
    ...Title,
    description: 'Default for a first deploy: the title of index.html.',
  }),
  visibility: Type.Optional(Visibility),
  password: Type.Optional(Password),
  spa: Type.Optional(Spa),
}

export const SiteInput = Type.Object(
  { slug: Slug, ...settings, files: Files, media: Type.Optional(Media) },
  {
    additionalProperties: false,
    examples: [
      {
        slug: 'bakery-de-molen',
        title: 'Bakery De Molen',
        files: [{ path: 'index.html', content: '<!doctype html><h1>Fresh bread every day</h1>' }],
      },
    ],
  },
)
export type SiteInput = Static<typeof SiteInput>

export const SiteDeploy = Type.Object(
  {
    slug: Type.Optional(Slug),
    ...settings,
    files: Type.Optional(Files),
    media: Type.Optional(Media),
    delete: Type.Optional(
      Type.Array(Path, {
        description: 'Paths of the live version to remove. All other files stay.',
        examples: [['old.html']],
      }),
    ),
    keep_others: Type.Optional(
      Type.Boolean({
        description:
          'true: files not in the request stay. Default: they are removed, unless ' +
          'delete is given.',
      }),
    ),
  },
  {
    additionalProperties: false,
    examples: [
      {
        files: [{ path: 'index.html', content: '<!doctype html><h1>Closed on Monday</h1>' }],
        keep_others: true,
      },
    ],
  },
)
export type SiteDeploy = Static<typeof SiteDeploy>

export const SiteChange = Type.Partial(
  Type.Object({
    slug: Slug,
    title: Title,
    visibility: Visibility,
    password: Password,
    spa: Spa,
  }),
  { additionalProperties: false, minProperties: 1, examples: [{ title: 'Bakery De Molen' }] },
)
export type SiteChange = Static<typeof SiteChange>

const Warnings = Type.Array(Type.String(), {
  description: 'Possible mistakes in the files. They do not block the deploy.',
  examples: [[]],
})

const site = {
  id: withDescription(Uuid, 'Id of the site.'),
  slug: Slug,
  url: Type.String({
    description: 'URL of the site.',
    examples: ['https://bakery-de-molen.sites.example'],
  }),
  preview_url: Type.String({
    description: 'Preview URL of the newest version, live or not.',
    examples: ['https://bakery-de-molen--4f9k2m7q3x.sites.example'],
  }),
  title: Title,
  status: Type.Enum(['live', 'offline', 'blocked'], {
    description: 'offline: taken offline because of abuse; see status_reason.',
  }),
  status_reason: withExample(
    orNull(Type.String(), 'Why the site is not live; null if it is.'),
    null,
  ),
  visibility: Visibility,
  spa: Spa,
  version: Type.Integer({ description: 'Number of the live version.', examples: [3] }),
  revision: Type.Integer({
    description:
      'Grows with every change of the site or its settings. It is the ETag, used in If-Match.',
    examples: [5],
  }),
  files_count: Type.Integer({
    description: 'Number of files in the live version.',
    examples: [12],
  }),
  bytes: Type.Integer({ description: 'Total size of these files.', examples: [184_320] }),
  collections: Type.Array(Type.String(), {
    description: 'Collections to which forms of the site post.',
    examples: [['bookings']],
  }),
  domains: Type.Array(Type.String(), {
    description: 'Custom domains of the site.',
    examples: [[]],
  }),
  created_at: withDescription(Timestamp, 'When the site was created.'),
  updated_at: withDescription(Timestamp, 'When the site last changed.'),
  deployed_at: { ...Timestamp, description: 'When the newest version was deployed.' },
  test: Type.Boolean({ description: 'Whether a test key created it. It is real nevertheless.' }),
}

export const Site = nameSchema('Site', Type.Object(site))
export type Site = Static<typeof Site>

export const DeployedSite = nameSchema('DeployedSite', Type.Object({ ...site, warnings: Warnings }))
export type DeployedSite = Static<typeof DeployedSite>

export const SiteList = PageReply(Site)
export type SiteList = Static<typeof SiteList>

export const SiteId = Type.Object({ id: withDescription(Uuid, 'Id of the site.') })
