/** The operation that replaces a file of the media library wherever sites show it. */
import { operation } from '../../../contract/operation.ts'
import { MediaParams } from '../../media/schema.ts'
import { findReplaceLoss, replaceMedia } from './replace-media.ts'
import { MediaReplaced, ReplaceInput } from './replace-schema.ts'

export const replace = operation({
  name: 'media.replace',
  route: 'POST /media/{id}/replace',
  about:
    'Replaces the content of a file by that of another file of the library, which leaves the ' +
    'library. The id, descriptions and places of the file stay, and every live site that shows it ' +
    'is published with the new content.',
  keywords: 'swap photo, new image, same reference, update picture everywhere, overwrite file',
  consent: {
    about: 'Replaces a file of the media library, and publishes the sites that show it.',
    loses: ({ params }, caller) => findReplaceLoss(caller, params.id),
  },
  scope: 'sites:write',
  reach: 'project',
  effect: 'write',
  params: MediaParams,
  body: ReplaceInput,
  status: 200,
  reply: MediaReplaced,
  errors: ['not_found', 'conflict'],
  run: ({ params, body }, caller) =>
    replaceMedia(caller, { id: params.id, media_id: body.media_id }),
})
