/** A backup that cannot be written or read, with one sentence that states the reason and the fix. */
export class BackupFault extends Error {
  override readonly name = 'BackupFault'
}
