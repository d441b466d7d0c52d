/** The configuration of a workerd process: the isolate of an app, ours, and what each can reach. */

/** Modules of the app, in files of the folder of the process; the first one is the main module. */
export interface ConfiguredApp {
  modules: readonly { path: string; file: string; kind: 'esModule' | 'text' | 'json' }[]
  /** Names of secrets, which are environment variables of the process with a prefix. */
  secrets: readonly string[]
}

export const SECRET_PREFIX = 'APP_SECRET_'

/** The objects of `env`, with their classes in `host-worker.js`. */
export const bindings = {
  DB: 'Database',
  DATA: 'Data',
  EMAIL: 'Email',
  MEDIA: 'Media',
  CHAT: 'Chat',
  AUTH: 'Auth',
} as const

const COMPATIBILITY_DATE = '2026-10-01'
const HEAP_MB = 96

/** Returns the text of the configuration. Sockets are in the folder of the process. */
export function writeConfig(app: ConfiguredApp, folder: string): string {
  const modules = app.modules.map(
    ({ path, file, kind }) => `(name = ${quote(path)}, ${kind} = embed ${quote(file)})`,
  )
  const entries = Object.entries(bindings).map(
    ([name, entrypoint]) =>
      `(name = ${quote(name)}, service = (name = "host", entrypoint = ${quote(entrypoint)}))`,
  )
  const secrets = app.secrets.map(
    (name) => `(name = ${quote(name)}, fromEnvironment = ${quote(SECRET_PREFIX + name)})`,
  )
  const flags = [
    `--max-heap-size=${HEAP_MB}`,
    '--max-semi-space-size=1',
    '--semi-space-growth-factor=1',
    '--gc-global',
    '--memory-reducer',
  ]
  const unix = (name: string) => quote(`unix:${folder}/${name}`)
  return `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  services = [
    (name = "app", worker = (
      modules = [${modules.join(', ')}],
      compatibilityDate = "${COMPATIBILITY_DATE}",
      bindings = [${[...entries, ...secrets].join(', ')}],
      globalOutbound = "egress",
      tails = [(name = "host", entrypoint = "Logs")])),
    (name = "host", worker = (
      modules = [(name = "host-worker.js", esModule = embed "host-worker.js")],
      compatibilityDate = "${COMPATIBILITY_DATE}",
      bindings = [(name = "HOST", service = "server"), (name = "APP", service = "app")],
      globalOutbound = "server")),
    (name = "server", external = (address = ${unix('server.sock')}, http = ())),
    (name = "egress", external = (address = ${unix('egress.sock')}, http = (style = proxy))),
    (name = "internet", network = (allow = []))
  ],
  sockets = [
    (name = "app", address = ${unix('app.sock')},
      http = (forwardedProtoHeader = "x-forwarded-proto"), service = "host"),
    (name = "control", address = ${unix('control.sock')}, http = (),
      service = (name = "host", entrypoint = "Control"))
  ],
  logging = (structuredLogging = true),
  v8Flags = [${flags.map(quote).join(', ')}]
);
`
}

/** A text literal of Cap'n Proto. */
function quote(text: string): string {
  return JSON.stringify(text)
}
