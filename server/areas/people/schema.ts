/** What people see of themselves and of the projects they have a part in. */
import { Type, type Static } from 'typebox'
import { Timestamp, Uuid } from '../../contract/shapes.ts'

export const RoleShape = Type.Enum(['owner', 'admin', 'member', 'viewer'], {
  description: 'What somebody may do in a project. Whoever has a role has those after it, too.',
})

export const MemberAccessShape = Type.Union(
  [
    Type.Object(
      {
        sites: Type.Array(Uuid, { description: 'Ids of sites of the project.' }),
        apps: Type.Array(Uuid, { description: 'Ids of apps of the project.', examples: [[]] }),
      },
      { additionalProperties: false },
    ),
    Type.Null(),
  ],
  { description: 'The sites and apps that a member is limited to; null: the whole project.' },
)

export const OwnProject = Type.Object(
  {
    id: Uuid,
    name: Type.String({ examples: ['Bakery De Molen'] }),
    shape: Type.Enum(['single', 'live', 'test'], {
      description:
        'single: one project for both modes. live and test: the halves of an older pair.',
    }),
    plan: Type.String({ examples: ['reachable'] }),
    created_at: Timestamp,
    role: RoleShape,
    access: MemberAccessShape,
  },
  { title: 'A project of yours' },
)
export type OwnProject = Static<typeof OwnProject>
