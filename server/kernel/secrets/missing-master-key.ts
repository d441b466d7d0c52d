/** The fault of a start with a master key that does not open the stored values. */
import { ConfigError } from '../config/config.ts'

export class MissingMasterKey extends ConfigError {
  constructor(key_ids: readonly string[], count: number) {
    const keys = key_ids.length === 1 ? `key ${key_ids[0]}` : `keys ${key_ids.join(', ')}`
    super(
      `${count} stored ${count === 1 ? 'secret was' : 'secrets were'} encrypted with the master ` +
        `${keys}, which this server does not have. Set HOMEPORT_SECRET to that key, or set ` +
        'HOMEPORT_SECRET_PREVIOUS to it and run "secrets rotate". "secrets status" shows the keys.',
    )
  }
}
