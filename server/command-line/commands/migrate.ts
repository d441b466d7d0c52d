/** `migrate` applies pending migrations, like every start of the server. */
import { migrate, readMigrations } from '../../kernel/database/migrations.ts'
import { command } from '../command.ts'
import { openDatabaseAccess } from '../database-access.ts'

export const migrateCommand = command({
  name: 'migrate',
  about: 'Applies pending migrations.',
  options: {},
  async run(_, context) {
    const database = await openDatabaseAccess(context.settings())
    try {
      const applied = await migrate(database.connection)
      const migration = readMigrations().at(-1)?.number ?? 0
      const done = applied.map((name) => `Applied ${name}`)
      const state = `The database is at migration ${migration}${done.length > 0 ? '.' : ': no migration was pending.'}`
      return { json: { applied, migration }, text: [...done, state].join('\n') }
    } finally {
      await database.leave()
    }
  },
})
