/**
 * What a client sees of sites. The first fields of a site are those that the interface names;
 * `spa` and `status_reason` are ours.
 */
import { Type, type Static } from 'typebox'
import { limits } from '../../contract/limits.ts'
import { PageReply } from '../../contract/pages.ts'
import { named } from '../../contract/named.ts'
import { about, orNull, shownAs, Timestamp, Uuid } from '../../contract/shapes.ts'

const Slug = Type.String({
  minLength: 2,
  maxLength: limits.site_slug_characters_max,
  pattern: '^[a-z0-9](?:-?[a-z0-9])+$',
  description:
    'First part of the address: lower-case letters, digits and single hyphens between them.',
  examples: ['bakery-de-molen'],
})

const Title = Type.String({
  minLength: 1,
  maxLength: 200,
  description: 'Name of the site for people.',
  examples: ['Bakery De Molen'],
})

const Visibility = Type.Enum(['public', 'unlisted', 'password'], {
  description:
    'public: for everybody. unlisted: at an address that nobody can guess. password: asks for one.',
})

const Password = Type.String({
  minLength: limits.site_password_characters_min,
  maxLength: limits.site_password_characters_max,
  description: 'What visitors are asked for, with visibility password. It is never shown again.',
  examples: ['white-flour-4'],
})

const Spa = Type.Boolean({
  description: 'Whether pages that are not there are answered with index.html.',
})

export const Sha256 = Type.String({
  pattern: '^[0-9a-f]{64}$',
  description: 'SHA-256 of its bytes, in lower-case hex.',
  examples: ['5f70bf18a086007016e948b04aed3b82103a36bea41755b6cddfaf10ace3c6ef'],
})

export const Path = Type.String({
  minLength: 1,
  maxLength: 1024,
  description: 'Where it is on the site, such as index.html or assets/logo.png.',
  examples: ['index.html'],
})

const Bytes = Type.Integer({ minimum: 0 })

const FileInput = named(
  'SiteFileInput',
  Type.Object(
    {
      path: Path,
      content: Type.Optional(
        Type.String({ description: 'The file itself.', examples: ['<h1>Hello</h1>'] }),
      ),
      encoding: Type.Optional(
        Type.Enum(['utf8', 'base64'], { description: 'How content is written. Left out: utf8.' }),
      ),
      sha256: Type.Optional({ ...Sha256, description: 'Instead of content: what was uploaded.' }),
      bytes: Type.Optional({
        ...Bytes,
        description: 'How many bytes it has: needed with sha256, and compared beside content.',
      }),
    },
    {
      additionalProperties: false,
      examples: [{ path: 'index.html', content: '<h1>Hello</h1>' }],
    },
  ),
)
export type FileInput = Static<typeof FileInput>

const MediaInput = named(
  'SiteMediaInput',
  Type.Object(
    {
      media_id: about(Uuid, 'Id of the file in the media library.'),
      path: { ...Path, examples: ['pictures/bread.jpg'] },
    },
    { additionalProperties: false },
  ),
)

const Files = Type.Array(FileInput, {
  description:
    'Each with content, or with sha256 and bytes of what was uploaded (POST /sites/uploads).',
})

const Media = Type.Array(MediaInput, {
  maxItems: limits.site_media_max,
  description: 'Files of the media library that the site shows, each at a path of the site.',
  examples: [[]],
})

/** The settings that every deploy may include. */
const settings = {
  title: Type.Optional({
    ...Title,
    description: 'Left out of a first deploy: that of index.html, else made from the slug.',
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
        description: 'Paths of the live version that the new one leaves out. All others stay.',
        examples: [['old.html']],
      }),
    ),
    keep_others: Type.Optional(
      Type.Boolean({
        description:
          'true: files that are not named stay. Left out: they go, unless delete is given.',
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
  description: 'What may be a mistake in the files. Nothing was refused because of it.',
  examples: [[]],
})

const site = {
  id: about(Uuid, 'Id of the site.'),
  slug: Slug,
  url: Type.String({
    description: 'Where visitors find it.',
    examples: ['https://bakery-de-molen.sites.example'],
  }),
  preview_url: Type.String({
    description: 'Where the newest version is shown, live or not.',
    examples: ['https://bakery-de-molen--4f9k2m7q3x.sites.example'],
  }),
  title: Title,
  status: Type.Enum(['live', 'offline', 'blocked'], {
    description: 'offline: it was taken offline because of abuse, and status_reason says why.',
  }),
  status_reason: shownAs(orNull(Type.String(), 'Why it is not live; null: it is.'), null),
  visibility: Visibility,
  spa: Spa,
  version: Type.Integer({ description: 'The version that visitors see.', examples: [3] }),
  revision: Type.Integer({
    description:
      'Rises with every change of the site or its settings. It is the ETag, for If-Match.',
    examples: [5],
  }),
  files_count: Type.Integer({ description: 'Files of that version.', examples: [12] }),
  bytes: Type.Integer({ description: 'Their size together.', examples: [184_320] }),
  collections: Type.Array(Type.String(), {
    description: 'Collections of data that its forms post to.',
    examples: [['bookings']],
  }),
  domains: Type.Array(Type.String(), {
    description: 'Own domains that lead to it.',
    examples: [[]],
  }),
  created_at: about(Timestamp, 'When the site was created.'),
  updated_at: about(Timestamp, 'When it last changed.'),
  deployed_at: { ...Timestamp, description: 'When the newest version was deployed.' },
  test: Type.Boolean({ description: 'Whether a test key made it. It is real all the same.' }),
}

export const Site = named('Site', Type.Object(site))
export type Site = Static<typeof Site>

export const DeployedSite = named('DeployedSite', Type.Object({ ...site, warnings: Warnings }))
export type DeployedSite = Static<typeof DeployedSite>

export const SiteList = PageReply(Site)
export type SiteList = Static<typeof SiteList>

export const SiteId = Type.Object({ id: about(Uuid, 'Id of the site.') })
