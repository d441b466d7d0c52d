/**
 * The validated assistant: the body of PUT /assistant with defaults and in canonical form. Also the
 * checks that the schema cannot express.
 */
import { days, type Day, type BusinessHours, type OpenRange } from './hours.ts'
import { longDays, type AssistantInput } from './schema.ts'

export interface Fact {
  question: string
  answer: string
}

export interface Profile extends BusinessHours {
  name: string
  greeting: string
  instructions: string
  languages: string[]
  voice: string | null
  /** One of the models that the operator allows; null: the default. */
  model: string | null
  opening_hours: OpenRange[]
  closures: { date: string; reason: string | null }[]
  website_url: string | null
  facts: Fact[]
  transfer: { phone: string | null; email: string | null }
}

export interface ProfileFault {
  path: string
  message: string
}

/** Default assistant settings. */
export function defaultProfile(project_name: string): Profile {
  return {
    name: [...project_name].slice(0, 100).join('') || 'Assistant',
    greeting: '',
    instructions: '',
    languages: ['en'],
    voice: null,
    model: null,
    timezone: 'Europe/Amsterdam',
    opening_hours: [],
    closures: [],
    website_url: null,
    facts: [],
    transfer: { phone: null, email: null },
  }
}

function chosen({ voice = null, model = null }: AssistantInput): Pick<Profile, 'voice' | 'model'> {
  return { voice, model }
}

/** Completes a body with defaults. The caller has checked `findProfileFaults` before. */
export function completeProfile(input: AssistantInput, project_name: string): Profile {
  const standard = defaultProfile(project_name)
  const { transfer = {}, opening_hours = [], closures = [], languages, timezone, ...rest } = input
  return {
    ...standard,
    name: rest.name ?? standard.name,
    greeting: rest.greeting ?? standard.greeting,
    instructions: rest.instructions ?? standard.instructions,
    languages: languages ? [...new Set(Intl.getCanonicalLocales(languages))] : standard.languages,
    ...chosen(rest),
    timezone: timezone ? canonicalTimezone(timezone) : standard.timezone,
    opening_hours: opening_hours.map(({ day, from, to }) => ({ day: shortDay(day), from, to })),
    closures: closures.map(({ date, reason }) => ({ date, reason: reason ?? null })),
    website_url: rest.website_url ?? null,
    facts: rest.facts ?? [],
    transfer: { phone: transfer.phone ?? null, email: transfer.email ?? null },
  }
}

/** Errors of a body that matches the schema, in the order of its fields. */
export function findProfileFaults({
  name,
  languages = [],
  timezone,
  opening_hours = [],
}: AssistantInput): ProfileFault[] {
  return [
    ...(name?.trim() === '' ? [{ path: '/name', message: 'must not be blank' }] : []),
    ...languages.flatMap((tag, index) =>
      isLanguageTag(tag)
        ? []
        : [
            {
              path: `/languages/${index}`,
              message: 'must be a BCP 47 language tag, such as nl or en-GB',
            },
          ],
    ),
    ...(timezone === undefined || isTimezone(timezone)
      ? []
      : [{ path: '/timezone', message: 'must be an IANA time zone, such as Europe/Amsterdam' }]),
    ...opening_hours.flatMap(({ from, to }, index) =>
      from === to
        ? [{ path: `/opening_hours/${index}/to`, message: 'must differ from `from`' }]
        : [],
    ),
  ]
}

function shortDay(name: string): Day {
  return days.find((day) => day === name) ?? longDays[name] ?? 'mon'
}

function isLanguageTag(tag: string): boolean {
  try {
    return Intl.getCanonicalLocales(tag).length === 1
  } catch {
    return false
  }
}

/** Offsets such as +01:00 are refused, because they have no summer time. */
function isTimezone(name: string): boolean {
  if (!/^[A-Za-z]/.test(name)) return false
  try {
    return canonicalTimezone(name) !== ''
  } catch {
    return false
  }
}

function canonicalTimezone(name: string): string {
  return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone
}
