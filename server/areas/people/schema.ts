/** Schemas of people, their projects and their teams in the portal's API. */
import { Type, type Static } from 'typebox'
import { limits } from '../../contract/limits.ts'
import { ONE_LINE, withDescription, Timestamp, Uuid } from '../../contract/schema/shapes.ts'
import { selectionShape } from '../../contract/limited-to.ts'

const Email = Type.String({
  description: 'The email address that the person signs in with.',
  examples: ['anna@example.com'],
})

const NameShape = Type.Union([Type.String(), Type.Null()], {
  description: 'The name of the person; null if they gave none.',
  examples: ['Anna de Vries'],
})

const RoleShape = Type.Enum(['owner', 'admin', 'member', 'viewer'], {
  description:
    'viewer: reads. member: works. admin: also manages team and keys. owner: everything.',
  examples: ['member'],
})

/** The sites and apps that a member or a connection is limited to; null means no limit. */
export const accessShape = (description: string) =>
  Type.Union(
    [
      Type.Null(),
      selectionShape((values, name) =>
        Type.Array(Uuid, {
          description: values,
          ...(name !== 'sites' && { examples: [[]] }),
          maxItems: 100,
        }),
      ),
    ],
    { description, examples: [null] },
  )

const MemberAccessShape = accessShape(
  'Sites and apps the member is limited to; null: the whole project.',
)

export const OwnProject = Type.Object(
  {
    id: withDescription(Uuid, 'Id of the project.'),
    name: Type.String({ description: 'Name of the project.', examples: ['Bakery De Molen'] }),
    shape: Type.Enum(['single', 'live', 'test'], {
      description: 'single: one project for both modes. live, test: one half of an older pair.',
    }),
    pair_id: Type.Union([Uuid, Type.Null()], {
      description: 'Id of the other half of an older pair; null for a single project.',
      examples: [null],
    }),
    plan: Type.String({ description: 'Plan of the project.', examples: ['reachable'] }),
    is_live: Type.Boolean({
      description:
        'Whether a part of it is live, such as its phone numbers. The portal opens in this mode.',
      examples: [false],
    }),
    created_at: withDescription(Timestamp, 'When the project was created.'),
    role: RoleShape,
    access: MemberAccessShape,
    offline: Type.Union(
      [
        Type.Object({
          since: withDescription(Timestamp, 'When it was taken offline.'),
          reason: Type.String({ description: 'The reason.', examples: ['Phishing.'] }),
        }),
        Type.Null(),
      ],
      {
        description:
          'Set if the operator of this installation took the project offline: its keys do not work, ' +
          'and its sites show a notice.',
        examples: [null],
      },
    ),
  },
  { title: 'A project of yours' },
)
export type OwnProject = Static<typeof OwnProject>

export const ProjectName = Type.Object(
  {
    name: Type.String({
      minLength: 1,
      maxLength: limits.project_name_characters_max,
      pattern: ONE_LINE,
      description: 'One line of text.',
      examples: ['Bakery De Molen'],
    }),
  },
  { additionalProperties: false },
)

const TermsVersion = Type.String({ description: 'Version of the terms.', examples: ['1'] })

export const TermsAcceptance = Type.Object(
  {
    version: Type.String({
      maxLength: 50,
      description: 'The version that you accept.',
      examples: ['1'],
    }),
  },
  { additionalProperties: false },
)
export type TermsAcceptance = Static<typeof TermsAcceptance>

export const OwnName = Type.Object(
  {
    name: Type.Union(
      [
        Type.String({
          maxLength: limits.person_name_characters_max,
          pattern: String.raw`^[^\p{C}]*$`,
          description: 'One line of text.',
        }),
        Type.Null(),
      ],
      { description: 'Your name; empty or null: none.', examples: ['Anna de Vries'] },
    ),
  },
  { additionalProperties: false },
)
export type OwnName = Static<typeof OwnName>

export const Me = Type.Object({
  person: Type.Object(
    {
      id: withDescription(Uuid, 'Your id.'),
      name: NameShape,
      email: Email,
      has_password: Type.Boolean({ description: 'Whether you can sign in with a password.' }),
      has_totp: Type.Boolean({ description: 'Whether sign-in requires a second factor.' }),
      is_operator: Type.Boolean({
        description: 'Whether you operate this installation.',
        examples: [false],
      }),
    },
    { description: 'Who is signed in.' },
  ),
  terms: Type.Union(
    [
      Type.Object({
        version: TermsVersion,
        url: Type.String({ description: 'The page with them.', examples: ['/portal/terms'] }),
        accepted_before: Type.Boolean({ description: 'Whether you accepted another version.' }),
      }),
      Type.Null(),
    ],
    {
      description: 'The terms of use that you have not accepted; null: nothing to accept.',
      examples: [null],
    },
  ),
  session: Type.Object(
    {
      id: withDescription(Uuid, 'Id of the session.'),
      fresh_until: withDescription(Timestamp, 'Until when your identity counts as confirmed.'),
      is_fresh: Type.Boolean({
        description:
          'Whether your identity is confirmed now, as required for keys, money and going ' +
          'live.',
      }),
      expires_at: withDescription(Timestamp, 'When the session ends.'),
    },
    { description: 'The session of this request.' },
  ),
  simulated: Type.Object(
    {
      payments: Type.Boolean({
        description: 'Whether payments of plans and top-ups move no money.',
        examples: [false],
      }),
      phone_url: Type.Union([Type.String(), Type.Null()], {
        description:
          'The page with the codes that were sent by phone; null if they reach a real phone.',
        examples: [null],
      }),
    },
    { description: 'What a built-in substitute does on this server, in place of a provider.' },
  ),
})
export type Me = Static<typeof Me>

export const NewPassword = Type.Object(
  {
    password: Type.String({
      minLength: limits.password_characters_min,
      maxLength: limits.password_characters_max,
      description: 'The new password. Several words make a good one.',
      examples: ['bread rises before dawn'],
    }),
  },
  { additionalProperties: false },
)

export const PersonSession = Type.Object({
  id: withDescription(Uuid, 'Id of the session.'),
  device: Type.String({ description: 'User-Agent of the browser.', examples: ['Firefox'] }),
  network: Type.String({
    description: 'IP address of its last use.',
    examples: ['203.0.113.7'],
  }),
  created_at: withDescription(Timestamp, 'When this session was signed in.'),
  seen_at: withDescription(Timestamp, 'When it was last used.'),
  current: Type.Boolean({ description: 'Whether it is the session of this request.' }),
})
export type PersonSession = Static<typeof PersonSession>

export const SessionParams = Type.Object({
  session_id: withDescription(Uuid, 'Id of the session.'),
})

export const Member = Type.Object({
  person_id: withDescription(Uuid, 'Id of the person.'),
  name: NameShape,
  email: Email,
  role: RoleShape,
  access: MemberAccessShape,
})

export const MemberParams = Type.Object({ person_id: withDescription(Uuid, 'Id of the person.') })

export const MemberChange = Type.Object(
  { role: RoleShape, access: Type.Optional(MemberAccessShape) },
  {
    additionalProperties: false,
    description: 'Sites and apps the member is limited to. Default: the whole project.',
  },
)
export type MemberChange = Static<typeof MemberChange>

export const Invitation = Type.Object({
  id: withDescription(Uuid, 'Id of the invitation.'),
  email: { ...Email, description: 'The email address that was invited.' },
  role: RoleShape,
  access: MemberAccessShape,
  expires_at: withDescription(Timestamp, 'When the invitation expires.'),
  url: Type.Union([Type.String(), Type.Null()], {
    description:
      'The address to pass on if this installation sends no mail; null if the person is mailed. ' +
      'The person signs in there with the invited address.',
    examples: [null],
  }),
})
export type Invitation = Static<typeof Invitation>

export const InvitationInput = Type.Object(
  {
    email: Type.String({
      maxLength: 254,
      description: 'The email address to invite.',
      examples: ['anna@example.com'],
    }),
    role: RoleShape,
    access: Type.Optional(MemberAccessShape),
  },
  { additionalProperties: false },
)

export const InvitationParams = Type.Object({
  invitation_id: withDescription(Uuid, 'Id of the invitation.'),
})

export const ReceivedInvitationShape = Type.Object({
  id: withDescription(Uuid, 'Id of the invitation.'),
  project_id: withDescription(Uuid, 'Id of the project.'),
  project_name: Type.String({
    description: 'Name of the project.',
    examples: ['Bakery De Molen'],
  }),
  role: RoleShape,
  invited_by: Type.Union([Type.String(), Type.Null()], {
    description:
      'Email address of the person who invited you; null: the operator of this installation.',
    examples: ['owner@example.com'],
  }),
})

export const JoinedProject = Type.Object({
  project_id: withDescription(Uuid, 'Id of the project.'),
})
