/** Schemas of deleted projects. */
import { Type, type Static } from 'typebox'
import { Timestamp, Uuid, withDescription } from '../../contract/schema/shapes.ts'

export const DeletedProject = Type.Object(
  {
    id: withDescription(Uuid, 'Id of the project.'),
    name: Type.String({ description: 'Name of the project.', examples: ['Bakery De Molen'] }),
    deleted_at: withDescription(Timestamp, 'When it was deleted.'),
    kept_until: withDescription(
      Timestamp,
      'Until when it can be restored. After that it is permanently deleted.',
    ),
  },
  { title: 'A deleted project' },
)
export type DeletedProject = Static<typeof DeletedProject>

export const DeletedProjectParams = Type.Object({
  project_id: withDescription(Uuid, 'Id of the deleted project.'),
})

export const RestoredProject = Type.Object({
  id: withDescription(Uuid, 'Id of the project.'),
  name: Type.String({ description: 'Name of the project.', examples: ['Bakery De Molen'] }),
})
export type RestoredProject = Static<typeof RestoredProject>
