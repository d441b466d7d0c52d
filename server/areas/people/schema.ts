/** What people see of themselves, of the projects they have a part in, and of their teams. */
import { Type, type Static } from 'typebox'
import { limits } from '../../contract/limits.ts'
import { Timestamp, Uuid } from '../../contract/shapes.ts'

const Email = Type.String({ examples: ['anna@example.com'] })

const RoleShape = Type.Enum(['owner', 'admin', 'member', 'viewer'], {
  description:
    'viewer reads; member works; admin also looks after team and keys; owner may do everything.',
  examples: ['member'],
})

const MemberAccessShape = Type.Union(
  [
    Type.Null(),
    Type.Object(
      {
        sites: Type.Array(Uuid, { description: 'Ids of sites of the project.', maxItems: 100 }),
        apps: Type.Array(Uuid, {
          description: 'Ids of apps of the project.',
          examples: [[]],
          maxItems: 100,
        }),
      },
      { additionalProperties: false },
    ),
  ],
  {
    description: 'The sites and apps that somebody is limited to; null: the whole project.',
    examples: [null],
  },
)

export const OwnProject = Type.Object(
  {
    id: Uuid,
    name: Type.String({ examples: ['Bakery De Molen'] }),
    shape: Type.Enum(['single', 'live', 'test'], {
      description: 'single: one project for both modes. live and test: a half of an older pair.',
    }),
    plan: Type.String({ examples: ['reachable'] }),
    created_at: Timestamp,
    role: RoleShape,
    access: MemberAccessShape,
  },
  { title: 'A project of yours' },
)
export type OwnProject = Static<typeof OwnProject>

export const ProjectName = Type.Object(
  {
    name: Type.String({
      minLength: 1,
      maxLength: limits.project_name_characters_max,
      pattern: String.raw`^(?=.*\S)[^\u0000-\u001f\u007f]*$`,
      description: 'One line of text.',
      examples: ['Bakery De Molen'],
    }),
  },
  { additionalProperties: false },
)

export const Me = Type.Object({
  person: Type.Object({
    id: Uuid,
    email: Email,
    has_password: Type.Boolean(),
    has_totp: Type.Boolean({ description: 'Whether a second factor is asked of you.' }),
  }),
  session: Type.Object({
    id: Uuid,
    fresh_until: Timestamp,
    is_fresh: Type.Boolean({
      description: 'Whether you proved just now who you are, as keys, money and going live need.',
    }),
    expires_at: Timestamp,
  }),
})
export type Me = Static<typeof Me>

export const Session = Type.Object({
  id: Uuid,
  device: Type.String({ description: 'What the browser said of itself.', examples: ['Firefox'] }),
  network: Type.String({ examples: ['203.0.113.7'] }),
  created_at: Timestamp,
  seen_at: Timestamp,
  current: Type.Boolean({ description: 'Whether it is the one that asks.' }),
})
export type Session = Static<typeof Session>

export const SessionParams = Type.Object({ session_id: Uuid })

export const Member = Type.Object({
  person_id: Uuid,
  email: Email,
  role: RoleShape,
  access: MemberAccessShape,
})

export const MemberParams = Type.Object({ person_id: Uuid })

export const MemberChange = Type.Object(
  { role: RoleShape, access: Type.Optional(MemberAccessShape) },
  { additionalProperties: false, description: 'Without access, somebody has the whole project.' },
)
export type MemberChange = Static<typeof MemberChange>

export const Invitation = Type.Object({
  id: Uuid,
  email: Email,
  role: RoleShape,
  access: MemberAccessShape,
  expires_at: Timestamp,
})
export type Invitation = Static<typeof Invitation>

export const InvitationInput = Type.Object(
  {
    email: Type.String({ maxLength: 254, examples: ['anna@example.com'] }),
    role: RoleShape,
    access: Type.Optional(MemberAccessShape),
  },
  { additionalProperties: false },
)

export const InvitationParams = Type.Object({ invitation_id: Uuid })

export const InvitationToMe = Type.Object({
  id: Uuid,
  project_id: Uuid,
  project_name: Type.String({ examples: ['Bakery De Molen'] }),
  role: RoleShape,
  invited_by: Type.Union([Type.String(), Type.Null()], {
    description: 'Who invited you; null: the operator of this installation.',
    examples: ['owner@example.com'],
  }),
})

export const Joined = Type.Object({ project_id: Uuid })
