/**
 * The process of the command line: `npm run -s homeport -- <command>`. What Node.js compiled is
 * kept for the next command, which is ready in two thirds of the time then; that is why the rest
 * is imported only after the cache is on.
 */
import { enableCompileCache } from 'node:module'

const ONE_SIGNAL_MS = 500

// A command that is stopped says so in its one line; what it opened is closed at the exit. Only one
// that goes on until it is stopped ends by itself then, unless it is told a second time.
const stop = new AbortController()
let goes_on = false
let told_ms = -Infinity
function stopNow(): void {
  // One Ctrl-C arrives twice: from the terminal, and passed on by npm.
  const again = performance.now() - told_ms < ONE_SIGNAL_MS
  told_ms = performance.now()
  if (goes_on && again) return
  if (goes_on && !stop.signal.aborted) return stop.abort()
  process.stderr.write('Stopped before it was done.\n')
  process.exit(1)
}
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, stopNow)
// Whoever reads the output may have had enough, as `head` has.
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
/** Asks on stderr, because stdout is for the answer of the command. */
async function ask(question: string): Promise<string> {
  const { createInterface } = await import('node:readline/promises')
  const terminal = createInterface({ input: process.stdin, output: process.stderr })
  // Ctrl-C reaches readline, not the process, while it reads a line.
  terminal.on('SIGINT', stopNow)
  // Ctrl-D ends the input without a line, which is no yes.
  const ended = new Promise<string>((resolve) => terminal.on('close', () => resolve('')))
  try {
    return await Promise.race([terminal.question(question), ended])
  } finally {
    terminal.close()
  }
}
// Nobody waits any more for what such a command still has under way.
if (stop.signal.aborted) process.exit()
