/**
 * A server as its users start it: `node server/start.ts` as a process of its own, with its own
 * data folder, read by its banner. For what can only be seen from outside: starting, stopping,
 * being killed.
 */
import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'

const main = join(import.meta.dirname, '..', '..', 'server', 'start.ts')

export interface ServerProcess {
  child: ChildProcess
  /** The lines of the banner, by name. */
  banner: Record<string, string>
  /** stdout up to now. */
  output(): string
  /** Tells it to stop and gives its exit code. */
  stop(signal?: NodeJS.Signals): Promise<number | null>
}

/** Environment of a server of a test; nothing of the machine's own settings comes along. */
function serverEnvironment(data_dir: string, settings: Record<string, string> = {}) {
  return {
    PATH: process.env['PATH'],
    HOMEPORT_DATA_DIR: data_dir,
    HOMEPORT_PORT: '0',
    HOMEPORT_WEBHOOKS_ALLOW_PRIVATE: '1',
    HOMEPORT_EGRESS_ALLOW_PRIVATE: '1',
    HOMEPORT_LOG_LEVEL: 'warn',
    ...settings,
  }
}

/** Starts a server and waits for its banner. Fails with what it said when it ends before that. */
export async function startServer(
  data_dir: string,
  settings?: Record<string, string>,
): Promise<ServerProcess> {
  const child = spawn(process.execPath, [main], {
    env: serverEnvironment(data_dir, settings),
    cwd: data_dir,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let complaints = ''
  let output = ''
  child.stderr.on('data', (chunk: Buffer) => (complaints += chunk.toString()))
  const lines = createInterface({ input: child.stdout })
  const banner: Record<string, string> = {}
  const ready = new Promise<void>((done, fail) => {
    lines.on('line', (line) => {
      output += `${line}\n`
      const [, name, value] = /^(\w+): (.*)$/.exec(line) ?? []
      if (name && value) banner[name] = value
      // The banner is written at once; its last fixed line is the one that names the sites.
      if (name === 'sites') setImmediate(done)
    })
    child.once('exit', (code) => fail(new Error(`The server ended with ${code}: ${complaints}`)))
  })
  await ready
  return {
    child,
    banner,
    output: () => output,
    async stop(signal = 'SIGTERM') {
      if (child.exitCode !== null || child.signalCode !== null) return child.exitCode
      child.kill(signal)
      const [code] = await once(child, 'exit')
      return typeof code === 'number' ? code : null
    },
  }
}
