/** `projects import` imports the file of `projects export`, or of the page Settings. */
import { createReadStream, existsSync } from 'node:fs'
import { migrateImported, type ImportedApp } from '../areas/apps/service.ts'
import * as people from '../areas/people/service.ts'
import { importProject, type ImportedProject } from '../areas/project-exports/service.ts'
import { planNames } from '../contract/plans.ts'
import { command, type CommandOutput } from './command.ts'
import { CommandError } from './command-error.ts'
import { withRuntime } from './database-access.ts'
import { email, file, oneOf, required, withDefault } from './option-parsers.ts'
import { formatCount } from './output.ts'
import { recordCommand } from './record-command.ts'

export const importCommand = command({
  name: 'projects import',
  about: 'Imports a project that another installation of the same version exported.',
  options: {
    from: required(file, 'The file that "projects export" or the page Settings wrote.'),
    'owner-email': required(email, 'Who owns it.'),
    plan: withDefault(oneOf(planNames), 'free', 'The plan; by default free.'),
  },
  run(values, context) {
    const { from, 'owner-email': owner_email, plan } = values
    if (!existsSync(from)) throw new CommandError(`There is no file ${from}.`)
    return withRuntime(context.settings(), async (runtime) => {
      const { exportedTables: exported } = await import('../app.ts')
      const { progress } = context
      const file = createReadStream(from)
      const imported = await recordCommand(runtime, { name: 'projects import', values }, () =>
        importProject(runtime, { from: file, exported, plan, owner_email, progress }),
      )
      await people.addOwner(runtime, owner_email)
      const apps: App[] = []
      for (const app of imported.apps) {
        const { id, name, missing_secrets, missing_migrations } = app
        const fault = await migrateImported(runtime, app)
        apps.push({ id, name, missing_secrets, missing_migrations, fault })
      }
      return report({ ...imported, apps })
    })
  },
})

interface App extends Pick<ImportedApp, 'id' | 'name' | 'missing_secrets' | 'missing_migrations'> {
  /** Why the migrations were not completed; null if they were. */
  fault: string | null
}

function lineOf({ id, name, missing_secrets, missing_migrations, fault }: App): string {
  const steps = [
    missing_secrets.length > 0 && `set its secrets ${missing_secrets.join(', ')}, then`,
    missing_migrations.length > 0 &&
      `run its migrations ${missing_migrations.join(', ')}, whose SQL was not recorded, then`,
    'deploy it.',
    fault,
  ]
  const shown = steps.filter((one) => typeof one === 'string').join(' ')
  return `The app ${name} (${id}) is not deployed yet: ${shown}`
}

function report(imported: Omit<ImportedProject, 'apps'> & { apps: App[] }): CommandOutput {
  const { project_id, name, rows, files, missing_files, sites, apps } = imported
  const count = Object.values(rows).reduce((sum, one) => sum + one, 0)
  const lines = [
    `Imported ${name} as project ${project_id}: ${formatCount(count, 'row')} and ${formatCount(files, 'file')}.`,
    ...(missing_files ? [`The bytes of ${formatCount(missing_files, 'file')} were missing.`] : []),
    ...(sites.length > 0 ? [`Its sites are now: ${sites.join(', ')}.`] : []),
    ...apps.map(lineOf),
    'It is in test mode. Create API keys and webhook endpoints, invite the team, and order numbers anew.',
  ]
  return { json: imported, text: lines.join('\n') }
}
