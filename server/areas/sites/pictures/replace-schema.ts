/** Shapes of the replacement of a file of the media library. */
import { Type, type Static } from 'typebox'
import { orNull, Uuid, withDescription } from '../../../contract/schema/shapes.ts'
import { Media } from '../../media/schema.ts'

export const ReplaceInput = Type.Object(
  {
    media_id: withDescription(
      Uuid,
      'Id of the ready file with the new content, of the same kind. It leaves the media library.',
    ),
  },
  { additionalProperties: false },
)

export const MediaReplaced = Type.Object({
  ...Media.properties,
  sites: Type.Array(
    Type.Object({
      site_id: withDescription(Uuid, 'Id of a site that shows the file.'),
      version: orNull(
        Type.Integer({ minimum: 1, examples: [4] }),
        'The version that was published with the new content; null if it was refused.',
      ),
      problem: orNull(
        Type.String({ examples: ['This project published 120 versions in the last hour.'] }),
        'Why the site still shows the former content, in one sentence; null otherwise.',
      ),
    }),
    { description: 'The sites that show the file, each published with the new content.' },
  ),
})
export type MediaReplaced = Static<typeof MediaReplaced>
