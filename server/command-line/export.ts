/** `projects export` writes a whole project into one file. */
import { existsSync, statSync } from 'node:fs'
import { writeArchive } from '../areas/project-exports/service.ts'
import * as projects from '../areas/projects/service.ts'
import { command } from './command.ts'
import { CommandError } from './command-error.ts'
import { withRuntime } from './database-access.ts'
import { file, id, required } from './option-parsers.ts'
import { requireFolderOf, writeWholeFile } from './write-whole-file.ts'

export const exportCommand = command({
  name: 'projects export',
  about:
    'Writes everything of a project but its secrets into one file, also while the server runs.',
  options: {
    project: required(id, 'The project.'),
    to: required(file, 'The file to write, such as bakery.tar.gz.'),
  },
  run({ project: project_id, to }, context) {
    requireFolderOf(to)
    if (existsSync(to)) throw new CommandError(`${to} exists: name another file.`)
    return withRuntime(context.settings(), async (runtime) => {
      const project = await projects.find(runtime.db, project_id)
      if (!project) throw new CommandError(`There is no project ${project_id}.`)
      const { exportedTables } = await import('../app.ts')
      const { id, name } = project
      const whole = { project: { id, name }, exported: exportedTables }
      await writeWholeFile(to, writeArchive(runtime, whole))
      const bytes = statSync(to).size
      return {
        json: { project_id, file: to, bytes },
        text: `Wrote ${name} to ${to} (${bytes} bytes). "projects import" imports it elsewhere.`,
      }
    })
  },
})
