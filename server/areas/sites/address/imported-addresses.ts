/** The addresses of imported sites, whose rows are not validated as requests are. */
import type { Reader } from '../../../kernel/database/database.ts'
import { listAddresses, listPreviewLabels } from './address-store.ts'
import { isUsableAddress, isUsablePreviewLabel } from './slug.ts'

/** Returns the first address that no deploy creates, such as a reserved one; null if there is none. */
export async function findUnusableAddress(db: Reader, project_id: string): Promise<string | null> {
  const addresses = await listAddresses(db, project_id)
  const unusable = addresses.find((one) => !isUsableAddress(one))
  if (unusable) return unusable.label
  const labels = await listPreviewLabels(db, project_id)
  return labels.find((label) => !isUsablePreviewLabel(label)) ?? null
}
