/** Schemas of incidents, maintenance and proposals, as operators see them. */
import { Type, type Static } from 'typebox'
import { nameSchema } from '../../contract/schema/named.ts'
import { PageQuery, PageReply } from '../../contract/schema/pages.ts'
import {
  orNull,
  RequestTime,
  Timestamp,
  Uuid,
  withDescription,
} from '../../contract/schema/shapes.ts'
import { componentIds } from './schema.ts'

const TITLE_CHARACTERS_MAX = 120
const MESSAGE_CHARACTERS_MAX = 5000

export const incidentStates = ['investigating', 'identified', 'monitoring', 'resolved'] as const
export const maintenanceStates = ['scheduled', 'in_progress', 'completed'] as const
export const impacts = ['none', 'minor', 'major', 'critical'] as const
export type Impact = (typeof impacts)[number]

const ImpactShape = Type.Enum([...impacts], {
  description:
    'none: for information. minor, major: the components are degraded. critical: they are down.',
})
const StateShape = Type.Enum([...incidentStates, ...maintenanceStates], {
  description: 'Progress of the incident or maintenance.',
})
export type IncidentState = Static<typeof StateShape>

const Title = Type.String({
  minLength: 1,
  maxLength: TITLE_CHARACTERS_MAX,
  pattern: String.raw`^[^\p{Cc}]*\S[^\p{Cc}]*$`,
  title: 'a text in one line',
  description: 'Title in one line.',
  examples: ['Calls connect slowly'],
})
const Message = Type.String({
  minLength: 1,
  maxLength: MESSAGE_CHARACTERS_MAX,
  pattern: String.raw`\S`,
  description: 'Plain text for the people who read the status page; lines are kept.',
  examples: ['We see calls that take ten seconds to connect, and are looking for the cause.'],
})
const Components = Type.Array(Type.Enum([...componentIds]), {
  uniqueItems: true,
  maxItems: componentIds.length,
  description: 'Ids of the components that are affected.',
  examples: [['phone']],
})

const ListedUpdate = Type.Object({
  id: withDescription(Uuid, 'Id of the update.'),
  state: StateShape,
  message: orNull(
    Type.String(),
    'The text; null if maintenance began or ended at its planned time.',
  ),
  posted_at: withDescription(Timestamp, 'When it was posted.'),
})

export const Incident = nameSchema(
  'StatusIncident',
  Type.Object({
    id: withDescription(Uuid, 'Id of the incident.'),
    kind: Type.Enum(['incident', 'maintenance'], { description: 'Problem or planned work.' }),
    title: Type.String({ description: 'Title.' }),
    impact: ImpactShape,
    components: Components,
    state: StateShape,
    started_at: withDescription(Timestamp, 'When it began or is planned to begin.'),
    planned_until: orNull(Timestamp, 'Planned end of maintenance; null for an incident.'),
    ended_at: orNull(Timestamp, 'When it was resolved or completed; null while it is open.'),
    updates: Type.Array(ListedUpdate, { description: 'Newest first.' }),
  }),
)
export type Incident = Static<typeof Incident>

export const IncidentPage = PageReply(Incident)
export type IncidentPage = Static<typeof IncidentPage>

export const IncidentQuery = Type.Object(
  {
    ...PageQuery.properties,
    only: Type.Optional(
      Type.Enum(['open'], { description: 'open: neither resolved nor completed.' }),
    ),
  },
  { additionalProperties: false },
)
export type IncidentQuery = Static<typeof IncidentQuery>

export const NewIncident = Type.Object(
  {
    title: Title,
    impact: ImpactShape,
    components: Components,
    state: Type.Enum([...incidentStates], {
      default: 'investigating',
      description: 'Progress; resolved for an incident that is reported afterwards.',
    }),
    message: Message,
    started_at: Type.Optional(
      withDescription(Timestamp, 'When the problem began; now if it is absent.'),
    ),
    proposal_id: Type.Optional(
      withDescription(Uuid, 'The proposal that the incident is published from.'),
    ),
  },
  { additionalProperties: false },
)
export type NewIncident = Static<typeof NewIncident>

export const NewMaintenance = Type.Object(
  {
    title: Title,
    components: Components,
    message: Message,
    starts_at: withDescription(RequestTime, 'Planned start; it begins then by itself.'),
    ends_at: withDescription(RequestTime, 'Planned end; it is completed then by itself.'),
  },
  { additionalProperties: false },
)
export type NewMaintenance = Static<typeof NewMaintenance>

export const NewUpdate = Type.Object(
  {
    state: StateShape,
    message: Message,
    impact: Type.Optional(ImpactShape),
    components: Type.Optional(Components),
    proposal_id: Type.Optional(
      withDescription(Uuid, 'The proposal that the update is published from.'),
    ),
  },
  { additionalProperties: false },
)
export type NewUpdate = Static<typeof NewUpdate>

export const IncidentChange = Type.Object(
  {
    title: Type.Optional(Title),
    impact: Type.Optional(ImpactShape),
    components: Type.Optional(Components),
    starts_at: Type.Optional(withDescription(RequestTime, 'Planned start of maintenance.')),
    ends_at: Type.Optional(withDescription(RequestTime, 'Planned end of maintenance.')),
  },
  { additionalProperties: false },
)
export type IncidentChange = Static<typeof IncidentChange>

const PreparedText = Type.Object({
  title: Type.String({ description: 'Title of the incident.' }),
  message: Type.String({ description: 'Text of the update.' }),
})

export const Proposal = nameSchema(
  'StatusProposal',
  Type.Object({
    id: withDescription(Uuid, 'Id of the proposal.'),
    kind: Type.Enum(['report', 'resolve'], {
      description: 'report: to publish an incident. resolve: to resolve one.',
    }),
    components: Components,
    impact: ImpactShape,
    incident_id: orNull(Uuid, 'The incident to resolve; null for a report.'),
    since: withDescription(Timestamp, 'Since when the components fail, or work again.'),
    created_at: withDescription(Timestamp, 'When it was made.'),
    texts: Type.Object(
      { en: PreparedText, nl: PreparedText },
      { description: 'A prepared text in each language of the portal.' },
    ),
  }),
)
export type Proposal = Static<typeof Proposal>

export const IncidentIdParams = Type.Object({ id: withDescription(Uuid, 'Id of the record.') })
