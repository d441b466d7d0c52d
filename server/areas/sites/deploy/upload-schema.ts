/** What a client sees of upload links for files of a site. */
import { Type, type Static } from 'typebox'
import { limits } from '../../../contract/limits.ts'
import { about, Timestamp, Uuid } from '../../../contract/shapes.ts'
import { Path, Sha256 } from '../schema.ts'

const ContentType = Type.String({
  maxLength: 200,
  pattern: '^[\\w.+-]+/[\\w.+-]+(?:; ?[\\w-]+=[\\w.+-]+)*$',
  description: 'What it will be sent as. Left out: by the ending of its path.',
  examples: ['image/png'],
})

export const UploadsInput = Type.Object(
  {
    files: Type.Array(
      Type.Object(
        {
          path: Path,
          sha256: Sha256,
          bytes: Type.Integer({ minimum: 0, description: 'How many bytes it has.' }),
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
export type UploadsInput = Static<typeof UploadsInput>

export const Uploads = Type.Object({
  uploads: Type.Array(
    Type.Object({
      upload_id: about(Uuid, 'Id of the upload.'),
      path: Path,
      url: Type.String({
        description: 'Where the bytes go, with no key. It takes them once.',
        examples: ['https://api.example/uploads/hm_up_1f0cJq'],
      }),
      method: Type.Literal('PUT', { description: 'The HTTP method to send the bytes with.' }),
      headers: Type.Record(Type.String(), Type.String(), {
        description: 'To be sent with the bytes as they are.',
        examples: [{ 'Content-Type': 'image/png' }],
      }),
      expires_at: about(Timestamp, 'Until when the link takes the bytes.'),
      status: Type.Enum(['needed', 'already_there'], {
        description: 'already_there: the project has these bytes, so nothing needs to be sent.',
      }),
    }),
    { description: 'In the order of the files.' },
  ),
})
export type Uploads = Static<typeof Uploads>
