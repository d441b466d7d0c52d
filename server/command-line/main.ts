/**
 * Entry point of the command line: `npm run -s homeport -- <command>`. It enables Node's compile
 * cache before it imports the rest, which makes later commands start a third faster.
 */
import { enableCompileCache } from 'node:module'

const ONE_SIGNAL_MS = 500

// A signal ends a command with one line of output; its resources are closed at exit. A command that
// runs until it is stopped ends by itself, unless it gets a second signal.
const stop = new AbortController()
let goes_on = false
let told_ms = -Infinity
function stopNow(): void {
  // Ctrl-C sends a signal twice: from the terminal, and forwarded by npm.
  const again = performance.now() - told_ms < ONE_SIGNAL_MS
  told_ms = performance.now()
  if (goes_on && again) return
  if (goes_on && !stop.signal.aborted) return stop.abort()
  process.stderr.write('Stopped before the end.\n')
  process.exit(1)
}
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, stopNow)
// The reader of the output may close it early, as `head` does.
process.stdout.on('error', () => process.exit(1))

enableCompileCache()
const { onParentEnd } = await import('../kernel/process/parent.ts')
onParentEnd('command-line/main.ts', stopNow)
const { run } = await import('./run.ts')
const hasTerminal = process.stdin.isTTY && process.stderr.isTTY
process.exitCode = await run(process.argv.slice(2), {
  stdout: process.stdout,
  stderr: process.stderr,
  ...(hasTerminal && { ask }),
  stopped() {
    goes_on = true
    return stop.signal
  },
})
/** Asks on stderr, because stdout is for the command's output. */
async function ask(question: string): Promise<string> {
  const { createInterface } = await import('node:readline/promises')
  const terminal = createInterface({ input: process.stdin, output: process.stderr })
  // During a question Ctrl-C goes to readline, not to the process.
  terminal.on('SIGINT', stopNow)
  // Ctrl-D ends the input without a line, which counts as no.
  const ended = new Promise<string>((resolve) => terminal.on('close', () => resolve('')))
  try {
    return await Promise.race([terminal.question(question), ended])
  } finally {
    terminal.close()
  }
}
// Drops requests in flight of a stopped command.
if (stop.signal.aborted) process.exit()
