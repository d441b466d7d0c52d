/** Shapes of upload links for files of a site. */
import { Type, type Static } from 'typebox'
import { limits } from '../../../contract/limits.ts'
import { withDescription, Timestamp, Uuid } from '../../../contract/schema/shapes.ts'
import { Path, Sha256 } from '../schema.ts'

const ContentType = Type.String({
  maxLength: 200,
  pattern: '^[\\w.+-]+/[\\w.+-]+(?:; ?[\\w-]+=[\\w.+-]+)*$',
  description: 'Media type the file will be served as. Default: by the extension of its path.',
  examples: ['image/png'],
})

export const SiteUploadsInput = Type.Object(
  {
    files: Type.Array(
      Type.Object(
        {
          path: Path,
          sha256: Sha256,
          bytes: Type.Integer({ minimum: 0, description: 'Size of the file.' }),
          content_type: Type.Optional(ContentType),
        },
        { additionalProperties: false },
      ),
      { minItems: 1, description: `At most ${limits.site_files_max} of them.` },
    ),
  },
  {
    additionalProperties: false,
    examples: [
      {
        files: [
          {
            path: 'assets/logo.png',
            sha256: '5f70bf18a086007016e948b04aed3b82103a36bea41755b6cddfaf10ace3c6ef',
            bytes: 20480,
            content_type: 'image/png',
          },
        ],
      },
    ],
  },
)
export type SiteUploadsInput = Static<typeof SiteUploadsInput>

export const SiteUploads = Type.Object({
  uploads: Type.Array(
    Type.Object({
      upload_id: withDescription(Uuid, 'Id of the upload.'),
      path: Path,
      url: Type.String({
        description: 'URL that accepts the bytes once, with PUT and without a key.',
        examples: ['https://api.example/uploads/hm_up_1f0cJq'],
      }),
      method: Type.Literal('PUT', { description: 'The HTTP method to send the bytes with.' }),
      headers: Type.Record(Type.String(), Type.String(), {
        description: 'Headers to send with the bytes, unchanged.',
        examples: [{ 'Content-Type': 'image/png' }],
      }),
      expires_at: withDescription(Timestamp, 'When the link expires.'),
      status: Type.Enum(['needed', 'already_there'], {
        description: 'already_there: the project already has these bytes. Skip the upload.',
      }),
    }),
    { description: 'One upload per file, in the same order.' },
  ),
})
export type SiteUploads = Static<typeof SiteUploads>
