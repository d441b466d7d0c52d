/** The process of the command line: `npm run -s homeport -- <command>`. */
import { run } from './run.ts'

// A command that is stopped says so in its one line; what it opened is closed at the exit.
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => {
    process.stderr.write('Stopped before it was done.\n')
    process.exit(1)
  })
}
// Whoever reads the output may have had enough, as `head` has.
process.stdout.on('error', () => process.exit(1))

process.exitCode = await run(process.argv.slice(2), process)
