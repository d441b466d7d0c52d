/** The measurable areas, in the order of the report. */

export interface Area {
  name: string
  title: string
  about: string
  /** Excluded from `all`, because it takes long or needs options. */
  alone?: true
  /** Measures the service under load of many kinds; its script is in `load/`, not in `areas/`. */
  load?: true
}

export const areas: readonly Area[] = [
  { name: 'api', title: 'A request with a key', about: 'GET /project against a bare route.' },
  { name: 'data', title: 'Documents', about: 'Documents against a bare route and four peers.' },
  {
    name: 'busy-day',
    title: 'A busy day',
    about: 'Mixed requests of 2,000 projects at constant rates, with forms, pages and webhooks.',
    load: true,
  },
  {
    name: 'mix',
    title: 'The mix',
    about: 'Processor time of mixed requests of 2,000 projects.',
    load: true,
  },
  {
    name: 'mechanisms',
    title: 'What mechanisms for speed save',
    about: 'This checkout and another, --against FOLDER, --label TEXT.',
    alone: true,
    load: true,
  },
  { name: 'sites', title: 'Sites', about: 'Pages and scripts against nginx and Caddy; deploys.' },
  { name: 'apps', title: 'Apps', about: 'Requests through an app, its start and its memory.' },
  { name: 'webhooks', title: 'Webhooks', about: 'Deliveries against a bare loop of undici.' },
  { name: 'sms', title: 'Text messages', about: 'Messages a second into the simulated carrier.' },
  {
    name: 'neighbour',
    title: 'A noisy neighbour',
    about: 'What a flood costs other projects.',
    load: true,
  },
  { name: 'mcp', title: 'MCP', about: 'What a tool costs beside its REST call.' },
  { name: 'chat', title: 'Chat', about: 'Replies of the built-in model; first tokens of another.' },
  { name: 'agents', title: 'Agents', about: 'Runs in rule mode, schedules and waiting runs.' },
  { name: 'ledger', title: 'The ledger', about: 'Charges a second.' },
  { name: 'sign-in', title: 'Sign-in', about: 'Sign-ins and sessions.' },
  {
    name: 'portal',
    title: 'The portal',
    about: 'Loads, scrolling, clicks and memory in a browser.',
  },
  { name: 'privacy', title: 'One person', about: 'Finds, exports and erases a person.' },
  {
    name: 'project-exports',
    title: 'A whole project',
    about: 'Exports and imports a project as one file.',
  },
  { name: 'start', title: 'Start and size', about: 'Starts, memory, npm ci and disk.' },
  { name: 'growth', title: 'Growth', about: 'What 10 and 100 times the rows cost.', load: true },
  {
    name: 'concurrency',
    title: 'Many at once',
    about: '1, 8, 64 and 256 connections.',
    load: true,
  },
  {
    name: 'workers',
    title: 'Several processes',
    about: 'HOMEPORT_WORKERS 1 and one a core.',
    load: true,
  },
  { name: 'profile', title: 'Where the time goes', about: 'CPU profiles of three ways.' },
  {
    name: 'soak',
    title: 'A long run',
    about: 'Memory over --minutes 10.',
    alone: true,
    load: true,
  },
]
